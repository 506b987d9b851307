//! On whose behalf something is done.

use crate::{ClientId, Scopes, UserId};

/// A person, the application acting for them, and what it may do.
///
/// The person's own pages act as the client [`Principal::PERSON`] with every scope of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The person.
    pub user: UserId,
    /// The application.
    pub client: ClientId,
    /// What the application may do for the person.
    pub scopes: Scopes,
}

impl Principal {
    /// The client id under which a signed-in person acts without an agent. No OAuth client can have it:
    /// it is neither an https address nor a legal operator-given id.
    pub const PERSON: &'static str = "(person)";

    /// The key of limits that count per person and application.
    pub fn limit_key(&self) -> String {
        format!("{}\n{}", self.user, self.client)
    }
}
