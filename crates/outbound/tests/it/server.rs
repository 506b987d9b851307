//! An HTTP server that writes down what it is asked, byte for byte, and answers as told.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use flate2::{Compression, write::GzEncoder};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use url::Url;

/// What to answer.
pub(crate) enum Answer {
    /// This status line and these headers, then the body.
    Whole(String, Vec<u8>),
    /// Nothing, with the connection kept open.
    Never,
    /// A head that promises more than comes before the connection closes.
    Torn,
}

impl Answer {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::Whole("HTTP/1.1 200 OK".to_owned(), body.into())
    }

    pub(crate) fn status(line: &str) -> Self {
        Self::Whole(format!("HTTP/1.1 {line}"), Vec::new())
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self::status(&format!("302 Found\r\nlocation: {to}"))
    }

    pub(crate) fn gzip(body: &[u8]) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body).unwrap();
        Self::Whole("HTTP/1.1 200 OK\r\ncontent-encoding: gzip".to_owned(), encoder.finish().unwrap())
    }
}

pub(crate) struct Server {
    base: Url,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers each request by its target (path and query).
    pub(crate) async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let (heads, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let seen = heads.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, seen.clone(), answer.clone()));
            }
        });
        Self { base, heads }
    }

    pub(crate) fn base(&self) -> Url {
        self.base.clone()
    }

    /// Heads of the requests so far, in order.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// Targets of the requests so far, in order.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.heads().iter().map(|head| head.split(' ').nth(1).unwrap().to_owned()).collect()
    }
}

async fn serve(
    mut stream: TcpStream,
    heads: Arc<Mutex<Vec<String>>>,
    answer: Arc<dyn Fn(&str) -> Answer + Send + Sync>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let answer = answer(head.split(' ').nth(1).unwrap());
    heads.lock().unwrap().push(head);
    // A client that has seen enough closes: writing may fail.
    let _ = match answer {
        Answer::Whole(head, body) => {
            let head = format!("{head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(&[head.into_bytes(), body].concat()).await
        }
        Answer::Torn => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{").await,
        Answer::Never => std::future::pending().await,
    };
}
