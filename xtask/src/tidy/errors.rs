//! An error's text does not repeat its source: whoever logs the chain prints both.

use super::File;

/// Finds `#[error("…{source}…")]` above a field marked `#[source]` or `#[from]`.
pub(super) fn repeated_source(file: &File, broken: &mut Vec<String>) {
    const MARK: &str = concat!("#[error", "(");
    for (at, _) in file.text.match_indices(MARK) {
        let after = &file.text[at + MARK.len()..];
        let Some((message, rest)) = after.split_once(")]") else { continue };
        let item = item(rest);
        let repeated = fields(item).any(|(name, is_source)| {
            is_source && (message.contains(&format!("{{{name}}}")) || message.contains(&format!("{{{name}:")))
        });
        if repeated {
            let line = file.text[..at].lines().count() + 1;
            broken.push(format!("{}:{line}: the text of the error repeats its source", file.path));
        }
    }
}

/// The variant or struct that begins `text`: up to the end of its first group of fields.
fn item(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' | '{' => depth += 1,
            ')' | '}' if depth > 1 => depth -= 1,
            ')' | '}' => return &text[..at],
            ',' | ';' if depth == 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Names of the fields of an item (numbers in a tuple), and whether each is the source.
fn fields(item: &str) -> impl Iterator<Item = (String, bool)> {
    let begin = item.find(['(', '{']).map_or(item.len(), |at| at + 1);
    let is_tuple = item[..begin].ends_with('(');
    item[begin..].split(",").enumerate().map(move |(index, field)| {
        let declared = field.rsplit(['\n', ']']).find_map(|part| part.split_once(':'));
        let name = match declared {
            Some((name, _)) if !is_tuple => name.trim().trim_start_matches("pub ").to_owned(),
            _ => index.to_string(),
        };
        let is_source = field.contains("#[source]") || field.contains("#[from]") || name == "source";
        (name, is_source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(item: &str) -> usize {
        let mut broken = Vec::new();
        let text = format!("enum E {{\n    {item},\n    /// Next.\n    Other(u8),\n}}\n");
        repeated_source(&File { path: "e.rs".to_owned(), text }, &mut broken);
        broken.len()
    }

    #[test]
    fn a_repeated_source_is_found() {
        assert_eq!(findings(concat!("#[error", "(\"no: {0}\")]\n    No(#[source] Io)")), 1);
        assert_eq!(findings(concat!("#[error", "(\"no: {1:?}\")]\n    No(String, #[from] Io)")), 1);
        assert_eq!(findings(concat!("#[error", "(\"no: {source}\")]\n    No { at: u8, source: Io }")), 1);
        assert_eq!(findings(concat!("#[error", "(\"no: {why}\")]\n    No { /// Why.\n #[source] why: Io }")), 1);
    }

    #[test]
    fn a_text_beside_its_source_is_fine() {
        assert_eq!(findings(concat!("#[error", "(\"no {0}\")]\n    No(String, #[source] Io)")), 0);
        assert_eq!(findings(concat!("#[error", "(transparent)]\n    No(#[from] Io)")), 0);
        assert_eq!(findings(concat!("#[error", "(\"at {at}\")]\n    No { at: u8, #[source] why: Io }")), 0);
    }
}
