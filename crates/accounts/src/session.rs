//! A browser session and what derives from its token.

use btp_kernel::entropy::digest;

use crate::User;

/// A signed-in browser.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    /// Who is signed in.
    pub user: User,
    token: String,
}

impl Session {
    pub(crate) fn new(user: User, token: String) -> Self {
        Self { user, token }
    }

    /// The secret the browser keeps.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// What each form of this session carries: a page of another origin can neither read nor guess it.
    pub fn csrf(&self) -> String {
        digest(&[b"csrf", self.token.as_bytes()])
    }

    /// Whether a form came from a page of this session.
    pub fn is_own_form(&self, csrf: &str) -> bool {
        // digests are compared, so that the time it takes tells nothing of the secret
        digest(&[csrf.as_bytes()]) == digest(&[self.csrf().as_bytes()])
    }
}
