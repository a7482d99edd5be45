use super::Bytes;

/// A part of a disk. Each is synced by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The file of the store.
    #[default]
    File,
    /// Its log.
    Log,
}

/// The bytes of a disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// The file of the store.
    pub file: Bytes,
    /// Its log; empty if it does not exist.
    pub log: Bytes,
}

impl Image {
    /// Returns the bytes of a part.
    #[must_use]
    pub fn part(&self, part: Part) -> &Bytes {
        match part {
            Part::File => &self.file,
            Part::Log => &self.log,
        }
    }

    /// Returns the bytes of a part.
    pub fn part_mut(&mut self, part: Part) -> &mut Bytes {
        match part {
            Part::File => &mut self.file,
            Part::Log => &mut self.log,
        }
    }

    /// Returns whether neither part exists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.file.is_empty() && self.log.is_empty()
    }

    /// Returns the number of bytes of both parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.file.len() + self.log.len()
    }
}

impl From<&[u8]> for Image {
    fn from(bytes: &[u8]) -> Self {
        Self { file: bytes.into(), log: Bytes::default() }
    }
}
