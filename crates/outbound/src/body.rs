//! A body, read to its end within its cap: as it comes and as it is unpacked.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use reqwest::{Response, header::CONTENT_ENCODING};

use crate::FetchError;

/// What a server may pack a body in.
pub(crate) const ACCEPTED: &str = "gzip";

/// The body, unpacked. Neither what was received nor what it unpacks to is ever more than `cap` bytes.
pub(crate) async fn read(mut response: Response, cap: usize) -> Result<Vec<u8>, FetchError> {
    if response.content_length().is_some_and(|declared| declared > cap as u64) {
        return Err(FetchError::TooLarge);
    }
    let encoding = response.headers().get(CONTENT_ENCODING).map_or(&b"identity"[..], |value| value.as_bytes());
    let mut body = Body::new(encoding, cap)?;
    let mut received = 0;
    while let Some(chunk) = response.chunk().await? {
        received += chunk.len();
        if received > cap {
            return Err(FetchError::TooLarge);
        }
        body.add(&chunk)?;
    }
    body.finish()
}

enum Body {
    Plain(Capped),
    Gzip(Box<MultiGzDecoder<Capped>>),
}

impl Body {
    fn new(encoding: &[u8], cap: usize) -> Result<Self, FetchError> {
        let capped = Capped { bytes: Vec::new(), cap };
        match encoding.to_ascii_lowercase().as_slice() {
            b"identity" | b"" => Ok(Self::Plain(capped)),
            b"gzip" | b"x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(capped)))),
            _ => Err(FetchError::Garbled),
        }
    }

    fn add(&mut self, chunk: &[u8]) -> Result<(), FetchError> {
        match self {
            Self::Plain(bytes) => bytes.write_all(chunk),
            Self::Gzip(decoder) => decoder.write_all(chunk),
        }
        .map_err(|err| unpacking(&err))
    }

    fn finish(self) -> Result<Vec<u8>, FetchError> {
        match self {
            Self::Plain(capped) => Ok(capped.bytes),
            Self::Gzip(decoder) => decoder.finish().map(|capped| capped.bytes).map_err(|err| unpacking(&err)),
        }
    }
}

fn unpacking(err: &io::Error) -> FetchError {
    match err.kind() {
        io::ErrorKind::FileTooLarge => FetchError::TooLarge,
        _ => FetchError::Garbled,
    }
}

/// Grows to its cap and no further.
struct Capped {
    bytes: Vec<u8>,
    cap: usize,
}

impl Write for Capped {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + more.len() > self.cap {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
