//! The secret of a session: which session, and the turn's own secret.
//!
//! `bts_<which>.<turn>`: the first half stays for the session's whole life, so that any former turn is recognised as one of
//! this session; the second half is another one with each renewal. Storage sees digests of both.

use btp_kernel::{
    Entropy,
    entropy::{digest, hex16},
    secret,
};

use crate::store::Successor;

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token {
    which: String,
    turn: String,
}

impl Token {
    pub(crate) fn new(entropy: &dyn Entropy) -> Self {
        Self { which: secret::new("bts_", entropy), turn: secret::new("", entropy) }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (which, turn) = text.split_once('.').filter(|_| text.starts_with("bts_"))?;
        Some(Self { which: which.to_owned(), turn: turn.to_owned() })
    }

    /// Under which storage knows the session.
    pub(crate) fn key(&self) -> String {
        secret::digest(&self.which)
    }

    /// Under which storage knows this turn.
    pub(crate) fn turn(&self) -> String {
        secret::digest(&self.turn)
    }

    /// What each form of the session carries: a page of another origin can neither read nor guess it.
    pub(crate) fn csrf(&self) -> String {
        digest(&[b"csrf", self.which.as_bytes()])
    }

    /// A successor to offer.
    pub(crate) fn offer(&self, entropy: &dyn Entropy) -> Successor {
        let salt = hex16(entropy);
        Successor { turn: self.after(&salt).turn(), salt }
    }

    /// The token that follows this one: whoever presents this one again is given the same, and storage, which knows the salt
    /// alone, cannot make it.
    pub(crate) fn after(&self, salt: &str) -> Self {
        let turn = digest(&[b"session turn", self.turn.as_bytes(), salt.as_bytes()]);
        Self { which: self.which.clone(), turn }
    }

    pub(crate) fn text(&self) -> String {
        format!("{}.{}", self.which, self.turn)
    }
}
