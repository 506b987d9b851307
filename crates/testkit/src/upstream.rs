//! An HTTP server on loopback in the place of a service: it writes down what it is asked, byte for byte, and answers as
//! told.

pub mod faults;
pub mod shapes;

use std::{
    io::{self, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use btp_domain::SourceKind;
use flate2::{Compression, write::GzEncoder};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// What to answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A status line and headers, then a body of declared length.
    Whole(String, Vec<u8>),
    /// The same, but only the end of the connection says how long the body is.
    Undeclared(String, Vec<u8>),
    /// Nothing, with the connection kept open.
    Never,
    /// A head, then a byte of the body now and then.
    Drip,
    /// A head that promises more than comes before the connection closes.
    Torn,
}

impl Answer {
    /// 200 with this body.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::Whole("200 OK".to_owned(), body.into())
    }

    /// This status line, and headers when it has several lines, without a body.
    pub fn status(line: &str) -> Self {
        Self::Whole(line.to_owned(), Vec::new())
    }

    /// A redirect.
    pub fn redirect(to: &str) -> Self {
        Self::status(&format!("302 Found\r\nlocation: {to}"))
    }

    /// 200 with this body, packed.
    pub fn gzip(body: &[u8]) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let packed = encoder.write_all(body).and_then(|()| encoder.finish());
        Self::Whole("200 OK\r\ncontent-encoding: gzip".to_owned(), packed.unwrap_or_default())
    }
}

type Answers = Arc<dyn Fn(&str) -> Answer + Send + Sync>;

/// A running server; it ends with the runtime.
pub struct Upstream {
    base: String,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    accepted: AtomicUsize,
    heads: Mutex<Vec<String>>,
}

impl Upstream {
    /// Answers each request by its target (path and query).
    ///
    /// # Errors
    /// No free port.
    pub async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base = format!("http://{}", listener.local_addr()?);
        let (seen, answers) = (Arc::new(Seen::default()), Arc::new(answer) as Answers);
        let noted = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                noted.accepted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, noted.clone(), answers.clone()));
            }
        });
        Ok(Self { base, seen })
    }

    /// Its address, without a trailing slash.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Connections so far.
    pub fn accepted(&self) -> usize {
        self.seen.accepted.load(Ordering::SeqCst)
    }

    /// Heads of the requests so far, in order.
    pub fn heads(&self) -> Vec<String> {
        self.seen.heads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Targets of the requests so far, in order.
    pub fn targets(&self) -> Vec<String> {
        self.heads().iter().filter_map(|head| head.split(' ').nth(1).map(str::to_owned)).collect()
    }
}

async fn serve(mut stream: TcpStream, seen: Arc<Seen>, answers: Answers) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let answer = answers(head.split(' ').nth(1).unwrap_or_default());
    seen.heads.lock().unwrap_or_else(PoisonError::into_inner).push(head);
    match answer {
        Answer::Whole(status, body) => {
            let length = format!("content-length: {}\r\n", body.len());
            stream.write_all(&[head_of(&status, &length), body].concat()).await
        }
        Answer::Undeclared(status, body) => stream.write_all(&[head_of(&status, ""), body].concat()).await,
        Answer::Torn => stream.write_all(&head_of("200 OK", "content-length: 100\r\n")).await,
        Answer::Never => std::future::pending().await,
        Answer::Drip => {
            stream.write_all(&head_of("200 OK", "content-length: 1000000\r\n")).await?;
            loop {
                stream.write_all(b" ").await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

fn head_of(status: &str, length: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{length}connection: close\r\n\r\n").into_bytes()
}

/// What a target asks for: the kind of source and the number.
pub fn asked(target: &str) -> Option<(SourceKind, u64)> {
    let path = target.split('?').next()?;
    let (folder, rest) = path.trim_start_matches('/').split_once('/')?;
    let (kind, id) = match (folder, rest) {
        ("tour" | "smarttour", id) => (SourceKind::KomootTour, id),
        ("collection", id) => (SourceKind::KomootCollection, id),
        ("routes", rest) => match rest.strip_suffix(".json") {
            Some(id) => (SourceKind::RideWithGps, id),
            None => (SourceKind::StravaRoute, rest.strip_suffix("/export_gpx")?),
        },
        _ => return None,
    };
    Some((kind, id.parse().ok()?))
}

/// The target at which a service of this kind has this number.
pub fn target(kind: SourceKind, id: u64) -> String {
    match kind {
        SourceKind::KomootTour => format!("/tour/{id}"),
        SourceKind::KomootCollection => format!("/collection/{id}"),
        SourceKind::RideWithGps => format!("/routes/{id}.json"),
        SourceKind::StravaRoute | SourceKind::GpxUpload => format!("/routes/{id}/export_gpx"),
    }
}

/// All services in one: numbers of [`faults`] fail as the table says, every other is a good route; the API behind the pages
/// has nothing.
pub fn world(target: &str) -> Answer {
    match asked(target) {
        Some((kind, id)) => faults::answer(kind, id).unwrap_or_else(|| good(kind, id)),
        None if target == "/login" => Answer::ok(shapes::LOGIN_PAGE),
        None => Answer::status("404 Not Found"),
    }
}

fn good(kind: SourceKind, id: u64) -> Answer {
    Answer::ok(match kind {
        SourceKind::KomootCollection => shapes::komoot_collection_page(&[10 * id + 1, 10 * id + 2, 10 * id + 3]),
        _ => shapes::body(kind, &shapes::track(50)),
    })
}
