use std::borrow::Cow;

use table_schema::{
    key::{KeyKind, KeyReader as Text, KeyValue},
    template::{OrdNumber, Part, Shape},
};

use super::{Flag, Id, Num, Text as KeyText, Time};
use crate::design::{Design, Template};

/// Reader of the keys of a row, field by field: first the fields of the PartitionKey, then the fields of the RowKey.
/// `None` at any point means that the row is of another entity type.
///
/// A row matches only if encoding the values read from it yields the same key. `table-schema` checks this for each
/// field format. This reader also checks that each value converts back to its key form.
#[derive(Debug)]
pub struct KeyReader<'k> {
    /// The key that is being read, and the key that follows.
    current: Side<'k>,
    row: Option<Side<'k>>,
    /// Values of the PartitionKey's fields: remembered from an earlier row, or to be remembered.
    partition: Remembered<'k>,
    /// `true` if a field was skipped, so that its content was not checked.
    skipped: bool,
}

#[derive(Debug)]
struct Side<'k> {
    text: Text<'k>,
    parts: std::slice::Iter<'static, Part<'static>>,
}

#[derive(Debug)]
enum Remembered<'k> {
    Nothing,
    /// The values are collected while the PartitionKey is read.
    Collect(&'k mut PartitionFields),
    /// Rest of the values of an earlier row with the same PartitionKey.
    Known(std::slice::Iter<'k, KeyValue<'static>>),
}

/// Values of the fields of a PartitionKey, for the rows of a run that share it.
#[derive(Debug, Default)]
pub(crate) struct PartitionFields {
    /// The values, if the PartitionKey was read to its end.
    values: Vec<KeyValue<'static>>,
    is_complete: bool,
}

impl PartitionFields {
    /// Removes the values, for another PartitionKey.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.is_complete = false;
    }
}

/// A value read from a key.
struct Found<'k> {
    value: KeyValue<'k>,
    /// `true` if an earlier row contained the value, so that its conversion was checked.
    is_known: bool,
}

impl<'k> KeyReader<'k> {
    pub(crate) fn new(
        (partition, row): (&'static Template, &'static Template),
        partition_key: &'k str,
        row_key: &'k str,
    ) -> Self {
        let side = |kind, text, form: &'static table_schema::template::KeyForm<'static>| Side {
            text: Text::new(kind, text),
            parts: form.parts().iter(),
        };
        Self {
            current: side(KeyKind::Partition, partition_key, &partition.form),
            row: Some(side(KeyKind::Row, row_key, &row.form)),
            partition: Remembered::Nothing,
            skipped: false,
        }
    }

    /// Uses the values of an earlier row with the same PartitionKey, or collects them for later rows.
    fn remembering(self, fields: &'k mut PartitionFields) -> Self {
        let partition = if fields.is_complete {
            Remembered::Known(fields.values.iter())
        } else {
            // A row whose key did not match may have left values.
            fields.clear();
            Remembered::Collect(fields)
        };
        Self { partition, ..self }
    }

    /// Creates a reader of the keys of a row, with the values that are known from earlier rows. Returns `None` if the
    /// row belongs to a sibling type.
    pub(crate) fn of_row(
        design: &'static Design,
        (partition_key, row_key): (&'k str, &'k str),
        fields: Option<&'k mut PartitionFields>,
    ) -> Option<Self> {
        let is_known = fields.as_ref().is_some_and(|fields| fields.is_complete);
        let is_of_sibling = !is_known && design.partition.form.is_of_sibling(partition_key);
        if is_of_sibling || design.row.form.is_of_sibling(row_key) {
            return None;
        }
        let keys = Self::new((&design.partition, &design.row), partition_key, row_key);
        Some(match fields {
            Some(fields) => keys.remembering(fields),
            None => keys,
        })
    }

    /// Advances to the next field. Returns its shape, and the separator that ends a string there.
    fn hole(&mut self) -> Option<(Shape, Option<char>)> {
        loop {
            match self.current.parts.next() {
                Some(Part::Literal(text)) => self.current.text.literal(text).ok()?,
                Some(Part::Field { shape, .. }) => {
                    let separator = match self.current.parts.as_slice().first() {
                        Some(Part::Literal(text)) => text.chars().next(),
                        _ => None,
                    };
                    return Some((*shape, separator));
                }
                None => self.turn()?,
            }
        }
    }

    /// Finishes the PartitionKey and starts the RowKey.
    fn turn(&mut self) -> Option<()> {
        self.current.text.finish().ok()?;
        if let Remembered::Collect(fields) = &mut self.partition {
            fields.is_complete = true;
        }
        self.enter_row()
    }

    fn enter_row(&mut self) -> Option<()> {
        self.partition = Remembered::Nothing;
        self.current = self.row.take()?;
        Some(())
    }

    fn value(&mut self, is_float: bool) -> Option<Found<'k>> {
        if let Remembered::Known(values) = &mut self.partition {
            if let Some(value) = values.next() {
                return Some(Found { value: value.borrowed(), is_known: true });
            }
            self.enter_row()?;
        }
        let (shape, separator) = self.hole()?;
        let shape = shape.map_ord(|number| match number {
            Some(OrdNumber::Bits32) if is_float => Some(OrdNumber::F32),
            Some(OrdNumber::Bits64) if is_float => Some(OrdNumber::F64),
            other => other,
        });
        let value = self.current.text.value(shape, separator).ok()?;
        if let Remembered::Collect(fields) = &mut self.partition {
            fields.values.push(value.clone().into_owned());
        }
        Some(Found { value, is_known: false })
    }

    /// Reads a string.
    pub fn text<T: KeyText>(&mut self) -> Option<T> {
        let Found { value: KeyValue::Text(text), is_known } = self.value(false)? else { return None };
        T::from_text(&text).ok().filter(|value| is_known || value.to_text() == text)
    }

    /// Reads a string that is part of the key as it is. Returns `None` for an escaped string too, which is not.
    pub fn str(&mut self) -> Option<&'k str> {
        match self.value(false)?.value {
            KeyValue::Text(Cow::Borrowed(text)) => Some(text),
            _ => None,
        }
    }

    /// Reads a number. The formats `ord32` and `ord64` do not distinguish integers from floats; the type does.
    pub fn num<T: Num>(&mut self) -> Option<T> {
        let Found { value: number, is_known } = self.value(T::IS_FLOAT)?;
        T::from_number(number.clone()).ok().filter(|value| is_known || is_same(&value.to_number(), &number))
    }

    /// Reads a time. For a date format, this is the start of the period.
    pub fn time<T: Time>(&mut self) -> Option<T> {
        let Found { value: KeyValue::Ticks(ticks), is_known } = self.value(false)? else { return None };
        T::from_ticks(ticks)
            .ok()
            .filter(|value| is_known || value.to_ticks().is_ok_and(|again| again == ticks))
    }

    /// Reads a GUID.
    pub fn id<T: Id>(&mut self) -> Option<T> {
        let Found { value: KeyValue::Guid(bytes), is_known } = self.value(false)? else { return None };
        T::from_guid(bytes).ok().filter(|value| is_known || value.to_guid() == bytes)
    }

    /// Reads a Boolean.
    pub fn flag<T: Flag>(&mut self) -> Option<T> {
        let Found { value: KeyValue::Flag(flag), is_known } = self.value(false)? else { return None };
        T::from_flag(flag).ok().filter(|value| is_known || value.to_flag() == flag)
    }

    /// Skips a field whose value was read elsewhere.
    pub fn skip(&mut self) -> Option<()> {
        self.skipped = true;
        self.value(false).map(|_| ())
    }

    /// Checks that both keys end here. Returns whether the values of all fields were read.
    pub(crate) fn finish(mut self) -> Option<bool> {
        if let Remembered::Known(values) = &mut self.partition {
            if values.next().is_some() {
                return None;
            }
            self.enter_row()?;
        }
        loop {
            match self.current.parts.next() {
                Some(Part::Literal(text)) => self.current.text.literal(text).ok()?,
                Some(Part::Field { .. }) => return None,
                None if self.row.is_some() => self.turn()?,
                None => break,
            }
        }
        self.current.text.finish().ok()?;
        Some(!self.skipped)
    }
}

/// Compares two numbers. A format without a sign yields an unsigned number even for a signed type.
fn is_same(written: &KeyValue<'_>, read: &KeyValue<'_>) -> bool {
    match (written, read) {
        (KeyValue::Signed(written), KeyValue::Unsigned(read)) => u128::try_from(*written) == Ok(*read),
        (KeyValue::Unsigned(written), KeyValue::Signed(read)) => u128::try_from(*read) == Ok(*written),
        _ => written == read,
    }
}
