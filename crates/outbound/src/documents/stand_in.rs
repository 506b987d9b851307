//! A TLS server that counts connections, writes down what it is asked, and answers as told.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rcgen::{CertificateParams, KeyPair};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer},
};

/// The names on the certificate.
const NAMES: [&str; 7] =
    ["agent.example.org", "claude.ai", "chatgpt.com", "vscode.dev", "zed.dev", "opencode.ai", "apify.github.io"];

/// What to answer, piece by piece; the connection closes after the last.
pub(super) struct Answer {
    pub(super) pieces: Vec<Vec<u8>>,
    /// After each piece.
    pub(super) gap: Duration,
}

impl Answer {
    pub(super) fn whole(head: &str, body: impl AsRef<[u8]>) -> Self {
        let head = format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n");
        Self { pieces: vec![[head.as_bytes(), body.as_ref()].concat()], gap: Duration::ZERO }
    }
}

pub(super) struct Server {
    port: u16,
    root: reqwest::Certificate,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    accepted: AtomicUsize,
    heads: Mutex<Vec<String>>,
}

impl Server {
    /// Answers each request by its host and target.
    pub(super) async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let key = KeyPair::generate().unwrap();
        let names = NAMES.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let certificate = CertificateParams::new(names).unwrap().self_signed(&key).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, answer, tls) = (Arc::<Seen>::default(), Arc::new(answer), TlsAcceptor::from(Arc::new(config)));
        let root = reqwest::Certificate::from_der(certificate.der()).unwrap();
        let server = Self { port, root, seen: Arc::clone(&seen) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                seen.accepted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, tls.clone(), Arc::clone(&seen), Arc::clone(&answer)));
            }
        });
        server
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn root(&self) -> reqwest::Certificate {
        self.root.clone()
    }

    /// Connections so far.
    pub(super) fn accepted(&self) -> usize {
        self.seen.accepted.load(Ordering::SeqCst)
    }

    /// Heads of the requests so far.
    pub(super) fn heads(&self) -> Vec<String> {
        self.seen.heads.lock().unwrap().clone()
    }
}

async fn serve(
    stream: TcpStream,
    tls: TlsAcceptor,
    seen: Arc<Seen>,
    answer: Arc<impl Fn(&str) -> Answer + Send + Sync + 'static>,
) {
    let Ok(mut stream) = tls.accept(stream).await else { return };
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let answer = answer(&format!("{host}{}", head.split(' ').nth(1).unwrap()));
    seen.heads.lock().unwrap().push(head);
    for piece in answer.pieces {
        // A client that has seen enough closes.
        if stream.write_all(&piece).await.is_err() || stream.flush().await.is_err() {
            return;
        }
        sleep(answer.gap).await;
    }
    let _ = stream.shutdown().await;
}
