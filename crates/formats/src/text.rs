//! Bytes of a text file, in whatever encoding, as text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far into a file an XML declaration may reach.
const DECLARATION: usize = 256;

/// The text of an XML file: by its byte order mark, else by its first bytes (UTF-16 has zeros in them), else by its
/// declaration, else UTF-8. What cannot be decoded becomes U+FFFD: a broken title must not cost the route.
pub(crate) fn decode_xml(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = match bytes {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        // A file whose declaration was read as ASCII cannot be UTF-16, whatever the declaration says.
        _ => declared(bytes).filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8),
    };
    encoding.decode(bytes).0 // prefers a byte order mark, and leaves it out
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head =
        std::str::from_utf8(bytes.get(..DECLARATION.min(bytes.len()))?.split(|&byte| byte == b'>').next()?).ok()?;
    let value = head.strip_prefix("<?xml")?.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Encoding::for_label(value[1..].split(quote).next()?.as_bytes())
}
