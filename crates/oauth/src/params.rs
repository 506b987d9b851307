//! Request parameters as they came: repeats are seen, empty ones count as absent (OAuth 2.1 §3.1).

use url::form_urlencoded;

/// Parameters that may come once. `resource` may repeat (RFC 8707 §2), unknown ones are ignored.
const SINGLE: [&str; 17] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "request",
    "request_uri",
    "grant_type",
    "code",
    "code_verifier",
    "refresh_token",
    "client_secret",
    "nonce",
    "token",
];

/// The parameters of a query or a form.
#[derive(Clone, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// The parameters in `text`; bytes that are no UTF-8 become U+FFFD.
    pub fn parse(text: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(text).map(|(name, value)| (name.into_owned(), value.into_owned()));
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    /// Every value of `name`.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The first value of `name`; callers have refused repeats before.
    pub fn one<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// Whether `name` came more than once.
    pub fn repeats(&self, name: &str) -> bool {
        self.all(name).nth(1).is_some()
    }

    /// A parameter that came more than once and may not.
    pub fn repeated(&self) -> Option<&'static str> {
        SINGLE.into_iter().find(|name| self.repeats(name))
    }

    /// The same parameters in one spelling, as a query.
    pub fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}
