//! A link that was mailed, against a session.

use btp_accounts::{
    User,
    store::{NewSession, Purpose, SignedIn},
};
use btp_kernel::UserId;

use super::{links, people, sessions};
use crate::{Error, db::Db};

/// The person is held before the link is spent, in the order in which whoever changes their address, ends their sessions
/// or deletes them takes both: one waits for the other, and sees what it did.
pub(super) async fn sign_in(
    db: &Db,
    link: &str,
    session: &NewSession,
    newcomer: &UserId,
) -> Result<Option<SignedIn>, Error> {
    let tx = db.begin().await?;
    let (of, email, is_new) = match links::find(&tx, link, session.since).await? {
        Some(Purpose::SignIn(user, email)) => (Some(user), email, false),
        Some(Purpose::SignUp(email, locale)) => {
            let user = User { id: newcomer.clone(), email: email.clone(), locale, created_at: session.since };
            let is_new = people::welcome(&tx, &user).await?;
            (None, email, is_new)
        }
        Some(Purpose::ChangeEmail(..)) | None => return Ok(None),
    };
    let person = people::hold(&tx, &email).await?.filter(|person| of.is_none_or(|of| of == person.id));
    let Some(user) = person else { return Ok(None) };
    if !links::spend(&tx, link).await? {
        return Ok(None);
    }
    sessions::put(&tx, &user.id, session).await?;
    tx.commit().await?;
    Ok(Some(SignedIn { user, is_new }))
}
