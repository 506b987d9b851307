//! OAuth scopes as validated text: the kernel knows their form, each protected resource its own names.

use std::{collections::BTreeSet, fmt, str::FromStr};

/// One scope-token (RFC 6749 §3.3): printable ASCII but space, `"` and `\`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(String);

/// The text is not a scope-token.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a scope is printable ASCII without space, quote or backslash")]
pub struct ScopeError;

impl Scope {
    /// The scope as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        let legal = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        if text.is_empty() || !text.bytes().all(legal) { Err(ScopeError) } else { Ok(Self(text.to_owned())) }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A set of scopes; its text form is sorted and separated by spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// The scope-tokens of a space-separated list; words that are no scope-token are left out.
    pub fn parse(text: &str) -> Self {
        Self(text.split(' ').filter_map(|word| word.parse().ok()).collect())
    }

    /// Whether `scope` is in the set.
    pub fn has(&self, scope: &str) -> bool {
        self.0.iter().any(|held| held.as_str() == scope)
    }

    /// The scopes that are in both sets.
    pub fn common(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).cloned().collect())
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            scope.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_sorted_and_case_sensitive() {
        let scopes = Scopes::parse("trips:write trips:read  trips:read");
        assert_eq!(scopes.to_string(), "trips:read trips:write");
        assert!(scopes.has("trips:read") && !scopes.has("TRIPS:READ"));
        assert_eq!("a b".parse::<Scope>(), Err(ScopeError));
    }
}
