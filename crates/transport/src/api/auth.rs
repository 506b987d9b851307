//! Sessions of apps: a mailed link, then a short-lived token for the API and a refresh token that is another one each time.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use btp_accounts::{AccountError, AppSession};
use btp_kernel::{LimitError, limit};
use http::{HeaderName, StatusCode, header};
use serde::Serialize;
use serde_json::{Value, json};

use super::{body::Body, person::Signed, problem::Problem};
use crate::{
    Services,
    layer::ClientIp,
    pages::{Visitor, mail_link},
};

#[derive(Serialize)]
pub(super) struct Tokens {
    token: String,
    refresh_token: String,
}

type Answer = Result<([(HeaderName, &'static str); 1], Json<Tokens>), Problem>;

/// `POST /api/auth/request-link`: answers the same, and as fast, whoever has an account.
pub(super) async fn request_link(
    State(services): State<Services>,
    visitor: Visitor,
    ip: ClientIp,
    asked: Body,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let email = asked.text("email")?;
    match services.limiter.take(&[(&limit::MAIL_IP, &ip.0)], services.clock.now()).await {
        Ok(()) => {}
        Err(LimitError::Exceeded(exceeded)) => return Err(exceeded.into()),
        Err(LimitError::Failed(source)) => return Err(AccountError::Failed(source).into()),
    }
    mail_link(services.accounts.clone(), email, visitor.locale);
    Ok((StatusCode::ACCEPTED, Json(json!({}))))
}

/// `POST /api/auth/verify`: spends the token of a mailed link.
pub(super) async fn verify(State(services): State<Services>, asked: Body) -> Answer {
    answer(services.apps.sign_in(&asked.text("token")?).await?, "This sign-in link was used already or is too old.")
}

/// `POST /api/auth/refresh`.
pub(super) async fn refresh(State(services): State<Services>, asked: Body) -> Answer {
    answer(services.apps.refresh(&asked.text("refresh_token")?).await?, "The session has ended. Sign in again.")
}

/// `POST /api/auth/logout`: ends every session of the person. Agents stay authorized.
pub(super) async fn logout(State(services): State<Services>, Signed(person): Signed) -> Result<Response, Problem> {
    services.accounts.sign_out(&person.user).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn answer(session: Option<AppSession>, otherwise: &str) -> Answer {
    let session = session.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, otherwise))?;
    let tokens = Tokens { token: session.token, refresh_token: session.refresh_token };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(tokens)))
}
