//! The floor under every text of strangers: it is data, so nothing in it may move a cursor or turn a line.

use std::borrow::Cow;

/// `text` with a line break, tab, U+2028 and U+2029 as one space each, and without any other control character (Unicode
/// Cc) or bidirectional control (UAX #9). Nothing else changes.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unwanted) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => out.push(' '),
            _ if is_unwanted(char) => {}
            _ => out.push(char),
        }
    }
    Cow::Owned(out)
}

fn is_unwanted(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{2028}' | '\u{2029}' | '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_could_mislead_goes_and_the_rest_stays() {
        assert_eq!(clean("a\0b\u{7f}c\u{9f}d\u{202e}e\u{2066}f\u{061c}g\u{200f}"), "abcdefg");
        assert_eq!(clean("a\r\nb\tc\u{2028}d\ne\rf"), "a b c d e f");
        assert_eq!(clean("\u{1b}[2Jx"), "[2Jx");
        for kept in ["  <b> “é” 👩\u{200d}🚴  ", "e\u{301}", "\u{a0}", "Col de l'Éclair 🚲"] {
            assert_eq!(clean(kept), kept, "joiners are part of words and emoji");
        }
    }
}
