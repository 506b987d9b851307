//! Text of strangers: what is kept of it.

/// Characters of a label before it is cut.
const LONGEST_LABEL: usize = 200;

/// `text` without control characters and without those that turn the reading direction; line breaks and tabs become one
/// space. Nothing else changes.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => out.push(' '),
            _ if char.is_control() || turns_direction(char) => {}
            _ => out.push(char),
        }
    }
    out
}

/// `text` as a name: plain, single spaces, none around it, at most 200 characters and "…". `None` when nothing is left.
pub fn label(text: &str) -> Option<String> {
    let mut name = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = name.char_indices().nth(LONGEST_LABEL) {
        name.truncate(end);
        name.truncate(name.trim_end().len());
        name.push('…');
    }
    (!name.is_empty()).then_some(name)
}

/// The bidirectional controls of Unicode (UAX #9).
fn turns_direction(char: char) -> bool {
    matches!(char, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_mislead_goes_and_the_rest_stays() {
        assert_eq!(plain("a\0b\u{7f}c\u{9f}d\u{202e}e\u{2066}f\u{061c}g"), "abcdefg");
        assert_eq!(plain("a\r\nb\tc\u{2028}d\ne"), "a b c d e");
        for kept in ["  <b> “é” 👩\u{200d}🚴  ", "e\u{301}", "\u{a0}"] {
            assert_eq!(plain(kept), kept);
        }
    }

    #[test]
    fn labels_are_names() {
        assert_eq!(label("  Loire \n\n by  bike ").as_deref(), Some("Loire by bike"));
        assert_eq!(label(" \u{202e}\t "), None);
        let long = label(&"é".repeat(201)).unwrap();
        assert_eq!((long.chars().count(), long.ends_with("é…")), (201, true));
        assert_eq!(label(&"é".repeat(200)).unwrap().chars().count(), 200);
    }
}
