//! The real fetcher against a TLS server of this process.

mod published;
mod refusals;

use std::{io, net::IpAddr, sync::Arc};

use async_trait::async_trait;

use super::stand_in::Server;
use super::*;

/// Every name is this machine.
struct Here;

#[async_trait]
impl Lookup for Here {
    async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec!["127.0.0.1".parse().unwrap()])
    }
}

/// The fetcher whose Internet is `server`.
fn documents(server: &Server, patience: Patience) -> Documents {
    let client = PublicClient::on_loopback(patience, Arc::new(Here), server.root(), server.port()).unwrap();
    Documents::over(client, patience)
}

async fn fetch(server: &Server, address: &str) -> Result<Fetched, NoDocument> {
    documents(server, PATIENCE).fetch(&address.parse().unwrap()).await
}

/// Why there is no document, as the log says it.
fn reason(outcome: Result<Fetched, NoDocument>) -> String {
    btp_kernel::chain(&outcome.unwrap_err())
}
