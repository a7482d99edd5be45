//! Rows of the log that are not in the file yet.

use std::{
    borrow::Borrow,
    cmp::Ordering,
    fmt,
    ops::Bound::{Excluded, Included},
};

use crossbeam_skiplist::{SkipMap, map::Entry};
use table_model::pauses::Pauses;

use super::{
    changes::{Change, Changes},
    filter::Filter,
    frame_rows::FrameRows,
    merge::Source,
    sync::{
        AtomicU64,
        Ordering::{Acquire, Release},
    },
};

/// New value, or `None` for a removal.
type Value = Option<Box<[u8]>>;

/// Values by key and number of the frame. One writer inserts; readers see the frames up to the number that was published
/// when they started. A row is never changed, so the versions that a reader sees stay.
pub(super) struct Layer {
    rows: Rows,
    filter: Filter,
    /// Number of the last complete frame; 0 if the layer is empty.
    published: AtomicU64,
}

#[expect(clippy::large_enum_variant, reason = "a store has two layers, each in an `Arc`")]
enum Rows {
    Growing(SkipMap<Version, Value>),
    /// The rows of a recovered log.
    Complete(FrameRows),
}

/// Omits the rows, which are the content of the store.
impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer").field("published", &self.published).finish_non_exhaustive()
    }
}

impl Layer {
    pub(super) fn new() -> Self {
        let rows = Rows::Growing(SkipMap::new());
        Self { rows, filter: Filter::new(), published: AtomicU64::new(0) }
    }

    /// Creates a layer that stays as it is.
    pub(super) fn complete(rows: FrameRows, published: u64) -> Self {
        let mut filter = Filter::new();
        (0..rows.len()).filter_map(|index| rows.get(index)).for_each(|(key, ..)| filter.add_first(key));
        Self { rows: Rows::Complete(rows), filter, published: AtomicU64::new(published) }
    }

    /// Returns the number of the last complete frame; 0 if the layer is empty.
    pub(super) fn published(&self) -> u64 {
        self.published.load(Acquire)
    }

    /// Inserts and publishes the changes of a frame. The layer must not be complete.
    pub(super) fn apply(&self, changes: Changes, sequence: u64) {
        let Rows::Growing(rows) = &self.rows else { return };
        let mut pauses = Pauses::default();
        for (key, value) in changes.into_rows() {
            pauses.after_row(0);
            self.filter.add(&key);
            rows.insert(Version { key, sequence }, value);
        }
        self.published.store(sequence, Release);
    }

    /// Returns the first row at or after a position.
    fn lower_bound(&self, at: &At<'_>) -> Option<Place<'_>> {
        match &self.rows {
            Rows::Growing(rows) => rows.lower_bound::<dyn Position>(Included(at)).map(Place::Entry),
            Rows::Complete(rows) => Place::of(rows, at.index_in(rows)),
        }
    }

    /// Returns the last row before a position.
    fn last_before(&self, at: &At<'_>) -> Option<Place<'_>> {
        match &self.rows {
            Rows::Growing(rows) => rows.upper_bound::<dyn Position>(Excluded(at)).map(Place::Entry),
            Rows::Complete(rows) => Place::of(rows, at.index_in(rows).checked_sub(1)?),
        }
    }

    /// Passes the newest change of a key up to a frame to `visit`.
    pub(super) fn get<T>(&self, key: &[u8], up_to: u64, visit: impl FnOnce(Change<'_>) -> T) -> Option<T> {
        if up_to == 0 || !self.filter.may_contain(key) {
            return None;
        }
        let place = self.lower_bound(&At(key, up_to))?;
        (place.key() == key).then(|| visit(place.value()))
    }

    /// Returns the newest changes of the keys in a range, up to a frame.
    pub(super) fn range<'l>(&'l self, from: &[u8], to: &'l [u8], up_to: u64) -> Cursor<'l> {
        let place = if up_to == 0 || from >= to { None } else { self.lower_bound(&At(from, u64::MAX)) };
        let mut cursor = Cursor { place: None, to, up_to };
        cursor.settle(place, None);
        cursor
    }

    /// Returns the rows of [`range`](Self::range) in descending order.
    pub(super) fn range_back<'l>(&'l self, from: &'l [u8], to: &[u8], up_to: u64) -> BackCursor<'l> {
        let mut cursor = BackCursor { layer: self, place: None, from, up_to };
        if up_to > 0 && from < to {
            cursor.settle(to);
        }
        cursor
    }

    /// Passes the newest change of each key to `visit`, in key order.
    pub(super) fn each<E>(&self, mut visit: impl FnMut(&[u8], Change<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut next = self.lower_bound(&At(&[], u64::MAX));
        let mut last: Option<Place<'_>> = None;
        while let Some(place) = next {
            if last.as_ref().is_none_or(|last| last.key() != place.key()) {
                visit(place.key(), place.value())?;
            }
            next = place.next();
            last = Some(place);
        }
        Ok(())
    }
}

/// Key of a row: the newest version of a key is the first.
#[derive(PartialEq, Eq)]
struct Version {
    key: Box<[u8]>,
    sequence: u64,
}

/// Position in the map, to search without a copy of the key.
trait Position {
    fn parts(&self) -> (&[u8], u64);
}

struct At<'k>(&'k [u8], u64);

impl At<'_> {
    /// Returns the index of the first row at or after the position.
    fn index_in(&self, rows: &FrameRows) -> usize {
        let at: &dyn Position = self;
        rows.lower_bound(|key: &[u8], sequence| (&At(key, sequence) as &dyn Position) < at)
    }
}

impl Position for At<'_> {
    fn parts(&self) -> (&[u8], u64) {
        (self.0, self.1)
    }
}

impl Position for Version {
    fn parts(&self) -> (&[u8], u64) {
        (&self.key, self.sequence)
    }
}

impl<'p> Borrow<dyn Position + 'p> for Version {
    fn borrow(&self) -> &(dyn Position + 'p) {
        self
    }
}

impl Ord for dyn Position + '_ {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((key, sequence), (other, than)) = (self.parts(), other.parts());
        key.cmp(other).then(than.cmp(&sequence))
    }
}

impl PartialOrd for dyn Position + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn Position + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for dyn Position + '_ {}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, other): (&dyn Position, &dyn Position) = (self, other);
        one.cmp(other)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A row, from which the next one is found.
enum Place<'l> {
    Entry(Entry<'l, Version, Value>),
    Row { rows: &'l FrameRows, index: usize, key: &'l [u8], sequence: u64, value: Change<'l> },
}

impl<'l> Place<'l> {
    fn of(rows: &'l FrameRows, index: usize) -> Option<Self> {
        rows.get(index).map(|(key, sequence, value)| Self::Row { rows, index, key, sequence, value })
    }

    fn key(&self) -> &[u8] {
        match self {
            Self::Entry(entry) => &entry.key().key,
            Self::Row { key, .. } => key,
        }
    }

    fn sequence(&self) -> u64 {
        match self {
            Self::Entry(entry) => entry.key().sequence,
            Self::Row { sequence, .. } => *sequence,
        }
    }

    fn value(&self) -> Change<'_> {
        match self {
            Self::Entry(entry) => entry.value().as_deref(),
            Self::Row { value, .. } => *value,
        }
    }

    fn next(&self) -> Option<Self> {
        match self {
            Self::Entry(entry) => entry.next().map(Self::Entry),
            Self::Row { rows, index, .. } => Self::of(rows, index + 1),
        }
    }
}

/// The rows of a range in key order, each in its newest version up to a frame.
pub(super) struct Cursor<'l> {
    place: Option<Place<'l>>,
    to: &'l [u8],
    up_to: u64,
}

impl<'l> Cursor<'l> {
    /// Moves to the first row from `place` on that is visible and not an older version of the row `after`.
    fn settle(&mut self, mut place: Option<Place<'l>>, after: Option<&Place<'l>>) {
        while let Some(next) = place {
            if next.key() >= self.to {
                break;
            }
            let older = after.is_some_and(|after| after.key() == next.key());
            if !older && next.sequence() <= self.up_to {
                self.place = Some(next);
                return;
            }
            place = next.next();
        }
        self.place = None;
    }
}

impl Source for Cursor<'_> {
    fn key(&self) -> Option<&[u8]> {
        self.place.as_ref().map(Place::key)
    }

    fn value(&self) -> Change<'_> {
        self.place.as_ref().and_then(Place::value)
    }

    fn advance(&mut self) {
        if let Some(place) = self.place.take() {
            self.settle(place.next(), Some(&place));
        }
    }
}

/// The rows of a range in descending order, each in its newest version up to a frame.
pub(super) struct BackCursor<'l> {
    layer: &'l Layer,
    place: Option<Place<'l>>,
    from: &'l [u8],
    up_to: u64,
}

impl BackCursor<'_> {
    /// Moves to the last visible row before `to`.
    fn settle(&mut self, to: &[u8]) {
        let layer = self.layer;
        let mut last = layer.last_before(&At(to, u64::MAX));
        while let Some(place) = last.filter(|place| place.key() >= self.from) {
            let key = place.key();
            let newest = layer.lower_bound(&At(key, self.up_to)).filter(|newest| newest.key() == key);
            if newest.is_some() {
                self.place = newest;
                return;
            }
            last = layer.last_before(&At(key, u64::MAX));
        }
        self.place = None;
    }
}

impl Source for BackCursor<'_> {
    const IS_DESCENDING: bool = true;

    fn key(&self) -> Option<&[u8]> {
        self.place.as_ref().map(Place::key)
    }

    fn value(&self) -> Change<'_> {
        self.place.as_ref().and_then(Place::value)
    }

    fn advance(&mut self) {
        if let Some(place) = self.place.take() {
            self.settle(place.key());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{frame::encode_change, frame_rows::RecoveredFrame},
        *,
    };

    /// All rows of a range up to a frame.
    fn rows(layer: &Layer, from: &[u8], to: &[u8], up_to: u64) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        let mut cursor = layer.range(from, to, up_to);
        let mut rows = Vec::new();
        while let Some(key) = cursor.key() {
            rows.push((key.to_vec(), cursor.value().map(<[u8]>::to_vec)));
            cursor.advance();
        }
        let mut back = layer.range_back(from, to, up_to);
        for (key, value) in rows.iter().rev() {
            assert_eq!(back.key(), Some(&**key));
            assert_eq!(back.value(), value.as_deref());
            back.advance();
        }
        assert_eq!(back.key(), None);
        rows
    }

    #[test]
    fn readers_see_the_versions_of_their_frame() {
        let layer = Layer::new();
        for sequence in 1..=3_u64 {
            let mut changes = Changes::default();
            changes.set(b"a", Some(&[u8::try_from(sequence).unwrap()]));
            changes.set(b"b", (sequence == 2).then_some(&[9][..]));
            changes.set(&sequence.to_be_bytes(), Some(b"own"));
            layer.apply(changes, sequence);
        }
        let get = |key: &[u8], up_to| layer.get(key, up_to, |change| change.map(<[u8]>::to_vec));
        assert_eq!(get(b"a", 0), None);
        assert_eq!([1, 2, 3, 9].map(|up_to| get(b"a", up_to)), [1, 2, 3, 3].map(|n| Some(Some(vec![n]))));
        assert_eq!([1, 2, 3].map(|up_to| get(b"b", up_to)), [Some(None), Some(Some(vec![9])), Some(None)]);
        assert_eq!(get(&3_u64.to_be_bytes(), 2), None);
        assert_eq!(get(b"", 3), None);

        let row = |key: &[u8], value: Option<u8>| (key.to_vec(), value.map(|value| vec![value]));
        assert_eq!(rows(&layer, b"a", b"b", 2), [row(b"a", Some(2))]);
        assert_eq!(rows(&layer, b"a", b"c", 2), [row(b"a", Some(2)), row(b"b", Some(9))]);
        assert_eq!(rows(&layer, b"a", b"c", 3), [row(b"a", Some(3)), row(b"b", None)]);
        assert_eq!(rows(&layer, b"", b"z", 1).len(), 3);
        assert_eq!(rows(&layer, b"", b"z", 3).len(), 5);
        assert_eq!(rows(&layer, b"b", b"a", 3), []);
        let mut newest = Vec::new();
        layer
            .each(|key, change| {
                newest.push((key.to_vec(), change.map(<[u8]>::to_vec)));
                Ok::<(), ()>(())
            })
            .unwrap();
        assert_eq!(newest, rows(&layer, b"", b"z", 3));

        let mut changes = Vec::new();
        for (key, value) in &newest {
            encode_change(key, value.as_deref(), &mut changes);
        }
        let rows_of_frame = FrameRows::new(vec![RecoveredFrame { sequence: 3, changes }]);
        let complete = Layer::complete(rows_of_frame, 3);
        assert_eq!(rows(&complete, b"", b"z", 3), newest);
        assert_eq!(rows(&complete, b"a", b"b", 3), [row(b"a", Some(3))]);
        assert_eq!(rows(&complete, b"a\0", b"z", 3), [row(b"b", None)]);
        let get = |key: &[u8]| complete.get(key, u64::MAX, |change| change.map(<[u8]>::to_vec));
        assert_eq!(
            [get(b"a"), get(b"b"), get(b"aa"), get(b"z")],
            [Some(Some(vec![3])), Some(None), None, None]
        );
    }
}
