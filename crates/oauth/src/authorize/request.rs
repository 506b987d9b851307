//! What a request asks, once it is found legal.

use btp_kernel::{ClientId, Scopes, UserId};

use super::{
    EMAIL_MAX, Person,
    error::{AuthorizeError, Denied, Stop},
};
use crate::{
    AuthorizationServer,
    audit::Subject,
    machine::{self, Stopped},
    params::Params,
    redirect,
    store::Client,
};

/// A legal request.
pub(crate) struct Asked {
    pub(crate) client: ClientId,
    pub(crate) redirect: String,
    pub(crate) resource: String,
    pub(crate) scopes: Scopes,
    pub(crate) challenge: String,
}

impl Asked {
    /// Whom a line of the audit trail is about.
    pub(crate) fn subject<'a>(&'a self, user: &'a UserId) -> Subject<'a> {
        Subject { user: Some(user), client: Some(&self.client), resource: Some(&self.resource), family: None }
    }
}

impl AuthorizationServer {
    /// Judges a request: first whom we may answer at all, then what the person is told, then what the client is told.
    ///
    /// `decided` says that `person` has been asked about this request before.
    pub(crate) async fn judge(&self, params: &Params, person: Person<'_>, decided: bool) -> Result<Asked, Stop> {
        if params.repeats("client_id") {
            return Err(AuthorizeError::ClientId.into());
        }
        let id = ClientId::from(params.one("client_id").ok_or(AuthorizeError::ClientId)?);
        let client = self.client(&id, person.id, decided).await?;
        let redirect = bound_redirect(&client, params)?;
        let resource =
            self.resource(params.all("resource")).ok_or_else(|| AuthorizeError::Resource(self.accepted_resources()))?;
        let denied = |denied| Stop::Denied { redirect: redirect.clone(), denied };
        if let Some(name) = params.repeated() {
            return Err(denied(Denied::Repeated(name)));
        }
        // clients append scopes of other servers, such as offline_access
        let scopes = Scopes::parse(params.one("scope").unwrap_or_default()).common(&resource.scope_set());
        if scopes.is_empty() {
            return Err(AuthorizeError::Scope.into());
        }
        if let Some(unsupported) = unsupported(params) {
            return Err(denied(unsupported));
        }
        let challenge = machine::walk(params, &redirect, &scopes.to_string()).map_err(|stopped| match stopped {
            Stopped::ResponseType => denied(Denied::ResponseType),
            Stopped::Pkce => denied(Denied::Pkce),
            Stopped::Scope => AuthorizeError::Scope.into(),
            Stopped::Malformed => AuthorizeError::RedirectUri.into(),
        })?;
        if person.email.chars().count() > EMAIL_MAX {
            return Err(AuthorizeError::EmailTooLong.into());
        }
        let resource = resource.address(&self.parts.issuer);
        Ok(Asked { client: client.id, resource, scopes, challenge, redirect })
    }
}

/// The redirect address of the request, as it was sent; it may be left out when only one is registered.
fn bound_redirect(client: &Client, params: &Params) -> Result<String, AuthorizeError> {
    if params.repeats("redirect_uri") {
        return Err(AuthorizeError::RedirectUri);
    }
    match (params.one("redirect_uri"), client.redirect_uris.as_slice()) {
        (None, [only]) => Ok(only.clone()),
        (Some(sent), registered) if registered.iter().any(|known| redirect::matches(known, sent)) => {
            Ok(sent.to_owned())
        }
        _ => Err(AuthorizeError::RedirectUri),
    }
}

/// Extensions of OpenID Connect that change what an answer means, so that they cannot be ignored.
fn unsupported(params: &Params) -> Option<Denied> {
    if params.one("request").is_some() {
        Some(Denied::Request)
    } else if params.one("request_uri").is_some() {
        Some(Denied::RequestUri)
    } else {
        params.one("response_mode").filter(|mode| *mode != "query").map(|_| Denied::ResponseMode)
    }
}
