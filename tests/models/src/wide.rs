//! An entity in a head and two parts, written in one transaction or part by part. It is read with a point read per row:
//! the head first, then the parts, accepted if each part has the stamp in the head.

use crate::{
    cell::{Cell, Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The reader accepts all rows without a check.
    NoCheck,
    /// The head contains only the stamp of the last transaction, and at least one part must have it. Stamps are random
    /// and have no order.
    OneStampOnHead,
    /// A replace does not carry the `ETag`s of the parts.
    ReplaceNoEtag,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// Transactions over the head and one or both parts.
    pub(crate) writes: u8,
    /// Merges into one part, without the head.
    pub(crate) merges: u8,
}

const PARTS: usize = 2;

/// A part: the content of the last transaction, and the number of merges since then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    /// The transaction that wrote it last: its stamp and its content.
    stamp: u8,
    /// Merges of an independent field.
    merged: u8,
}

/// A writer that loaded the entity and will replace parts of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Writer {
    loaded: bool,
    head: Tag,
    parts: [Tag; PARTS],
    merged: [u8; PARTS],
}

/// A reader, with the rows that it has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Reader {
    /// The stamps in the head.
    head: Option<[u8; PARTS]>,
    parts: [Option<u8>; PARTS],
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The stamps of the parts.
    head: Cell<[u8; PARTS]>,
    parts: [Cell<Part>; PARTS],
    writers: [Writer; 2],
    reader: Reader,
    /// All combinations of stamps that were current since the reader started.
    instants: [Option<[u8; PARTS]>; 8],
    /// Merges that were acknowledged.
    merges: [u8; PARTS],
    writes: u8,
    /// `true` if a read was accepted that matches no instant.
    torn: bool,
    /// `true` if a read was accepted.
    accepted: bool,
}

impl State {
    fn instant(&self) -> [u8; PARTS] {
        self.parts.map(|part| part.value.stamp)
    }

    fn note(&mut self) {
        let now = self.instant();
        if self.reader.head.is_some()
            && let Some(free) = self.instants.iter_mut().find(|instant| instant.is_none_or(|it| it == now))
        {
            *free = Some(now);
        }
    }

    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.head.tag);
        for (number, part) in self.parts.iter_mut().enumerate() {
            visit(1 + number, &mut part.tag);
        }
        for writer in &mut self.writers {
            visit(0, &mut writer.head);
            for (number, part) in writer.parts.iter_mut().enumerate() {
                visit(1 + number, part);
            }
        }
    }
}

impl Model {
    /// Adds the steps of a writer that loads all rows by one range, then replaces some parts, or stops.
    fn write(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let writer = state.writers[number];
        let actor = ('C', number);
        if !writer.loaded {
            if state.writes < self.writes {
                steps.add(actor, "loads the entity", |state| {
                    let parts = state.parts.map(|part| part.tag);
                    let merged = state.parts.map(|part| part.value.merged);
                    state.writers[number] = Writer { loaded: true, head: state.head.tag, parts, merged };
                });
            }
            return;
        }
        steps.add(actor, "gives up", |state| state.writers[number] = Writer::default());
        if state.writes == self.writes {
            return;
        }
        for over in [[true, false], [false, true], [true, true]] {
            steps.add(actor, "replaces parts", |state| {
                state.writers[number] = Writer::default();
                let current = over.iter().zip(state.parts.iter().zip(writer.parts));
                let current = current.into_iter().all(|(over, (part, tag))| !over || part.tag == tag);
                if state.head.tag != writer.head || !(current || self.variant == Variant::ReplaceNoEtag) {
                    return;
                }
                state.writes += 1;
                let mut stamps = state.head.value;
                for part in (0..PARTS).filter(|part| over[*part]) {
                    stamps[part] = state.writes;
                    state.parts[part].put(Part { stamp: state.writes, merged: writer.merged[part] });
                }
                state.head.put(stamps);
                state.note();
            });
        }
    }

    fn read(self, state: &State, steps: &mut Steps<State>) {
        let Some(head) = state.reader.head else {
            steps.add(('R', 0), "reads the head", |state| {
                state.reader.head = Some(state.head.value);
                state.instants = [None; 8];
                state.note();
            });
            return;
        };
        if !state.reader.parts.contains(&None) {
            let read = state.reader.parts.map(Option::unwrap_or_default);
            let last = head.into_iter().max().unwrap_or_default();
            let accepted = match self.variant {
                Variant::NoCheck => true,
                Variant::OneStampOnHead => read.contains(&last),
                Variant::Final | Variant::ReplaceNoEtag => read == head,
            };
            steps.add(('R', 0), "decides", |state| {
                state.torn |= accepted && !state.instants.contains(&Some(read));
                state.accepted |= accepted;
                (state.reader, state.instants) = (Reader::default(), [None; 8]);
            });
            return;
        }
        for part in (0..PARTS).filter(|part| state.reader.parts[*part].is_none()) {
            steps.add(('R', part), "reads a part", |state| {
                state.reader.parts[part] = Some(state.parts[part].value.stamp);
            });
        }
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        let head = Cell::new([0; PARTS]);
        vec![State { head, parts: [Cell::new(Part::default()); PARTS], ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        for number in 0..state.writers.len() {
            self.write(state, number, steps);
        }
        if state.merges.iter().sum::<u8>() < self.merges {
            for part in 0..PARTS {
                steps.add(('M', part), "merges into a part", |state| {
                    state.merges[part] += 1;
                    let Part { stamp, merged } = state.parts[part].value;
                    state.parts[part].put(Part { stamp, merged: merged + 1 });
                });
            }
        }
        self.read(state, steps);
    }

    fn canonical(&self, state: &mut State) {
        let (head, parts) = (state.head.tag, state.parts.map(|part| part.tag));
        for writer in &mut state.writers {
            writer.head.only_compared_with(head);
            for (seen, row) in writer.parts.iter_mut().zip(parts) {
                seen.only_compared_with(row);
            }
        }
        renumber::<3, _>(state, State::tags);
        state.writers.sort_unstable();
        state.instants.sort_unstable();
    }

    /// An accepted read is the state at one instant, and no merge is lost.
    fn safe(&self, state: &State) -> bool {
        !state.torn && state.parts.map(|part| part.value.merged) == state.merges
    }

    fn quiet(&self, state: &State) -> bool {
        state.writers.iter().all(|writer| !writer.loaded) && state.reader.head.is_none()
    }

    /// The head contains the stamps of the parts.
    fn good(&self, state: &State) -> bool {
        state.head.value == state.instant()
    }

    fn witness(&self, state: &State) -> bool {
        state.accepted && state.writes == self.writes && state.merges.iter().sum::<u8>() == self.merges
    }
}
