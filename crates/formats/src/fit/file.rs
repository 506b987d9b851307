//! The frame of a FIT file: header, messages with their definitions, checksum. Little-endian throughout.

use crc::{CRC_16_ARC, Crc};

const CHECKSUM: Crc<u16> = Crc::<u16>::new(&CRC_16_ARC);
const HEADER: u8 = 14;
/// 2.0.
const PROTOCOL: u8 = 0x20;
/// 20.84.
const PROFILE: u16 = 2084;
/// Marks the header of a definition.
const DEFINITION: u8 = 0x40;

/// The value of a field. The highest number of a type stands for "unknown".
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Enum(u8),
    U16(u16),
    U32(u32),
    I32(i32),
    /// In so many bytes: cut on a character's border, closed and filled with zeros.
    Text(&'a str, u8),
}

impl Value<'_> {
    /// Bytes, and the number of the type.
    const fn base(self) -> (u8, u8) {
        match self {
            Self::Enum(_) => (1, 0x00),
            Self::U16(_) => (2, 0x84),
            Self::U32(_) => (4, 0x86),
            Self::I32(_) => (4, 0x85),
            Self::Text(_, size) => (size, 0x07),
        }
    }

    fn write(self, to: &mut Vec<u8>) {
        match self {
            Self::Enum(value) => to.push(value),
            Self::U16(value) => to.extend(value.to_le_bytes()),
            Self::U32(value) => to.extend(value.to_le_bytes()),
            Self::I32(value) => to.extend(value.to_le_bytes()),
            Self::Text(text, size) => {
                let end = to.len() + usize::from(size);
                to.extend(&text.as_bytes()[..text.floor_char_boundary(usize::from(size) - 1)]);
                to.resize(end, 0);
            }
        }
    }
}

/// A file being written. Each kind of message always has the same fields: the first one defines them.
#[derive(Default)]
pub(super) struct File {
    defined: Vec<u16>,
    data: Vec<u8>,
}

impl File {
    /// Adds a message: its global number, and its fields by number.
    pub(super) fn message(&mut self, global: u16, fields: &[(u8, Value<'_>)]) {
        let known = self.defined.iter().position(|&other| other == global);
        let local = known.unwrap_or(self.defined.len()) as u8;
        if known.is_none() {
            self.defined.push(global);
            self.data.extend([DEFINITION | local, 0, 0]);
            self.data.extend(global.to_le_bytes());
            self.data.push(fields.len() as u8);
            for &(number, value) in fields {
                let (size, base) = value.base();
                self.data.extend([number, size, base]);
            }
        }
        self.data.push(local);
        fields.iter().for_each(|(_, value)| value.write(&mut self.data));
    }

    /// The whole file.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.data.len() + 16);
        file.extend([HEADER, PROTOCOL]);
        file.extend(PROFILE.to_le_bytes());
        file.extend((self.data.len() as u32).to_le_bytes());
        file.extend(b".FIT");
        file.extend(CHECKSUM.checksum(&file).to_le_bytes());
        file.extend(self.data);
        file.extend(CHECKSUM.checksum(&file).to_le_bytes());
        file
    }
}
