//! What happens around a request, whatever the route.

mod client_ip;
mod log;
mod named;
mod patience;
mod security;
mod session;
mod site;

pub(crate) use client_ip::ClientIp;
pub(crate) use log::log;
pub(crate) use named::Named;
pub(crate) use patience::patience;
pub(crate) use security::security_headers;
pub(crate) use session::{clear_session, keep_session, session, set_session};
pub(crate) use site::own_site;
