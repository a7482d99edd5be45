//! Series: an array that is stored as several properties, such as `hours_00`, `hours_01` and so on.

use std::fmt;

use table_model::{Value, ValueRef};
use table_schema::static_design::StoredType;

use crate::{
    Patch, TableEntity, TableValue, ValueError,
    core::{
        declared::default_text,
        error::property::PropertyError,
        field::{Field, no_comparisons, take_or_default},
        properties::{Reader, Writer},
    },
};

/// The array type of a series.
pub trait Slots: Sized + 'static {
    /// Type of a slot.
    type Slot: 'static;

    /// Number of slots.
    const COUNT: usize;
}

impl<T: 'static, const N: usize> Slots for [T; N] {
    type Slot = T;
    const COUNT: usize = N;
}

/// A series of an entity: an array with a property for each slot, `#[table(series)]`.
///
/// A filter compares one slot: `filter(|e| e.hours.slot(13).gt(5))`.
pub struct Series<A: Slots> {
    /// Prefix of the property names.
    stem: &'static str,
    names: &'static [&'static str],
    put: fn(&A::Slot) -> Result<Option<Value>, ValueError>,
    take: fn(Option<ValueRef<'_>>) -> Result<A::Slot, ValueError>,
    /// Type of the slots.
    slot: StoredType,
}

impl<T: 'static, const N: usize> Series<[T; N]> {
    /// Creates a series that is stored under these names. This is the only function that requires the slot type to be a
    /// property type.
    #[doc(hidden)]
    pub const fn of(stem: &'static str, names: &'static [&'static str]) -> Self
    where
        T: TableValue,
    {
        assert!(N > 0, "a series must have at least one slot");
        let slot = StoredType { name: stem, kind: T::KIND, optional: T::OPTIONAL };
        Self { stem, names, put: T::put, take: T::take_ref, slot }
    }

    /// Sets the type's default as the value of missing slots: `#[table(series, default)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_default(self) -> Self
    where
        T: TableValue + Default,
    {
        Self { take: take_or_default::<T>, ..self }
    }

    /// Returns one slot for a filter, counted from 0. An index out of range is an error when the query runs or is
    /// explained.
    pub fn slot(&self, slot: usize) -> Field<T>
    where
        T: TableValue,
    {
        match self.name_of(slot) {
            Ok(name) => Field::of(name),
            Err(_) => Field::without_slot(self.stem, (slot, N)),
        }
    }

    /// Creates the series of a struct that has derive errors and does not compile, without requirements on its type.
    #[doc(hidden)]
    pub const fn unusable(stem: &'static str) -> Self {
        Self {
            stem,
            names: &[],
            put: |_| Err(ValueError::Missing),
            take: |_| Err(ValueError::Missing),
            slot: StoredType::json(stem),
        }
    }

    /// Returns the type of a slot for the design.
    #[doc(hidden)]
    pub const fn stored_type(&self) -> StoredType {
        self.slot
    }

    /// Returns the value of missing slots, for the declaration of the design.
    #[doc(hidden)]
    pub fn default_text(&self) -> String {
        let default = (self.take)(None).and_then(|value| (self.put)(&value));
        default_text(default.ok().flatten())
    }

    /// Returns the stored names, slot by slot.
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn name_of(&self, slot: usize) -> Result<&'static str, PropertyError> {
        let name = self.names.get(slot).copied();
        name.ok_or_else(|| PropertyError {
            property: self.stem.into(),
            reason: ValueError::NoSlot { slot, slots: N },
        })
    }

    /// Writes one slot.
    pub(crate) fn put_slot(&self, slot: usize, value: &T, into: &mut Writer) -> Result<(), PropertyError> {
        into.put(self.name_of(slot)?, (self.put)(value))
    }

    /// Writes all slots.
    #[doc(hidden)]
    pub fn put(&self, slots: &[T; N], into: &mut Writer) -> Result<(), PropertyError> {
        self.names.iter().zip(slots).try_for_each(|(name, slot)| into.put(name, (self.put)(slot)))
    }

    /// Reads all slots.
    #[doc(hidden)]
    pub fn take(&self, from: &mut Reader<'_>) -> Result<[T; N], PropertyError> {
        let slots = self.names.iter().map(|name| from.take(name, self.take));
        let slots: Vec<T> = slots.collect::<Result<_, _>>()?;
        slots
            .try_into()
            .map_err(|_| PropertyError { property: self.stem.into(), reason: ValueError::Missing })
    }

    /// Reads all slots into a projection.
    #[doc(hidden)]
    pub fn project<K>(&self, _key: &K, from: &mut Reader<'_>) -> Result<[T; N], PropertyError> {
        self.take(from)
    }
}

no_comparisons!(impl<A: Slots> Series<A>: SingleProperty);

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a series consists of several properties, but a filter compares a single property",
    label = "no slot specified",
    note = "compare one slot: `e.hours.slot(13).gt(5)`"
)]
pub trait SingleProperty {}

impl<E: TableEntity, S> Patch<E, S> {
    /// Sets one slot of a series. A missing slot is reported when the patch is sent.
    #[doc(hidden)]
    pub fn set_slot<T: 'static, const N: usize>(&mut self, series: &Series<[T; N]>, slot: usize, value: &T) {
        self.write(|into| series.put_slot(slot, value, into));
    }
}

impl<A: Slots> fmt::Debug for Series<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Series").field(&self.stem).field(&self.names.len()).finish()
    }
}

/// Creates a constant with the names of the slots of a series. Generated code is `__slots!("hours", [i32; 24])`. The
/// macro defines no items, because a constant in the array's type belongs to the user and can have any name.
#[doc(hidden)]
#[macro_export]
macro_rules! __slots {
    ($stem:literal, $array:ty) => {
        const {
            &$crate::__private::slots::names(
                const {
                    &$crate::__private::slots::spell::<
                        {
                            $crate::__private::slots::length(
                                $stem,
                                <$array as $crate::__private::Slots>::COUNT,
                            )
                        },
                        { <$array as $crate::__private::Slots>::COUNT },
                    >($stem)
                },
            )
        }
    };
}

/// Builds the names of slots at compile time.
pub mod names {
    /// Returns the length of each name in bytes: the stem, an underscore, and the digits of the greatest slot.
    pub const fn length(stem: &str, count: usize) -> usize {
        let (mut digits, mut greatest) = (1, count.saturating_sub(1));
        while greatest >= 10 {
            greatest /= 10;
            digits += 1;
        }
        stem.len() + 1 + digits
    }

    /// Returns the bytes of the names.
    #[expect(
        clippy::indexing_slicing,
        reason = "every index is below its length, or the program does not compile"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "a digit")]
    pub const fn spell<const LENGTH: usize, const COUNT: usize>(stem: &str) -> [[u8; LENGTH]; COUNT] {
        let stem = stem.as_bytes();
        let mut names = [[b'_'; LENGTH]; COUNT];
        let mut slot = 0;
        while slot < COUNT {
            let mut at = 0;
            while at < stem.len() {
                names[slot][at] = stem[at];
                at += 1;
            }
            let (mut number, mut at) = (slot, LENGTH - 1);
            while at > stem.len() {
                names[slot][at] = b'0' + (number % 10) as u8;
                number /= 10;
                at -= 1;
            }
            slot += 1;
        }
        names
    }

    /// Converts the bytes of the names to strings.
    #[expect(
        clippy::indexing_slicing,
        reason = "every index is below its length, or the program does not compile"
    )]
    pub const fn names<const LENGTH: usize, const COUNT: usize>(
        spelt: &'static [[u8; LENGTH]; COUNT],
    ) -> [&'static str; COUNT] {
        let mut names = [""; COUNT];
        let mut slot = 0;
        while slot < COUNT {
            // The bytes are always valid UTF-8, so no name stays empty. The service would reject an empty name.
            if let Ok(name) = std::str::from_utf8(&spelt[slot]) {
                names[slot] = name;
            }
            slot += 1;
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use table_model::Properties;

    use super::*;
    use crate::core::properties::tests::reading;

    const HOURS: Series<[Option<i32>; 12]> = Series::of("hours", crate::__slots!("hours", [Option<i32>; 12]));

    #[test]
    fn names_have_as_many_digits_as_the_greatest_slot() {
        assert_eq!(HOURS.names()[0], "hours_00");
        assert_eq!(HOURS.names()[11], "hours_11");
        assert_eq!(crate::__slots!("n", [u8; 1]), &["n_0"]);
        assert_eq!(crate::__slots!("n", [u8; 10])[9], "n_9");
        assert_eq!(crate::__slots!("tage_ü", [u8; 101])[7], "tage_ü_007");
    }

    #[test]
    fn an_empty_slot_is_an_absent_property() {
        let mut hours = [None; 12];
        hours[3] = Some(7);
        let mut writer = Writer::with_capacity(12);
        HOURS.put(&hours, &mut writer).unwrap();
        let properties = writer.into_properties();
        assert_eq!(properties, [("hours_03", 7)].into_iter().collect::<Properties>());
        assert_eq!(reading(&properties, |row| HOURS.take(row)), Ok(hours));
    }

    #[test]
    fn a_slot_that_must_be_there_is_named_when_it_is_not() {
        const COUNTS: Series<[i32; 3]> = Series::of("n", crate::__slots!("n", [i32; 3]));
        let properties: Properties = [("n_0", 1), ("n_2", 3)].into_iter().collect();
        let error = reading(&properties, |row| COUNTS.take(row)).unwrap_err();
        assert_eq!((error.property.as_ref(), error.reason), ("n_1", ValueError::Missing));
        assert_eq!(reading(&properties, |row| COUNTS.or_default().take(row)), Ok([1, 0, 3]));
    }

    #[test]
    fn a_slot_that_does_not_exist_is_an_error() {
        let error = HOURS.put_slot(12, &Some(1), &mut Writer::with_capacity(1)).unwrap_err();
        assert_eq!(error.reason, ValueError::NoSlot { slot: 12, slots: 12 });
        assert_eq!(HOURS.slot(12).gt(5).into_filter().unwrap_err(), error);
        assert_eq!(HOURS.slot(11).gt(5).into_filter().unwrap().to_string(), "hours_11 gt 5");
    }
}
