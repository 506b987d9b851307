//! A person with an account.

use btp_kernel::{Timestamp, UserId};

/// An e-mail address in the form accounts are compared by: trimmed, lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

/// The text is no e-mail address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an e-mail address of at most 180 characters")]
pub struct EmailError;

impl Email {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Email {
    type Err = EmailError;

    fn from_str(text: &str) -> Result<Self, EmailError> {
        let text = text.trim().to_lowercase();
        let legal = text.chars().count() <= 180
            && !text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | ',' | ';'))
            && text
                .split_once('@')
                .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'));
        if legal { Ok(Self(text)) } else { Err(EmailError) }
    }
}

/// The language of pages, mails and alerts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// French.
    Fr,
}

impl Locale {
    /// Its tag.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
        }
    }

    /// The locale with this tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        match tag {
            "en" => Some(Self::En),
            "fr" => Some(Self::Fr),
            _ => None,
        }
    }
}

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Id; never reused.
    pub id: UserId,
    /// Address.
    pub email: Email,
    /// Language.
    pub locale: Locale,
    /// When the account was made.
    pub created_at: Timestamp,
}
