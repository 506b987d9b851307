//! What happens around a request, whatever the route.

mod client_ip;
mod log;
mod named;
mod security;
mod site;

pub(crate) use client_ip::ClientIp;
pub(crate) use log::log;
pub(crate) use named::Named;
pub(crate) use security::security_headers;
pub(crate) use site::own_site;
