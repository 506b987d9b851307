//! Serving a router on a socket until told to stop, with or without TLS.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::Path,
    sync::Arc,
    time::Duration,
};

use axum::Router;
use axum_server::{
    Handle,
    accept::NoDelayAcceptor,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use hyper_util::rt::TokioTimer;
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

/// Longest time from a new connection to the whole head of its first request.
const FIRST_HEAD: Duration = Duration::from_secs(10);
/// Longest time from one request of a connection to the whole head of the next: longer than the 60 seconds for which
/// proxies keep idle connections, so that they do not send into one that we are just closing.
const NEXT_HEAD: Duration = Duration::from_secs(75);
/// Longest time for which a client may leave what was sent to it unread; nothing else ends a connection that is stuck in
/// its answer.
const UNREAD: Duration = Duration::from_secs(60);
/// Longest time for requests in progress once we were told to stop.
const DRAIN: Duration = Duration::from_secs(20);

/// Serves `router` on `listener` until `shutdown` resolves; requests in progress then have 20 seconds.
///
/// Sockets have `TCP_NODELAY`, so that small answers are not held back; a client that sends its request head slowly is
/// cut off. HTTP/1.1 only: the proxies in front speak it.
///
/// # Errors
/// The socket failed.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<Arc<ServerConfig>>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    cut_off_who_does_not_read(&listener)?;
    let handle = Handle::new();
    tokio::spawn({
        let handle = handle.clone();
        async move {
            shutdown.await;
            handle.graceful_shutdown(Some(DRAIN));
        }
    });
    let mut server = axum_server::from_tcp(listener)?.handle(handle).first_request_timeout(FIRST_HEAD).http1_only();
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(NEXT_HEAD);
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    match tls {
        None => server.acceptor(NoDelayAcceptor::new()).serve(service).await,
        Some(tls) => {
            let secured = RustlsAcceptor::new(RustlsConfig::from_config(tls)).acceptor(NoDelayAcceptor::new());
            server.acceptor(secured).serve(service).await
        }
    }
}

/// The sockets that `listener` accepts are closed by the system once what was sent stays unread for [`UNREAD`]
/// (RFC 5482).
fn cut_off_who_does_not_read(listener: &TcpListener) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(listener).set_tcp_user_timeout(Some(UNREAD))?;
    Ok(())
}

/// Why certificate and key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate chain is no PEM file with certificates.
    #[error("the certificate file has no readable certificate")]
    Certificate(#[source] rustls::pki_types::pem::Error),
    /// The key is no PEM file with a private key.
    #[error("the key file has no readable private key")]
    Key(#[source] rustls::pki_types::pem::Error),
    /// They do not belong together, or are of a kind that is not supported.
    #[error("certificate and key cannot be used together")]
    Pair(#[source] rustls::Error),
}

/// TLS 1.2 and 1.3 with a certificate chain and its key, both PEM files.
///
/// # Errors
/// A file that cannot be read, or two that do not belong together.
pub fn tls(certificates: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let chain: Vec<_> =
        CertificateDer::pem_file_iter(certificates).and_then(Iterator::collect).map_err(TlsError::Certificate)?;
    if chain.is_empty() {
        return Err(TlsError::Certificate(rustls::pki_types::pem::Error::NoItemsFound));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(TlsError::Key)?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Pair)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(TlsError::Pair)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn accepted_sockets_end_when_nobody_reads() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        cut_off_who_does_not_read(&listener).unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        assert_eq!(socket2::SockRef::from(&accepted).tcp_user_timeout().unwrap(), Some(UNREAD));
    }
}
