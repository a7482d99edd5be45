use std::fmt;

use super::{ENTRY_BYTES, PropertyCursor, kind};
use crate::{Properties, value::ValueRef};

/// The properties of a row that was read: names and values, in the order in which they were first written. Nothing is
/// decoded before it is asked for.
///
/// ```
/// use table_store::{Entity, Operation, Value, ValueRef, embedded::Store};
///
/// let store = Store::in_memory()?.blocking();
/// let table = "Employees".parse()?;
/// store.create_table(&table)?;
/// store.execute(&table, Operation::Insert(Entity::new("Sales", "1").with("Name", "Jo").with("Age", 34)))?;
///
/// let segment = store.query(&table, Default::default())?;
/// let row = segment.rows.get(0).expect("just inserted");
/// assert_eq!(row.properties.get("Age"), Some(ValueRef::Int32(34)));
/// assert_eq!(row.properties.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Name", "Age"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct PropertiesRef<'r> {
    entries: &'r [u8],
    names: &'r [u8],
    values: &'r [u8],
}

impl<'r> PropertiesRef<'r> {
    /// Takes `count` properties out of their packed form. None if a name, a type or a value's length is not as packed.
    /// What a text holds is checked when it is read.
    #[inline]
    pub(crate) fn new(count: usize, packed: &'r [u8]) -> Option<Self> {
        let (entries, rest) = packed.split_at_checked(count * ENTRY_BYTES)?;
        let last = entries.last_chunk().map(|last| Entry::read(*last));
        let (names, values) = rest.split_at_checked(last.as_ref().map_or(0, |last| last.name_end))?;
        let whole = last.map_or(0, |last| last.value_end) == values.len();
        whole.then_some(Self { entries, names, values })
    }

    /// Whether every property can be read.
    #[cfg(any(feature = "embedded", test))]
    pub(crate) fn is_sound(self) -> bool {
        (0..self.len())
            .try_fold(Place::default(), |place, _| self.read(place).map(|(.., next)| next))
            .is_some()
    }

    /// How many.
    #[must_use]
    pub fn len(self) -> usize {
        self.entries.len() / ENTRY_BYTES
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.entries.is_empty()
    }

    /// The last one.
    #[must_use]
    pub fn last(self) -> Option<(&'r str, ValueRef<'r>)> {
        let last = self.len().checked_sub(1)?;
        let before = last.checked_sub(1).and_then(|before| self.entry(before));
        let place = before.map_or_else(Place::default, |before| Place {
            index: last,
            name: before.name_end,
            value: before.value_end,
        });
        self.read(place).map(|(name, value, _)| (name, value))
    }

    /// The value of a property. Names are case-sensitive.
    #[must_use]
    pub fn get(self, name: &str) -> Option<ValueRef<'r>> {
        self.find(name)?.0
    }

    /// The value of a property, and the next place.
    pub(super) fn find(self, name: &str) -> Option<(Option<ValueRef<'r>>, Place)> {
        let mut place = Place::default();
        loop {
            let (entry, found) = self.name(place)?;
            let next = place.after(&entry);
            if found == name.as_bytes() {
                return Some((self.value(place, &entry), next));
            }
            place = next;
        }
    }

    /// All, in order.
    #[must_use]
    pub fn iter(self) -> PropertyIter<'r> {
        PropertyIter { properties: self, place: Place::default() }
    }

    /// Looks properties up by name, fastest in the order in which they stand.
    #[must_use]
    pub fn cursor(self) -> PropertyCursor<'r> {
        PropertyCursor::new(self)
    }

    /// The same properties, decoded.
    #[must_use]
    pub fn to_properties(self) -> Properties {
        let mut properties = Properties::with_capacity(self.len());
        for (name, value) in self {
            properties.push_new(name.to_owned(), value.to_value());
        }
        properties
    }

    /// The bytes of all three parts.
    pub(crate) fn packed(self) -> [&'r [u8]; 3] {
        [self.entries, self.names, self.values]
    }

    #[inline]
    fn entry(self, index: usize) -> Option<Entry> {
        let at = index.checked_mul(ENTRY_BYTES)?;
        self.entries.get(at..)?.first_chunk().map(|entry| Entry::read(*entry))
    }

    /// The entry and the name at a place.
    #[inline]
    pub(super) fn name(self, place: Place) -> Option<(Entry, &'r [u8])> {
        let entry = self.entry(place.index)?;
        let name = self.names.get(place.name..entry.name_end)?;
        Some((entry, name))
    }

    /// The value at a place, whose entry is at hand.
    #[inline]
    pub(super) fn value(self, place: Place, entry: &Entry) -> Option<ValueRef<'r>> {
        kind::read(entry.kind, self.values.get(place.value..entry.value_end)?)
    }

    /// Name, value, and the next place.
    fn read(self, place: Place) -> Option<(&'r str, ValueRef<'r>, Place)> {
        let (entry, name) = self.name(place)?;
        let value = self.value(place, &entry)?;
        Some((std::str::from_utf8(name).ok()?, value, place.after(&entry)))
    }
}

/// Where a property's name and value end, and the value's type.
pub(super) struct Entry {
    name_end: usize,
    kind: u8,
    value_end: usize,
}

impl Entry {
    #[inline]
    fn read(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [name0, name1, name2, kind, value0, value1, value2] = bytes;
        let end = |low: u8, middle: u8, high: u8| {
            usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16
        };
        Self { name_end: end(name0, name1, name2), kind, value_end: end(value0, value1, value2) }
    }
}

/// A property's number, and where its name and value begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    index: usize,
    name: usize,
    value: usize,
}

impl Place {
    /// The place of the property after the one whose entry this is.
    pub(super) const fn after(self, entry: &Entry) -> Self {
        Self { index: self.index + 1, name: entry.name_end, value: entry.value_end }
    }
}

/// Names and values, in order.
#[derive(Clone, Debug)]
pub struct PropertyIter<'r> {
    properties: PropertiesRef<'r>,
    place: Place,
}

impl<'r> Iterator for PropertyIter<'r> {
    type Item = (&'r str, ValueRef<'r>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value, next) = self.properties.read(self.place)?;
        self.place = next;
        Some((name, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.properties.len() - self.place.index))
    }
}

impl<'r> IntoIterator for PropertiesRef<'r> {
    type Item = (&'r str, ValueRef<'r>);
    type IntoIter = PropertyIter<'r>;

    fn into_iter(self) -> PropertyIter<'r> {
        self.iter()
    }
}

/// Same names and values in the same order.
impl PartialEq for PropertiesRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.packed() == other.packed()
    }
}

impl Eq for PropertiesRef<'_> {}

impl fmt::Debug for PropertiesRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
