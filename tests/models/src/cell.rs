//! Rows with `ETag`s.
//!
//! An ETag is never reused for another state, and only its equality with another ETag is observable. A state therefore
//! stores `ETag`s as small ranks: a write assigns [`Tag::NEW`], and after each step the `ETag`s of one row that any
//! process still refers to are renumbered. This makes the state space finite without a bound on the number of writes.

/// An ETag of one row. The default means that no row exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tag(u8);

impl Tag {
    /// No row, or nothing read.
    pub(crate) const NONE: Self = Self(0);
    /// No longer the ETag of the row, if nothing else matters.
    const STALE: Self = Self(1);
    /// Just written. A step writes a row at most once.
    pub(crate) const NEW: Self = Self(63);

    /// Replaces this ETag by [`Self::STALE`] if it differs from the row's ETag. Only for `ETag`s that are compared with
    /// nothing but the row.
    pub(crate) fn only_compared_with(&mut self, row: Self) {
        if *self != Self::NONE && *self != row {
            *self = Self::STALE;
        }
    }
}

/// A row: its content, and its ETag while it exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell<T> {
    /// `NONE` exactly while the row does not exist.
    pub(crate) tag: Tag,
    /// The default while the row does not exist.
    pub(crate) value: T,
}

impl<T: Copy + Default> Cell<T> {
    /// Creates a row that was just written.
    pub(crate) fn new(value: T) -> Self {
        Self { tag: Tag::NEW, value }
    }

    /// Returns whether the row exists.
    pub(crate) fn exists(&self) -> bool {
        self.tag != Tag::NONE
    }

    /// Writes without condition.
    pub(crate) fn put(&mut self, value: T) {
        *self = Self::new(value);
    }

    /// Removes without condition.
    pub(crate) fn remove(&mut self) {
        *self = Self::default();
    }

    /// Inserts the row if it does not exist. Returns whether it was inserted.
    pub(crate) fn insert(&mut self, value: T) -> bool {
        let free = !self.exists();
        if free {
            self.put(value);
        }
        free
    }

    /// Replaces the row by If-Match, or deletes it for `None`. Returns whether the condition was met.
    pub(crate) fn replace(&mut self, guard: Tag, value: Option<T>) -> bool {
        let current = self.exists() && self.tag == guard;
        match value {
            Some(value) if current => self.put(value),
            None if current => self.remove(),
            _ => {}
        }
        current
    }
}

/// Renumbers the `ETag`s of `N` rows in their order. `visit` passes each ETag of a state with the number of its row.
pub(crate) fn renumber<const N: usize, S>(
    state: &mut S,
    visit: impl Fn(&mut S, &mut dyn FnMut(usize, &mut Tag)),
) {
    let mut known = [0_u64; N];
    visit(state, &mut |row, tag| {
        if let Some(known) = known.get_mut(row) {
            *known |= 1 << tag.0;
        }
    });
    visit(state, &mut |row, tag| {
        if *tag > Tag::STALE {
            let below = known.get(row).map_or(0, |known| known & ((1 << tag.0) - 1) & !0b11);
            *tag = Tag(2 + u8::try_from(below.count_ones()).unwrap_or(u8::MAX));
        }
    });
}
