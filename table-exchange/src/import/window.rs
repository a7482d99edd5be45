use std::{
    collections::{HashMap, HashSet},
    io::{self, BufRead},
};

use table_model::{Capabilities, Entity, Operation, limits::TRANSACTION_OPERATIONS};

use super::Mode;
use crate::{Broken, Line, Place, Reader};

/// Maximum number of lines of a window.
const LINES: usize = 10_000;
/// Size of the entities at which a window is full, in bytes.
const BYTES: usize = 16 << 20;

/// Consecutive lines of a file, grouped into transactions. A window contains each key at most once, so its transactions
/// can run concurrently and in any order. Windows must be written in sequence; the last line of a key therefore wins.
#[derive(Debug)]
pub struct Window {
    /// The lines that are not valid entities, or that the service would reject.
    pub broken: Vec<Broken>,
    /// The position after the window. After the window is written, an import can resume here.
    pub end: Place,
    pub(super) groups: Vec<Group>,
}

impl Window {
    /// Returns the operations with their line numbers, to check them before they are sent.
    pub fn operations(&self) -> impl Iterator<Item = (u64, &Operation)> {
        self.groups.iter().flat_map(|group| group.lines.iter().copied().zip(&group.operations))
    }

    /// Replaces each operation with its line number, such as by one with a condition. Those for which `replace` returns
    /// `None` are not sent. The order is that of [`operations`](Self::operations).
    pub fn replace(&mut self, mut replace: impl FnMut(u64, Operation) -> Option<Operation>) {
        for group in &mut self.groups {
            let old = std::mem::take(&mut group.lines).into_iter().zip(std::mem::take(&mut group.operations));
            let new = old.filter_map(|(line, operation)| Some((line, replace(line, operation)?)));
            (group.lines, group.operations) = new.unzip();
        }
    }
}

/// A transaction: one partition, at most 100 operations, within the size limit of the service.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) operations: Vec<Operation>,
    /// The line number of each operation.
    pub(super) lines: Vec<u64>,
    bytes: usize,
}

/// An iterator over the lines of a reader, grouped into windows.
#[derive(Debug)]
pub struct Windows<R> {
    reader: Reader<R>,
    mode: Mode,
    capabilities: Capabilities,
    ends_at_broken: bool,
    /// The line that ended the previous window because its key was already present.
    held: Option<(u64, Entity, Place)>,
}

impl<R: BufRead> Windows<R> {
    /// Groups the lines of `reader` into windows for a service with these capabilities.
    pub const fn new(reader: Reader<R>, mode: Mode, capabilities: Capabilities) -> Self {
        Self { reader, mode, capabilities, ends_at_broken: false, held: None }
    }

    /// Ends a window at each invalid line. An import that stops there has written all lines before it and none after
    /// it.
    #[must_use]
    pub fn ending_at_broken(mut self, ends: bool) -> Self {
        self.ends_at_broken = ends;
        self
    }

    fn window(&mut self) -> io::Result<Option<Window>> {
        let mut room = Room::new(self.reader.place());
        if let Some((line, entity, end)) = self.held.take() {
            room.push(line, self.mode, entity, end, &self.capabilities);
        }
        while !room.is_full() {
            let Some(line) = self.reader.next() else { break };
            let Line { number, entity, end } = line?;
            let checked = entity.and_then(|entity| match entity.check(self.capabilities.key_length) {
                Ok(()) => Ok(entity),
                Err(error) => Err(Broken { line: number, reason: error.message().to_owned() }),
            });
            match checked {
                Ok(entity) if room.has(&entity) => {
                    self.held = Some((number, entity, end));
                    break;
                }
                Ok(entity) => room.push(number, self.mode, entity, end, &self.capabilities),
                Err(broken) => {
                    room.window.broken.push(broken);
                    room.window.end = end;
                    if self.ends_at_broken {
                        break;
                    }
                }
            }
        }
        let Window { broken, groups, .. } = &room.window;
        Ok(if broken.is_empty() && groups.is_empty() { None } else { Some(room.window) })
    }
}

impl<R: BufRead> Iterator for Windows<R> {
    type Item = io::Result<Window>;

    fn next(&mut self) -> Option<io::Result<Window>> {
        self.window().transpose()
    }
}

/// A window under construction.
struct Room {
    window: Window,
    partitions: HashMap<String, Partition>,
    entities: usize,
    bytes: usize,
}

#[derive(Default)]
struct Partition {
    row_keys: HashSet<String>,
    /// The group of the partition that is not full, if any.
    open: Option<usize>,
}

impl Room {
    fn new(start: Place) -> Self {
        let window = Window { broken: Vec::new(), end: start, groups: Vec::new() };
        Self { window, partitions: HashMap::new(), entities: 0, bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.entities + self.window.broken.len() >= LINES || self.bytes >= BYTES
    }

    fn has(&self, entity: &Entity) -> bool {
        let partition = self.partitions.get(&entity.partition_key);
        partition.is_some_and(|partition| partition.row_keys.contains(&entity.row_key))
    }

    fn push(&mut self, line: u64, mode: Mode, entity: Entity, end: Place, can: &Capabilities) {
        let size = entity.size();
        self.entities += 1;
        self.bytes += size;
        self.window.end = end;
        // Most lines belong to a partition of this window, so the key is copied only for a new partition.
        if !self.partitions.contains_key(&entity.partition_key) {
            self.partitions.insert(entity.partition_key.clone(), Partition::default());
        }
        let Some(partition) = self.partitions.get_mut(&entity.partition_key) else { return };
        partition.row_keys.insert(entity.row_key.clone());
        let groups = &mut self.window.groups;
        let takes = |group: &Group| {
            group.operations.len() < TRANSACTION_OPERATIONS && group.bytes + size < can.transaction_bytes
        };
        let open = partition.open.filter(|at| groups.get(*at).is_some_and(takes));
        let at = open.unwrap_or_else(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        partition.open = Some(at);
        if let Some(group) = groups.get_mut(at) {
            group.operations.push(mode.operation(entity));
            group.lines.push(line);
            group.bytes += size;
        }
    }
}
