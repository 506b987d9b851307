//! Serving and working, from start to an orderly end.

use std::{future::Future, net::TcpListener, sync::Arc};

use btp_domain::Planner;
use btp_jobs::Worker;
use btp_kernel::{Clock, chain};
use btp_storage::Stores;
use btp_transport::{Check, Services};
use rustls::ServerConfig;
use tokio::sync::watch;

use crate::{
    config::{Config, ConfigError},
    limits::Limits,
    system::{SystemClock, SystemEntropy},
};

/// The certificate to serve https with, when there is one.
pub(crate) fn tls(config: &Config) -> Result<Option<Arc<ServerConfig>>, ConfigError> {
    let Some((certificates, key)) = &config.tls else { return Ok(None) };
    let tls = btp_transport::tls(certificates, key)
        .map_err(|err| ConfigError::new("TLS_CERT", format!("TLS_CERT and TLS_KEY cannot be used: {}", chain(&err))))?;
    Ok(Some(tls))
}

/// Whether the parts behind the server are well.
pub(super) async fn readiness(stores: Stores, limits: Limits) -> Vec<Check> {
    let problem = stores.ping().await.err().map(|err| {
        tracing::warn!(error = chain(&err), "the database does not answer");
        "the database does not answer".to_owned()
    });
    let database = Check { name: "database", problem, vital: true };
    std::iter::once(database).chain(limits.check().await).collect()
}

/// A worker over these stores, which sweeps out once an hour.
pub(super) fn worker(stores: &Stores, planner: &Planner) -> Worker {
    let sweep = stores.clone();
    Worker::new(stores.jobs(), planner.background(), Arc::new(SystemClock), Arc::new(SystemEntropy)).hourly(move || {
        let stores = sweep.clone();
        Box::pin(async move {
            if let Err(err) = stores.purge(SystemClock.now()).await {
                tracing::warn!(error = chain(&err), "sweeping out what has expired failed");
            }
        })
    })
}

pub(super) async fn run(
    listener: TcpListener,
    tls: Option<Arc<ServerConfig>>,
    services: Services,
    worker: Option<Worker>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let (stopping, stopped) = watch::channel(false);
    let told = |mut stopped: watch::Receiver<bool>| async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    let working = worker.map(|worker| tokio::spawn(worker.run(told(stopped.clone()))));
    tokio::spawn({
        let stopping = stopping.clone();
        async move {
            stop.await;
            stopping.send_replace(true);
        }
    });
    let router = btp_transport::router(services);
    let served = btp_transport::serve(listener, router, tls, told(stopped)).await;
    // Also when the socket failed: a worker that is not told would be waited for without end.
    stopping.send_replace(true);
    if let Some(working) = working {
        working.await?;
    }
    Ok(served?)
}
