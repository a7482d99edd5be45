//! Random damage to the bytes of a closed file.

use std::str::FromStr;

use table_store::{
    BlockingStore, Durability, Entity, OpenError, OpenOptions, Operation, TableError, TableName,
};

use crate::reliability::{
    Contents, Seed, SimClock, SimDisk, Violation, disk::SECTOR, history, violation::without_panic,
};

/// Size of an engine page in bytes.
const PAGE: usize = 4096;

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rot {
    /// One bit is flipped.
    Bit(usize),
    /// A sector is zeros.
    Zeros(usize),
    /// A block contains another block: a misdirected write.
    Astray {
        /// Size of a block in bytes: a sector, or a page.
        size: usize,
        /// The block that was overwritten.
        onto: usize,
        /// The block whose content was written.
        from: usize,
    },
}

impl Rot {
    /// Returns damage to a file of this size. Half of it is near the start, which contains the references to the rest.
    pub fn of(seed: &mut Seed, bytes: usize) -> Self {
        let end = if seed.chance(1, 2) { bytes } else { bytes.min(64 * 1024) };
        match seed.below(4) {
            0 => Self::Zeros(seed.below(end / SECTOR)),
            1 => {
                let size = if seed.chance(1, 2) { SECTOR } else { PAGE };
                Self::Astray { size, onto: seed.below(end / size), from: seed.below(bytes / size) }
            }
            _ => Self::Bit(seed.below(end * 8)),
        }
    }

    /// Applies the damage.
    pub fn act(self, bytes: &mut [u8]) {
        let block = |number: usize, size: usize| number * size..(number + 1) * size;
        match self {
            Self::Bit(bit) => {
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Self::Zeros(number) => bytes.get_mut(block(number, SECTOR)).unwrap_or_default().fill(0),
            Self::Astray { size, onto, from } => {
                let content = bytes.get(block(from, size)).unwrap_or_default().to_vec();
                for (place, byte) in
                    bytes.get_mut(block(onto, size)).unwrap_or_default().iter_mut().zip(content)
                {
                    *place = byte;
                }
            }
        }
    }
}

/// The result of damage to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The file was rejected when it was opened.
    Refused,
    /// A read reported the damage.
    Reported,
    /// All data was read correctly.
    Harmless,
    /// The returned data was correct, but some was missing without a report.
    Hidden,
}

impl FromStr for Fate {
    type Err = String;

    /// Parses the output of `Debug`; any other text is the error.
    fn from_str(text: &str) -> Result<Self, String> {
        let fates = [Self::Refused, Self::Reported, Self::Harmless, Self::Hidden];
        fates.into_iter().find(|fate| format!("{fate:?}") == text).ok_or_else(|| text.to_owned())
    }
}

/// Prints the results of `count` unverified files, one line each, and the details of each violation.
///
/// # Errors
/// Returns a violation if the store to damage cannot be created.
pub fn print_fates(first: u64, count: u64) -> Result<(), Violation> {
    let specimen = Specimen::new(false)?;
    for seed in first..first.saturating_add(count) {
        match specimen.decay(seed) {
            Ok(fate) => println!("{fate:?}"),
            Err(broken) => println!("seed {seed}: {}", broken.replace('\n', " ")),
        }
    }
    Ok(())
}

/// A closed file, and its contents.
#[derive(Debug)]
pub struct Specimen {
    bytes: Vec<u8>,
    contents: Contents,
    verify_up_to: u64,
}

fn fill(store: &BlockingStore) -> Result<(), TableError> {
    for table in ["Staff", "Orders", "Empty"] {
        store.create_table(&table.parse()?)?;
    }
    for (table, partition) in [("Staff", "Sales"), ("Staff", "Law"), ("Orders", "2026")] {
        let table: TableName = table.parse()?;
        let row = |number: i32| {
            Entity::new(partition, format!("{number:04}"))
                .with("Number", number)
                .with("Text", format!("{partition} {number} ").repeat(12))
        };
        let rows: Vec<_> = (0..300).map(|number| Operation::Insert(row(number))).collect();
        rows.chunks(100).try_for_each(|part| store.transact(&table, part).map(drop))?;
    }
    Ok(())
}

impl Specimen {
    /// Creates a closed store of 900 rows. It will be opened with complete verification, or with none.
    ///
    /// # Errors
    /// Returns a violation if the store cannot be written or closed.
    pub fn new(verified: bool) -> Result<Self, Violation> {
        let disk = SimDisk::default();
        let store =
            history::options(&SimClock::default(), Durability::Full).open_disk(disk.clone())?.blocking();
        fill(&store).map_err(Violation::failed("filling the store"))?;
        let contents = Contents::of(&store).map_err(Violation::failed("reading"))?;
        store.close().map_err(Violation::failed("closing"))?;
        let verify_up_to = if verified { u64::MAX } else { 0 };
        Ok(Self { bytes: disk.bytes(), contents, verify_up_to })
    }

    /// Damages the file according to the seed.
    ///
    /// # Errors
    /// Returns the description of a violation.
    pub fn decay(&self, seed: u64) -> Result<Fate, String> {
        let rot = Rot::of(&mut Seed::new(seed), self.size());
        self.suffer(rot).map_err(|violation| format!("{rot:?}: {violation}"))
    }

    /// Returns the size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Opens and reads the damaged file, and scrubs it. Wrong data, panics, and damage that a scrub does not find are
    /// violations.
    ///
    /// # Errors
    /// Returns a violation for wrong data, a panic, or damage that a scrub does not find.
    pub fn suffer(&self, rot: Rot) -> Result<Fate, Violation> {
        let mut bytes = self.bytes.clone();
        rot.act(&mut bytes);
        let fate = without_panic("opening a decayed file", || self.open(&bytes))?;
        let sound = without_panic("scrubbing a decayed file", || is_called_sound(&bytes))?;
        if sound && fate != Fate::Harmless {
            return Err(Violation::Visible {
                what: format!("a scrub finds nothing, but the file is {fate:?}"),
            });
        }
        Ok(fate)
    }

    fn open(&self, bytes: &[u8]) -> Result<Fate, Violation> {
        let options: OpenOptions = history::options(&SimClock::default(), Durability::Full);
        let disk = SimDisk::with_bytes(bytes);
        let store = match options.verify_up_to(self.verify_up_to).open_disk(disk.clone()) {
            Ok(store) => store.blocking(),
            Err(_) if disk.bytes() == bytes => return Ok(Fate::Refused),
            Err(error) => return Err(Violation::Visible { what: format!("refused, but changed: {error}") }),
        };
        let mut fate = Fate::Harmless;
        for (name, table) in &self.contents.tables {
            let name = TableName::new(name.as_str()).map_err(Violation::failed("naming"))?;
            for (key, row) in table.rows.iter().step_by(7) {
                match store.get(&name, &key.0, &key.1, None) {
                    Ok(Some(found)) if found == *row => {}
                    Ok(Some(found)) => {
                        return Err(Violation::Visible { what: format!("wrong data: {found:?}") });
                    }
                    Ok(None) => fate = Fate::Hidden,
                    Err(_) => return Ok(Fate::Reported),
                }
            }
        }
        match Contents::of(&store) {
            Ok(found) if found == self.contents => Ok(fate),
            Ok(found) if is_part(&found, &self.contents) => Ok(Fate::Hidden),
            Ok(found) => {
                Err(Violation::Visible { what: format!("wrong data: {}", found.difference(&self.contents)) })
            }
            Err(_) => Ok(Fate::Reported),
        }
    }
}

/// Returns whether a scrub finds no damage. It must not change the file.
fn is_called_sound(bytes: &[u8]) -> Result<bool, Violation> {
    let disk = SimDisk::with_bytes(bytes);
    let scrubbed = history::options(&SimClock::default(), Durability::Full).scrub_disk(disk.clone());
    if disk.bytes() != bytes {
        return Err(Violation::Visible { what: "a scrub changed the file".to_owned() });
    }
    match scrubbed {
        Ok(report) => Ok(report.is_sound()),
        Err(OpenError::NotOurs { .. } | OpenError::Newer { .. } | OpenError::UnknownFeatures { .. }) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns whether all found data is correct.
fn is_part(found: &Contents, whole: &Contents) -> bool {
    found.tables.iter().all(|(name, table)| {
        whole
            .tables
            .get(name)
            .is_some_and(|original| table.rows.iter().all(|(key, row)| original.rows.get(key) == Some(row)))
    })
}
