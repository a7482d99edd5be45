//! Two files that keep only what was synced, and any part of the rest.

use std::{
    io::{self, ErrorKind},
    sync::{Arc, Mutex},
};

use super::Dice;
use crate::disk::Disk;

const SECTOR: usize = 512;

/// A call that changes a file.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Sync,
    /// A sync with an error. The system drops unsynced writes, but reads still return them.
    FailedSync,
}

/// Kind of the calls that fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum On {
    /// Every call that changes a file.
    #[default]
    Change,
    Read,
    Sync,
}

/// The calls of both files in order: the number of the file, and the call.
pub(crate) type Calls = Arc<Mutex<Vec<(usize, Call)>>>;

/// Calls that fail.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Failure {
    /// Number of calls that succeed before the first failure.
    pub(crate) after: usize,
    pub(crate) kind: Option<ErrorKind>,
    pub(crate) once: bool,
    pub(crate) on: On,
}

/// The file of a store, or its log.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    number: usize,
    files: [Arc<Mutex<Vec<u8>>>; 2],
    pub(crate) calls: Calls,
    pub(crate) failure: Arc<Mutex<Failure>>,
}

impl Recorder {
    pub(crate) fn new([file, log]: [Vec<u8>; 2]) -> Self {
        let files = [file, log].map(|bytes| Arc::new(Mutex::new(bytes)));
        Self { number: 0, files, calls: Calls::default(), failure: Arc::default() }
    }

    /// Returns the content of both files, as after the end of the process.
    pub(crate) fn images(&self) -> [Vec<u8>; 2] {
        [0, 1].map(|number| self.files[number].lock().unwrap().clone())
    }

    fn bytes(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.files[self.number].lock().unwrap()
    }

    fn fail(&self, on: On) -> io::Result<()> {
        let mut failure = self.failure.lock().unwrap();
        if let Some(kind) = failure.kind.filter(|_| failure.on == on) {
            if failure.after == 0 {
                if failure.once {
                    failure.kind = None;
                }
                return Err(kind.into());
            }
            failure.after -= 1;
        }
        Ok(())
    }

    fn call(&self, call: Call) -> io::Result<()> {
        self.fail(On::Change)?;
        self.calls.lock().unwrap().push((self.number, call));
        Ok(())
    }
}

impl Disk for Recorder {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes().len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.fail(On::Read)?;
        let start = usize::try_from(offset).unwrap();
        let bytes = self.bytes();
        into.copy_from_slice(bytes.get(start..start + into.len()).ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        self.call(Call::Write(offset, from.to_vec()))?;
        let start = usize::try_from(offset).unwrap();
        self.bytes()[start..start + from.len()].copy_from_slice(from);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.call(Call::SetLen(len))?;
        self.bytes().resize(usize::try_from(len).unwrap(), 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        if let Err(error) = self.fail(On::Sync) {
            self.calls.lock().unwrap().push((self.number, Call::FailedSync));
            return Err(error);
        }
        self.call(Call::Sync)
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        (self.number == 0).then(|| Arc::new(Self { number: 1, ..self.clone() }) as Arc<dyn Disk>)
    }
}

/// Both files at one time: what was synced, and the calls since then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Platter {
    synced: [Vec<u8>; 2],
    unsynced: [Vec<Call>; 2],
}

/// Chances in percent of an unsynced sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chances {
    pub(crate) kept: u64,
    pub(crate) garbage: u64,
}

impl Platter {
    pub(crate) fn new(synced: [Vec<u8>; 2]) -> Self {
        Self { synced, ..Self::default() }
    }

    pub(crate) fn pass(&mut self, file: usize, call: &Call, dice: &mut Dice) {
        let kept = match call {
            Call::Sync => 100,
            Call::FailedSync => 50,
            Call::Write(..) | Call::SetLen(_) => return self.unsynced[file].push(call.clone()),
        };
        // The length of a file is in the journal of the file system, which is written later.
        let pending = std::mem::take(&mut self.unsynced[file]);
        for call in &pending {
            keep(&mut self.synced[file], call, Chances { kept, garbage: 0 }, dice);
        }
        let length = pending.into_iter().rfind(|call| kept < 100 && matches!(call, Call::SetLen(_)));
        self.unsynced[file].extend(length);
    }

    /// Returns the files after a power failure.
    pub(crate) fn cut(&self, chances: Chances, dice: &mut Dice) -> [Vec<u8>; 2] {
        [0, 1].map(|file| {
            let mut bytes = self.synced[file].clone();
            for call in &self.unsynced[file] {
                keep(&mut bytes, call, chances, dice);
            }
            bytes
        })
    }
}

fn keep(bytes: &mut Vec<u8>, call: &Call, chances: Chances, dice: &mut Dice) {
    match call {
        Call::Sync | Call::FailedSync => {}
        Call::SetLen(len) => {
            if dice.roll(100) < chances.kept {
                bytes.resize(usize::try_from(*len).unwrap(), 0);
            }
        }
        Call::Write(offset, content) => {
            let start = usize::try_from(*offset).unwrap();
            let end = start + content.len();
            for sector in (start / SECTOR * SECTOR..end).step_by(SECTOR) {
                let kept = dice.roll(100) < chances.kept;
                // A sector beyond the end exists only if the file was extended.
                let until = bytes.len().min(sector + SECTOR);
                if until <= sector {
                    continue;
                }
                if dice.roll(100) < chances.garbage {
                    bytes[sector..until].fill_with(|| u8::try_from(dice.roll(256)).unwrap());
                } else if kept {
                    let (from, until) = (sector.max(start), until.min(end));
                    bytes[from..until].copy_from_slice(&content[from - start..until - start]);
                }
            }
        }
    }
}
