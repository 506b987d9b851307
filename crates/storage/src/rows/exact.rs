//! Numbers in JSON as text: that comes back bit by bit, which a JSON number need not.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A number that may be unknown.
pub(crate) trait Number: Sized {
    fn text(&self) -> Option<String>;
    fn of(text: Option<&str>) -> Option<Self>;
}

impl Number for f64 {
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn of(text: Option<&str>) -> Option<Self> {
        text?.parse().ok()
    }
}

impl Number for Option<f64> {
    fn text(&self) -> Option<String> {
        self.map(|number| number.to_string())
    }

    fn of(text: Option<&str>) -> Option<Self> {
        match text {
            Some(text) => text.parse().ok().map(Some),
            None => Some(None),
        }
    }
}

pub(crate) fn serialize<T: Number, S: Serializer>(number: &T, out: S) -> Result<S::Ok, S::Error> {
    number.text().serialize(out)
}

pub(crate) fn deserialize<'de, T: Number, D: Deserializer<'de>>(input: D) -> Result<T, D::Error> {
    let text = Option::<String>::deserialize(input)?;
    T::of(text.as_deref()).ok_or_else(|| D::Error::custom("no number"))
}
