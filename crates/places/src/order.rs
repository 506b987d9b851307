//! Where words begin in a text, in alphabetical order.

/// Bytes of a beginning that are compared.
const KEY: usize = 8;

/// Places in a text, sorted by the first eight bytes there, up to a bar, and those with the same bytes by place. Only the
/// places are kept: four bytes each.
#[derive(Default)]
pub(crate) struct Order(Vec<u32>);

impl Order {
    /// The places behind each `mark`, but for those at the end of a line; `None` for a text beyond 4 GB.
    pub(crate) fn of(text: &str, mark: u8) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let bytes = text.as_bytes();
        let marks = bytes.windows(2).enumerate().filter(|(_, pair)| pair[0] == mark && pair[1] != b'\n');
        let mut keyed: Vec<(u64, u32)> = marks.map(|(at, _)| (key(&bytes[at + 1..], 0), at as u32 + 1)).collect();
        keyed.sort_unstable();
        Some(Self(keyed.into_iter().map(|(_, at)| at).collect()))
    }

    /// The places that may begin with `name`, or may be the `whole` of it: those whose first bytes are its.
    pub(crate) fn candidates(&self, text: &str, name: &str, whole: bool) -> &[u32] {
        let least = key(name.as_bytes(), 0);
        let most = if whole { least } else { key(name.as_bytes(), u8::MAX) };
        let key_at = |at: &u32| key(&text.as_bytes()[*at as usize..], 0);
        let start = self.0.partition_point(|at| key_at(at) < least);
        let end = self.0.partition_point(|at| key_at(at) <= most);
        &self.0[start..end]
    }
}

/// The first bytes of a name, up to a bar, as a number; `filler` stands for those that it does not have.
fn key(name: &[u8], filler: u8) -> u64 {
    let mut key = [filler; KEY];
    for (byte, letter) in key.iter_mut().zip(name.iter().take_while(|&&byte| byte != b'|')) {
        *byte = *letter;
    }
    u64::from_be_bytes(key)
}
