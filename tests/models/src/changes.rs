//! The change feed of one partition: two entities, two writers, a head that each change replaces, numbered records, the
//! removal of old records, and a reader that builds the entities from the records.

use crate::{
    budget::Budget,
    cell::{Cell, Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// A change does not require the version of the head.
    NoHead,
    /// A writer whose response was lost repeats the change without reading the record.
    NoProof,
    /// A writer whose response was lost sends the change again, and takes its rejection as proof that the first copy was
    /// not executed.
    RejectedIsNever,
    /// The last record is removed as well.
    TrimLast,
    /// The partition is added to the list of partitions after the first change.
    ListLate,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

const ENTITIES: usize = 2;
/// Above the number of changes.
const MOST: usize = 5;

/// A transaction: the entity, the record and the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Change {
    /// The operation of the client, from 1.
    op: u8,
    entity: usize,
    /// Versions that were read.
    guard: Tag,
    head: Tag,
    /// Number of the record.
    sequence: u8,
}

/// The next step of a writer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    Idle,
    Read,
    /// Adds the partition to the list of partitions.
    List,
    Send,
    /// The response was lost.
    Settle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Writer {
    next: Next,
    change: Change,
    /// `true` if the change was sent before, and its response was lost.
    is_sent: bool,
}

/// A record: the operation and the entity.
type Record = Option<(u8, usize)>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Reader {
    /// Number of the last record that was read.
    position: u8,
    view: [u8; ENTITIES],
    /// The position that was taken before the entities are read, because records were removed.
    rebuilds: Option<u8>,
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The last operation on each entity.
    entities: [Cell<u8>; ENTITIES],
    /// The number of the last record.
    head: Cell<u8>,
    records: [Record; MOST],
    /// The partition is in the list of partitions.
    listed: bool,
    writers: [Writer; 2],
    lost: Option<Change>,
    reader: Reader,
    /// All changes in the order of their commits.
    history: [Record; MOST],
    /// Number of removed records.
    removed: u8,
    /// `true` if the reader took a position for the end although it had not read all changes.
    missed: bool,
    left: Budget,
}

impl State {
    fn count(&self) -> usize {
        self.history.iter().flatten().count()
    }

    /// Executes a transaction. Returns whether its conditions were met.
    fn commit(&mut self, variant: Variant, change: Change) -> bool {
        let Change { op, entity, guard, head, sequence } = change;
        let at = usize::from(sequence);
        let is_last = self.head.tag == head || variant == Variant::NoHead;
        if self.entities[entity].tag != guard || !is_last || self.records[at].is_some() {
            return false;
        }
        self.entities[entity].put(op);
        self.head.put(sequence);
        self.records[at] = Some((op, entity));
        let count = self.count();
        self.history[count] = Some((op, entity));
        true
    }

    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.head.tag);
        for (number, entity) in self.entities.iter_mut().enumerate() {
            visit(1 + number, &mut entity.tag);
        }
        let sent = self.writers.iter_mut().map(|writer| &mut writer.change).chain(&mut self.lost);
        for change in sent {
            visit(0, &mut change.head);
            visit(1 + change.entity, &mut change.guard);
        }
    }
}

impl Model {
    fn write(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let Writer { next, change, is_sent } = state.writers[number];
        let actor = ('C', number);
        if next == Next::Idle {
            if state.left.ops > 0 {
                for entity in 0..ENTITIES {
                    steps.add(actor, "begins a change", |state| {
                        let change = Change { op: state.left.ops, entity, ..Change::default() };
                        state.left.ops -= 1;
                        state.writers[number] = Writer { next: Next::Read, change, is_sent: false };
                    });
                }
            }
            return;
        }
        steps.add(actor, "stops", |state| state.writers[number] = Writer::default());
        let late = self.variant == Variant::ListLate;
        match next {
            Next::Idle => {}
            Next::Read => steps.add(actor, "reads the head and the entity", |state| {
                let writer = &mut state.writers[number];
                writer.next = if state.head.exists() || late { Next::Send } else { Next::List };
                writer.is_sent = false;
                writer.change.guard = state.entities[change.entity].tag;
                writer.change.head = state.head.tag;
                writer.change.sequence = state.head.value + 1;
            }),
            Next::List => steps.add(actor, "adds the partition to the list", |state| {
                state.listed = true;
                state.writers[number].next = Next::Send;
                if late {
                    state.writers[number] = Writer::default();
                }
            }),
            Next::Send => {
                let is_first = change.sequence == 1;
                steps.add(actor, "sends the change", |state| {
                    let done = state.commit(self.variant, change);
                    let writer = &mut state.writers[number];
                    match done {
                        false if is_sent && self.variant != Variant::RejectedIsNever => {
                            writer.next = Next::Settle;
                        }
                        false => writer.next = Next::Read,
                        true if late && is_first => writer.next = Next::List,
                        true => *writer = Writer::default(),
                    }
                });
                if state.left.lost > 0 && state.lost.is_none() {
                    steps.add(actor, "sends the change, response lost", |state| {
                        state.left.lost -= 1;
                        state.lost = Some(change);
                        let writer = &mut state.writers[number];
                        (writer.next, writer.is_sent) = (Next::Settle, true);
                    });
                }
            }
            Next::Settle if self.variant == Variant::NoProof => {
                steps.add(actor, "repeats the change", |state| state.writers[number].next = Next::Read);
            }
            Next::Settle => steps.add(actor, "reads the record", |state| {
                let record = state.records[usize::from(change.sequence)];
                let is_removed = record.is_none() && state.removed >= change.sequence;
                let writer = &mut state.writers[number];
                match record {
                    Some((op, _)) if op == change.op => *writer = Writer::default(),
                    Some(_) => writer.next = Next::Read,
                    // No record is removed while a request is in flight.
                    None if is_removed => *writer = Writer::default(),
                    None => writer.next = Next::Send,
                }
            }),
        }
    }

    fn read(state: &State, steps: &mut Steps<State>) {
        let Reader { position, rebuilds, .. } = state.reader;
        if let Some(end) = rebuilds {
            steps.add(('R', 0), "reads the entities", |state| {
                state.reader.view = state.entities.map(|entity| entity.value);
                (state.reader.position, state.reader.rebuilds) = (end, None);
            });
            return;
        }
        let first = (usize::from(position) + 1..MOST).find(|at| state.records[*at].is_some());
        let Some(first) = first else {
            // A reader at the end has no effect.
            if usize::from(position) < state.count() {
                steps.add(('R', 0), "finds no record", |state| state.missed = true);
            }
            return;
        };
        steps.add(('R', 0), "reads a record", |state| {
            if first > usize::from(position) + 1 {
                state.reader.rebuilds = Some(state.head.value);
            } else if let Some((op, entity)) = state.records[first] {
                state.reader.position += 1;
                state.reader.view[entity] = op;
            }
        });
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        for number in 0..state.writers.len() {
            self.write(state, number, steps);
        }
        Self::read(state, steps);
        let oldest = state.records.iter().position(Option::is_some);
        let keeps = u8::from(self.variant != Variant::TrimLast);
        if let Some(oldest) =
            oldest.filter(|oldest| oldest + usize::from(keeps) <= usize::from(state.head.value))
        {
            steps.add(('T', 0), "removes the oldest record", |state| {
                state.records[oldest] = None;
                state.removed += 1;
            });
        }
        if let Some(lost) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = None;
                state.commit(self.variant, lost);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = None);
        }
    }

    fn canonical(&self, state: &mut State) {
        let (head, entities) = (state.head.tag, state.entities.map(|entity| entity.tag));
        for change in state.writers.iter_mut().map(|writer| &mut writer.change).chain(&mut state.lost) {
            change.head.only_compared_with(head);
            change.guard.only_compared_with(entities[change.entity]);
        }
        renumber::<3, _>(state, State::tags);
        state.writers.sort_unstable();
    }

    /// Every change has one record, at its position in the order of the commits, until the record is removed; no change
    /// is committed twice; and the reader misses no change without noticing it.
    fn safe(&self, state: &State) -> bool {
        let is_record =
            |at: usize| at < usize::from(state.removed) || state.records[at + 1] == state.history[at];
        let is_once = |at: usize| {
            let op = |at: usize| state.history[at].map(|(op, _)| op);
            op(at).is_none() || (0..at).all(|earlier| op(earlier) != op(at))
        };
        !state.missed && (0..MOST - 1).all(|at| is_record(at) && is_once(at))
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.writers.iter().all(|writer| writer.next == Next::Idle)
            && state.reader.rebuilds.is_none()
            && usize::from(state.reader.position) == state.count()
    }

    /// The reader has built the entities, and it finds the partition.
    fn good(&self, state: &State) -> bool {
        state.reader.view == state.entities.map(|entity| entity.value) && (state.listed || state.count() == 0)
    }

    fn witness(&self, state: &State) -> bool {
        self.quiet(state)
            && state.removed > 0
            && state.left.ops == 0
            && state.left.lost == 0
            && state.count() > 1
    }
}
