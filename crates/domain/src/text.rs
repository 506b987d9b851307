//! Text of strangers: what is kept of it.

use btp_kernel::text::clean;

use crate::Refusal;

/// Characters of a label before it is cut.
const LONGEST_LABEL: usize = 200;

/// `text` as a name: clean, single spaces, none around it. `None` when nothing is left.
pub(crate) fn name(text: &str) -> Option<String> {
    Some(clean(text).split_whitespace().collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
}

/// `text` as the [`name`] that a caller gives a trip.
///
/// # Errors
/// Nothing is left of it.
pub(crate) fn title(text: &str) -> Result<String, Refusal> {
    name(text).ok_or_else(|| Refusal::Invalid("\"title\" must not be empty.".to_owned()))
}

/// `text` as a [`name`] of at most 200 characters and "…": what a stranger calls something.
pub(crate) fn label(text: &str) -> Option<String> {
    let mut name = name(text)?;
    if let Some((end, _)) = name.char_indices().nth(LONGEST_LABEL) {
        name.truncate(end);
        name.truncate(name.trim_end().len());
        name.push('…');
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_names() {
        assert_eq!(label("  Loire \n\n by  bike ").as_deref(), Some("Loire by bike"));
        assert_eq!((label(" \u{202e}\t "), name(" \u{202e}\t ")), (None, None));
        let long = label(&"é".repeat(201)).unwrap();
        assert_eq!((long.chars().count(), long.ends_with("é…")), (201, true));
        assert_eq!(label(&"é".repeat(200)).unwrap().chars().count(), 200);
        assert_eq!(name(&"é".repeat(255)).unwrap().chars().count(), 255, "a person's own words are not cut");
    }
}
