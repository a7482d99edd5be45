use std::fmt;

use super::{END_OF_VALUE, ENTRY_BYTES, PropertyCursor, kind, shape::Slot};
use crate::{Properties, value::ValueRef};

/// Properties of a row, in insertion order. Names and values are decoded on demand.
///
/// ```
/// use table_model::{Rows, Timestamp, ValueRef, rows::RowHead};
///
/// let mut rows = Rows::new();
/// let head = RowHead::whole("Sales", "1", Timestamp::UNIX_EPOCH);
/// rows.push(head, [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(34))])?;
///
/// let row = rows.get(0).expect("just pushed");
/// assert_eq!(row.properties.get("Age"), Some(ValueRef::Int32(34)));
/// assert_eq!(row.properties.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Name", "Age"]);
/// # Ok::<(), table_model::rows::TooLarge>(())
/// ```
#[derive(Clone, Copy)]
pub struct PropertiesRef<'r> {
    entries: &'r [u8],
    names: &'r [u8],
    values: &'r [u8],
}

impl<'r> PropertiesRef<'r> {
    /// Creates a view of `count` encoded properties. Returns `None` if a name, a type or the length of a value is
    /// invalid. The content of strings is checked when it is read.
    #[inline]
    #[must_use]
    pub fn new(count: usize, packed: &'r [u8]) -> Option<Self> {
        let (entries, rest) = packed.split_at_checked(count.checked_mul(ENTRY_BYTES)?)?;
        let last = entries.last_chunk().map(|last| Entry::read(*last));
        let (names, values) = rest.split_at_checked(last.as_ref().map_or(0, |last| last.name_end))?;
        let whole = last.map_or(0, |last| last.value_end) == values.len();
        whole.then_some(Self { entries, names, values })
    }

    /// Returns whether every property can be decoded.
    #[must_use]
    pub fn is_sound(self) -> bool {
        (0..self.len())
            .try_fold(Place::default(), |place, _| self.read(place).map(|(.., next)| next))
            .is_some()
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn len(self) -> usize {
        self.entries.len() / ENTRY_BYTES
    }

    /// Returns `true` if there are no properties.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the last property.
    #[must_use]
    pub fn last(self) -> Option<(&'r str, ValueRef<'r>)> {
        self.read(self.last_place()?).map(|(name, value, _)| (name, value))
    }

    /// Returns whether the last property is a string with this name and text, without decoding it.
    #[must_use]
    #[inline]
    pub fn ends_with_text(self, name: &str, text: &str) -> bool {
        let Some(last) = self.last_place() else { return false };
        let Some((entry, found)) = self.name(last) else { return false };
        let value = self.values.get(last.value..entry.value_end);
        entry.kind == kind::STRING && found == name.as_bytes() && value == Some(text.as_bytes())
    }

    #[inline]
    fn last_place(self) -> Option<Place> {
        let last = self.len().checked_sub(1)?;
        let before = last.checked_sub(1).and_then(|before| self.entry(before));
        Some(before.map_or_else(Place::default, |before| Place {
            index: last,
            name: before.name_end,
            value: before.value_end,
        }))
    }

    /// Returns the value of a property. Names are case-sensitive.
    #[must_use]
    #[inline]
    pub fn get(self, name: &str) -> Option<ValueRef<'r>> {
        // Many requests are for the last property, a type name.
        let last = self.last_place()?;
        match self.name(last)? {
            (entry, found) if found == name.as_bytes() => self.value(last, &entry),
            _ => self.find(name)?.0,
        }
    }

    /// Returns the type code and the encoded value of a property. `near` remembers its position for the next row.
    #[inline]
    pub(crate) fn get_near(self, near: &mut Near, name: &str) -> Option<(u8, &'r [u8])> {
        match self.property_at(near.0) {
            Some((found, kind, value)) if found == name.as_bytes() => Some((kind, value)),
            _ => self.search(near, name),
        }
    }

    #[inline(never)]
    fn search(self, near: &mut Near, name: &str) -> Option<(u8, &'r [u8])> {
        let index = self.names_from(Place::default()).position(|found| found == name.as_bytes())?;
        near.0 = Slot::at(index);
        self.property_at(near.0).map(|(_, kind, value)| (kind, value))
    }

    /// Returns the value of a property and the position after it.
    #[inline]
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

    /// Returns the value of the property in a slot.
    #[inline]
    pub(super) fn value_at(self, slot: Slot) -> Option<ValueRef<'r>> {
        let (start, kind, end) = match slot {
            Slot::After(before) => {
                // The end of the previous value, and the entry after it.
                let bytes = self.entries.get(before + END_OF_VALUE..)?.first_chunk::<10>()?;
                let [s0, s1, s2, _, _, _, kind, e0, e1, e2] = *bytes;
                (Entry::end(s0, s1, s2), kind, Entry::end(e0, e1, e2))
            }
            Slot::First => {
                let [_, _, _, kind, e0, e1, e2] = *self.entries.first_chunk::<ENTRY_BYTES>()?;
                (0, kind, Entry::end(e0, e1, e2))
            }
            Slot::Missing => return None,
        };
        kind::read(kind, self.values.get(start..end)?)
    }

    /// Returns name, type code and encoded value of the property in a slot.
    #[inline]
    fn property_at(self, slot: Slot) -> Option<(&'r [u8], u8, &'r [u8])> {
        let (before, entry) = match slot {
            Slot::After(before) => {
                let (before, rest) = self.entries.get(before..)?.split_first_chunk()?;
                (Entry::read(*before), rest)
            }
            Slot::First => (Entry::read([0; ENTRY_BYTES]), self.entries),
            Slot::Missing => return None,
        };
        let entry = Entry::read(*entry.first_chunk()?);
        let name = self.names.get(before.name_end..entry.name_end)?;
        Some((name, entry.kind, self.values.get(before.value_end..entry.value_end)?))
    }

    /// Iterates over the properties in order.
    #[must_use]
    pub fn iter(self) -> PropertyIter<'r> {
        PropertyIter { properties: self, place: Place::default() }
    }

    /// Iterates over the names, types and encoded values. Ends at an invalid property.
    pub(super) fn encoded(self) -> impl Iterator<Item = (&'r [u8], u8, &'r [u8])> + use<'r> {
        let mut place = Place::default();
        std::iter::from_fn(move || {
            let (entry, name) = self.name(place)?;
            let value = self.values.get(place.value..entry.value_end)?;
            place = place.after(&entry);
            Some((name, entry.kind, value))
        })
    }

    /// Iterates over the names from a position.
    #[inline]
    pub(super) fn names_from(self, mut place: Place) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        std::iter::from_fn(move || {
            let (entry, name) = self.name(place)?;
            place = place.after(&entry);
            Some(name)
        })
    }

    /// Creates a cursor for lookups by name, which is fastest for lookups in storage order.
    #[must_use]
    #[inline]
    pub fn cursor(self) -> PropertyCursor<'r> {
        PropertyCursor::new(self)
    }

    /// Decodes all properties.
    #[must_use]
    pub fn to_properties(self) -> Properties {
        let mut properties = Properties::with_capacity(self.len());
        for (name, value) in self {
            properties.push_new(name.to_owned(), value.to_value());
        }
        properties
    }

    /// Returns the bytes of the three parts.
    #[inline]
    pub(crate) fn packed(self) -> [&'r [u8]; 3] {
        [self.entries, self.names, self.values]
    }

    #[inline]
    fn entry(self, index: usize) -> Option<Entry> {
        let at = index.checked_mul(ENTRY_BYTES)?;
        self.entries.get(at..)?.first_chunk().map(|entry| Entry::read(*entry))
    }

    /// Returns the entry and the name at a position.
    #[inline]
    pub(super) fn name(self, place: Place) -> Option<(Entry, &'r [u8])> {
        let entry = self.entry(place.index)?;
        let name = self.names.get(place.name..entry.name_end)?;
        Some((entry, name))
    }

    /// Returns the value at a position with a given entry.
    #[inline]
    pub(super) fn value(self, place: Place, entry: &Entry) -> Option<ValueRef<'r>> {
        kind::read(entry.kind, self.values.get(place.value..entry.value_end)?)
    }

    /// Returns name, value and the next position.
    fn read(self, place: Place) -> Option<(&'r str, ValueRef<'r>, Place)> {
        let (entry, name) = self.name(place)?;
        let value = self.value(place, &entry)?;
        Some((std::str::from_utf8(name).ok()?, value, place.after(&entry)))
    }
}

/// Ends of a property's name and value, and the type of the value.
pub(super) struct Entry {
    name_end: usize,
    kind: u8,
    value_end: usize,
}

impl Entry {
    #[inline]
    fn read(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [name0, name1, name2, kind, value0, value1, value2] = bytes;
        Self { name_end: Self::end(name0, name1, name2), kind, value_end: Self::end(value0, value1, value2) }
    }

    #[inline]
    fn end(low: u8, middle: u8, high: u8) -> usize {
        usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16
    }
}

/// Where a recent row has a property.
#[derive(Clone, Debug)]
pub(crate) struct Near(Slot);

impl Default for Near {
    fn default() -> Self {
        Self(Slot::First)
    }
}

/// Index of a property, and the start of its name and value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    index: usize,
    name: usize,
    value: usize,
}

impl Place {
    /// Returns the position after the property of the given entry.
    #[inline]
    pub(super) const fn after(self, entry: &Entry) -> Self {
        Self { index: self.index + 1, name: entry.name_end, value: entry.value_end }
    }
}

/// Iterator over names and values, in order.
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

/// Two lists are equal if they contain the same names and values in the same order.
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
