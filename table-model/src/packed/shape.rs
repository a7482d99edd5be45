use super::{ENTRY_BYTES, PropertiesRef};
use crate::value::ValueRef;

/// Names and types of the properties of a row, and where a reader found those that it looked up. Rows that one program
/// wrote usually have the same shape, so the positions of one row are valid in the next.
///
/// ```
/// use table_model::{Rows, Timestamp, ValueRef, packed::Shape, rows::RowHead};
///
/// let mut rows = Rows::new();
/// for age in [34, 35] {
///     let head = RowHead::whole("Sales", "1", Timestamp::UNIX_EPOCH);
///     rows.push(head, [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(age))])?;
/// }
/// let mut ages = Vec::new();
/// let mut shape: Option<Shape> = None;
/// for row in &rows {
///     // The second row has the shape of the first.
///     let shape = match &mut shape {
///         Some(shape) if shape.fits(row.properties) => shape,
///         shape => shape.insert(Shape::of(row.properties)),
///     };
///     ages.extend(shape.lookup(row.properties, 0, "Age"));
/// }
/// assert_eq!(ages, [ValueRef::Int32(34), ValueRef::Int32(35)]);
/// # Ok::<(), table_model::rows::TooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    /// End of the name and type, for each property.
    entries: Vec<[u8; 4]>,
    names: Vec<u8>,
    /// Results of lookups, in the order of the requests.
    lookups: Vec<Lookup>,
    /// Last result of [`were_read`](Self::were_read), with the number of lookups.
    read: Option<(usize, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Lookup {
    name: &'static str,
    slot: Slot,
}

/// Where the entry of a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The rows do not have the property.
    Missing,
    /// It is the first property.
    First,
    /// Position of the entry of the previous property.
    After(usize),
}

impl Slot {
    pub(super) fn at(index: usize) -> Self {
        match index.checked_sub(1) {
            None => Self::First,
            Some(before) => Self::After(before * ENTRY_BYTES),
        }
    }
}

impl Shape {
    /// Creates the shape of a row.
    #[must_use]
    pub fn of(properties: PropertiesRef<'_>) -> Self {
        let [entries, names, _] = properties.packed();
        let entries = entries.chunks_exact(ENTRY_BYTES).filter_map(|entry| entry.first_chunk().copied());
        Self { entries: entries.collect(), names: names.to_vec(), lookups: Vec::new(), read: None }
    }

    /// Returns whether a row has this shape: the same names and types in the same order.
    #[must_use]
    #[inline]
    pub fn fits(&self, properties: PropertiesRef<'_>) -> bool {
        let [entries, names, _] = properties.packed();
        let (entries, rest) = entries.as_chunks::<ENTRY_BYTES>();
        let is_same = |(known, [n0, n1, n2, kind, ..]): (&[u8; 4], &[u8; ENTRY_BYTES])| {
            *known == [*n0, *n1, *n2, *kind]
        };
        rest.is_empty()
            && self.entries.len() == entries.len()
            && self.names == names
            && self.entries.iter().zip(entries).all(is_same)
    }

    /// Returns the value of a property of a row of this shape. `number` counts the lookups in this row from 0. If the
    /// lookup with this number requested the same name in an earlier row, no names are compared.
    #[inline]
    pub fn lookup<'r>(
        &mut self,
        properties: PropertiesRef<'r>,
        number: usize,
        name: &'static str,
    ) -> Option<ValueRef<'r>> {
        let slot = match self.lookups.get(number) {
            Some(known) if std::ptr::eq(known.name, name) || known.name == name => known.slot,
            _ => self.learn(number, name),
        };
        properties.value_at(slot)
    }

    /// Returns whether a lookup among the first `count` returned each property whose name satisfies `is_relevant`. The
    /// result is remembered, so the predicate must be the same in each call.
    pub fn were_read(&mut self, count: usize, is_relevant: impl Fn(&[u8]) -> bool) -> bool {
        if let Some((known, were_read)) = self.read
            && known == count
        {
            return were_read;
        }
        let read = self.lookups.get(..count).unwrap_or_default();
        let is_read = |index: usize| read.iter().any(|lookup| lookup.slot == Slot::at(index));
        let were_read = self.names().enumerate().all(|(index, name)| is_read(index) || !is_relevant(name));
        self.read = Some((count, were_read));
        were_read
    }

    /// Searches a name and records the result. Lookups after this one are forgotten, because they follow another order.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, number: usize, name: &'static str) -> Slot {
        let index = self.names().position(|known| known == name.as_bytes());
        let slot = index.map_or(Slot::Missing, Slot::at);
        self.lookups.truncate(number);
        self.read = None;
        if self.lookups.len() == number {
            self.lookups.push(Lookup { name, slot });
        }
        slot
    }

    fn names(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.entries.iter().map_while(move |[n0, n1, n2, _]| {
            let end = usize::from(*n0) | usize::from(*n1) << 8 | usize::from(*n2) << 16;
            let name = self.names.get(start..end);
            start = end;
            name
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::pack;

    fn packed(properties: &[(&'static str, ValueRef<'static>)]) -> (usize, Vec<u8>) {
        let mut bytes = Vec::new();
        let count = pack(properties.iter().copied(), &mut bytes).unwrap();
        (count.into(), bytes)
    }

    const ROW: [(&str, ValueRef<'_>); 3] =
        [("A", ValueRef::Int32(1)), ("Bc", ValueRef::String("x")), ("D", ValueRef::Boolean(true))];

    #[test]
    fn other_names_types_and_counts_do_not_fit() {
        let (count, row) = packed(&ROW);
        let row = PropertiesRef::new(count, &row).unwrap();
        let shape = Shape::of(row);
        assert!(shape.fits(row));
        let others = [
            vec![ROW[0], ROW[1]],
            vec![ROW[0], ROW[1], ROW[2], ("E", ValueRef::Int32(1))],
            vec![("A", ValueRef::Int64(1)), ROW[1], ROW[2]],
            vec![("A", ValueRef::Int32(1)), ("Bd", ValueRef::String("x")), ROW[2]],
            // The same names in sequence, cut at another place.
            vec![("AB", ValueRef::Int32(1)), ("c", ValueRef::String("x")), ROW[2]],
            vec![ROW[1], ROW[0], ROW[2]],
            vec![],
        ];
        for other in others {
            let (count, bytes) = packed(&other);
            assert!(!shape.fits(PropertiesRef::new(count, &bytes).unwrap()), "{other:?}");
        }
        let (count, bytes) = packed(&[("A", ValueRef::Int32(9)), ("Bc", ValueRef::String("")), ROW[2]]);
        assert!(shape.fits(PropertiesRef::new(count, &bytes).unwrap()), "values are not part of a shape");
    }

    #[test]
    fn lookups_in_any_order_return_what_a_search_returns() {
        let (count, bytes) = packed(&ROW);
        let row = PropertiesRef::new(count, &bytes).unwrap();
        let mut shape = Shape::of(row);
        let orders: [&[&'static str]; 6] =
            [&["A", "Bc", "D"], &["A", "Bc", "D"], &["D", "A"], &["x", "Bc"], &["x", "Bc", "D", "A"], &["A"]];
        for names in orders {
            for (number, name) in names.iter().enumerate() {
                assert_eq!(shape.lookup(row, number, name), row.get(name), "{name} of {names:?}");
            }
        }
        assert_eq!(shape.lookup(row, 7, "D"), row.get("D"), "a skipped number is no error");
    }

    #[test]
    fn properties_that_no_lookup_returned_are_found() {
        let (count, bytes) = packed(&ROW);
        let row = PropertiesRef::new(count, &bytes).unwrap();
        let mut shape = Shape::of(row);
        assert!(shape.lookup(row, 0, "D").is_some() && shape.lookup(row, 1, "A").is_some());
        let is_relevant = |name: &[u8]| name != b"A";
        assert!(!shape.were_read(2, is_relevant) && !shape.were_read(2, is_relevant));
        assert!(shape.lookup(row, 2, "Bc").is_some());
        assert!(shape.were_read(3, is_relevant) && !shape.were_read(2, is_relevant));
        // Another lookup with the same number replaces what was remembered.
        assert!(shape.lookup(row, 1, "Bc").is_some());
        assert!(shape.were_read(2, is_relevant));
    }
}
