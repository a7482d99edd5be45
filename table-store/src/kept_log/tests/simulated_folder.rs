//! A folder that keeps only what was synced, and any part of the rest.

use std::{
    collections::BTreeMap,
    io::{self, ErrorKind},
    sync::{Arc, Mutex, MutexGuard},
};

use super::super::folder::Folder;
use crate::{
    Disk,
    engine::logged_tests::{
        Dice,
        platter::{Call, Calls, Chances, Failure, Platter},
    },
};

/// A call that changes a folder, or a file by its number.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Create(String, usize),
    Remove(String),
    Sync,
    File(usize, Call),
}

#[derive(Debug, Default)]
struct State {
    names: BTreeMap<String, usize>,
    files: Vec<Vec<u8>>,
    /// The calls, each with the number of calls of the disks before it.
    events: Vec<(usize, Event)>,
    failure: Failure,
    has_failed: bool,
}

/// A folder in memory that records its calls. Its order with the calls of the disks of a store is known.
#[derive(Clone, Debug)]
pub(super) struct SimulatedFolder {
    state: Arc<Mutex<State>>,
    disks: Calls,
}

impl SimulatedFolder {
    pub(super) fn new(disks: Calls, files: BTreeMap<String, Vec<u8>>) -> Self {
        let (names, files): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let names = names.into_iter().zip(0..).collect();
        Self { state: Arc::new(Mutex::new(State { names, files, ..State::default() })), disks }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Sets the calls that fail, reads included.
    pub(super) fn fail(&self, failure: Failure) {
        let mut state = self.state();
        (state.failure, state.has_failed) = (failure, false);
    }

    /// Returns whether a call has failed since the last [`fail`](Self::fail).
    pub(super) fn has_failed(&self) -> bool {
        self.state().has_failed
    }

    pub(super) fn events(&self) -> Vec<(usize, Event)> {
        self.state().events.clone()
    }

    /// Returns the content of all files, as after the end of the process.
    pub(super) fn image(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.state();
        state.names.iter().map(|(name, file)| (name.clone(), state.files[*file].clone())).collect()
    }

    /// Starts a call. A failed sync of a file is recorded.
    fn call(&self, event: Option<Event>) -> io::Result<MutexGuard<'_, State>> {
        let disks = self.disks.lock().unwrap().len();
        let mut state = self.state();
        let failed = state.failure.kind.filter(|_| state.failure.after == 0);
        let event = match (event, failed) {
            (Some(Event::File(file, Call::Sync)), Some(_)) => Some(Event::File(file, Call::FailedSync)),
            (_, Some(_)) => None,
            (event, None) => event,
        };
        state.events.extend(event.map(|event| (disks, event)));
        if let Some(kind) = failed {
            state.has_failed = true;
            if state.failure.once {
                state.failure.kind = None;
            }
            return Err(kind.into());
        }
        state.failure.after = state.failure.after.saturating_sub(1);
        Ok(state)
    }

    fn file(&self, name: &str) -> io::Result<usize> {
        self.state().names.get(name).copied().ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn handle(&self, file: usize) -> Arc<dyn Disk> {
        Arc::new(File { folder: self.clone(), file })
    }
}

impl Folder for SimulatedFolder {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.call(None)?.names.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = self.file(name)?;
        Ok(self.call(None)?.files[file].clone())
    }

    fn len(&self, name: &str) -> io::Result<u64> {
        let file = self.file(name)?;
        Ok(self.call(None)?.files[file].len() as u64)
    }

    fn open_to_read(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        self.open(name)
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        let file = self.file(name)?;
        drop(self.call(None)?);
        Ok(self.handle(file))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        if let Ok(file) = self.file(name) {
            let handle = self.handle(file);
            handle.set_len(0)?;
            return Ok(handle);
        }
        let file = self.state().files.len();
        let mut state = self.call(Some(Event::Create(name.to_owned(), file)))?;
        state.files.push(Vec::new());
        state.names.insert(name.to_owned(), file);
        drop(state);
        Ok(self.handle(file))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.file(name)?;
        self.call(Some(Event::Remove(name.to_owned())))?.names.remove(name);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.call(Some(Event::Sync)).map(drop)
    }
}

#[derive(Debug)]
struct File {
    folder: SimulatedFolder,
    file: usize,
}

impl Disk for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.folder.state().files[self.file].len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let state = self.folder.call(None)?;
        let start = usize::try_from(offset).unwrap();
        let bytes = state.files[self.file].get(start..start + into.len()).ok_or(ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(bytes);
        Ok(())
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let end = offset + bytes.len() as u64;
        let write = |state: &mut State| {
            let start = usize::try_from(offset).unwrap();
            state.files[self.file][start..start + bytes.len()].copy_from_slice(bytes);
        };
        let extends = end > self.len()?;
        let mut state =
            self.folder.call(Some(Event::File(self.file, Call::Write(offset, bytes.to_vec()))))?;
        if extends {
            // One call of the system, which extends the file first.
            let (disks, written) = state.events.pop().unwrap();
            state.events.push((disks, Event::File(self.file, Call::SetLen(end))));
            state.events.push((disks, written));
            state.files[self.file].resize(usize::try_from(end).unwrap(), 0);
        }
        write(&mut state);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.folder.call(Some(Event::File(self.file, Call::SetLen(len))))?;
        state.files[self.file].resize(usize::try_from(len).unwrap(), 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.folder.call(Some(Event::File(self.file, Call::Sync))).map(drop)
    }
}

/// A folder at one time: what was synced, and the calls since then.
#[derive(Debug, Default)]
pub(super) struct FolderPlatter {
    names: BTreeMap<String, usize>,
    unsynced: Vec<Event>,
    files: BTreeMap<usize, Platter>,
}

impl FolderPlatter {
    pub(super) fn pass(&mut self, event: &Event, dice: &mut Dice) {
        match event {
            Event::File(file, call) => self.files.entry(*file).or_default().pass(0, call, dice),
            Event::Create(..) | Event::Remove(_) => self.unsynced.push(event.clone()),
            Event::Sync => {
                for event in std::mem::take(&mut self.unsynced) {
                    keep(&mut self.names, &event);
                }
            }
        }
    }

    /// Returns the files after a power failure.
    pub(super) fn cut(&self, chances: Chances, dice: &mut Dice) -> BTreeMap<String, Vec<u8>> {
        let mut names = self.names.clone();
        for event in &self.unsynced {
            if dice.roll(100) < chances.kept {
                keep(&mut names, event);
            }
        }
        let mut content = |file: usize| {
            let platter = self.files.get(&file)?;
            let [content, _] = platter.cut(chances, dice);
            Some(content)
        };
        names.into_iter().map(|(name, file)| (name, content(file).unwrap_or_default())).collect()
    }
}

fn keep(names: &mut BTreeMap<String, usize>, event: &Event) {
    match event {
        Event::Create(name, file) => drop(names.insert(name.clone(), *file)),
        Event::Remove(name) => drop(names.remove(name)),
        Event::Sync | Event::File(..) => {}
    }
}
