//! Identifiers that more than one layer speaks of.

use crate::{Entropy, Timestamp};

/// A new identifier: a UUIDv7 (RFC 9562 §5.7) in its hyphenated lower-case form, so that ids sort by creation.
pub fn new_id(now: Timestamp, entropy: &dyn Entropy) -> String {
    let mut random = [0; 10];
    entropy.fill(&mut random);
    uuid::Builder::from_unix_timestamp_millis(now.as_millis().max(0).unsigned_abs(), &random).into_uuid().to_string()
}

/// Declares a newtype over text. Any text is a legal value: what does not exist is simply not found.
#[macro_export]
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub String);

        impl $name {
            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id!(
    /// A person with an account.
    UserId
);
text_id!(
    /// An OAuth client: the address of its metadata document, or the id an operator gave it.
    ClientId
);
