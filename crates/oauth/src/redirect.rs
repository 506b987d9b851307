//! Redirect addresses: which may be registered, which request matches a registration, and the answer sent there.

use url::{Url, form_urlencoded};

use crate::{Issuer, Policy};

/// The name of this machine.
const LOCALHOST: &str = "http://localhost";

/// The ways to write this machine for which the port floats (RFC 8252 §7.3). They are not interchangeable.
const OWN_MACHINE: [&str; 3] = ["http://127.0.0.1", "http://[::1]", LOCALHOST];

/// Parameters of an answer; a redirect address that carries one of them in its own query loses it.
const ANSWER: [&str; 6] = ["code", "state", "iss", "error", "error_description", "error_uri"];

/// The address may not be registered.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a redirect address is https://… or http://127.0.0.1…, http://[::1]…, http://localhost…, without user name or fragment, in canonical spelling"
)]
pub struct RedirectError;

/// Checks an address that an operator registers.
///
/// # Errors
/// Anything but https, or http to this machine; a fragment (RFC 6749 §3.1.2), a user name; another spelling than the
/// canonical one, for addresses are compared as text.
pub fn check_registered(address: &str) -> Result<(), RedirectError> {
    let url = Url::parse(address).map_err(|_| RedirectError)?;
    let legal = url.scheme() == "https" || is_on_own_machine(address);
    let canonical = url.as_str() == address || url.as_str().strip_suffix('/') == Some(address);
    let bare = url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    if legal && canonical && bare { Ok(()) } else { Err(RedirectError) }
}

/// Whether a client document may name the address: as an operator may, but nothing on our own host, where a code would
/// land in our own logs, and `http://localhost` only where the operator allows it.
pub fn may_be_published(address: &str, issuer: &Issuer, policy: Policy) -> bool {
    let own = || Url::parse(address).is_ok_and(|url| url.host_str().is_some_and(|host| issuer.is_own_host(host)));
    check_registered(address).is_ok()
        && (policy.localhost_redirects || !is_localhost(address))
        && (is_on_own_machine(address) || !own())
}

/// Whether `requested` is the address registered as `registered`: byte for byte, but any port on a loopback literal, and
/// on `localhost` where it is registered without one.
///
/// The only matcher there is: two of them would one day disagree.
pub fn matches(registered: &str, requested: &str) -> bool {
    let floats = || {
        let (known, asked) = (Local::of(registered)?, Local::of(requested)?);
        let free = known.host != LOCALHOST || !known.has_port;
        Some(free && known.host == asked.host && known.rest == asked.rest)
    };
    registered == requested || floats().unwrap_or(false)
}

/// Whether the address is on the machine of whoever opens it: a loopback literal, or `localhost`.
pub fn is_on_own_machine(address: &str) -> bool {
    Local::of(address).is_some()
}

/// Whether the address is on `http://localhost`.
pub(crate) fn is_localhost(address: &str) -> bool {
    Local::of(address).is_some_and(|local| local.host == LOCALHOST)
}

/// The host of the address with its port, as a person reads it.
pub fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default().to_owned()
}

/// `address` with the answer in its query, its own query kept; `iss` always last (RFC 9207 §2).
pub(crate) fn answer(address: &str, pairs: &[(&str, &str)], state: Option<&str>, issuer: &Issuer) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let own = query.split('&').filter(|pair| !pair.is_empty() && !ANSWER.contains(&name(pair).as_str()));
    let mut all = form_urlencoded::Serializer::new(own.collect::<Vec<_>>().join("&"));
    all.extend_pairs(pairs);
    if let Some(state) = state {
        all.append_pair("state", state);
    }
    all.append_pair("iss", issuer.as_str());
    format!("{path}?{}", all.finish())
}

fn name(pair: &str) -> String {
    form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}

/// An address on this machine.
struct Local<'a> {
    host: &'static str,
    has_port: bool,
    /// Everything after host and port.
    rest: &'a str,
}

impl<'a> Local<'a> {
    fn of(address: &'a str) -> Option<Self> {
        let host = *OWN_MACHINE.iter().find(|host| address.starts_with(**host))?;
        let rest = &address[host.len()..];
        let (has_port, rest) = match rest.strip_prefix(':') {
            None => (false, rest),
            Some(after) => {
                let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                let (port, rest) = after.split_at(digits);
                let legal = !port.starts_with('0') && port.parse::<u16>().is_ok();
                (true, legal.then_some(rest)?)
            }
        };
        let ends = rest.is_empty() || rest.starts_with(['/', '?']);
        (ends && !rest.contains('#')).then_some(Self { host, has_port, rest })
    }
}
