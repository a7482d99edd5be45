use table_schema::{
    key::{KeyKind, KeyReader as Text, KeyValue},
    template::{OrdNumber, Part, Shape},
};

use super::{Flag, Id, Num, Text as KeyText, Time};
use crate::design::Template;

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
    /// `true` if a field was skipped, so that its content was not checked.
    skipped: bool,
}

#[derive(Debug)]
struct Side<'k> {
    text: Text<'k>,
    parts: std::slice::Iter<'static, Part<'static>>,
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
            skipped: false,
        }
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
        self.current = self.row.take()?;
        Some(())
    }

    fn value(&mut self) -> Option<KeyValue<'k>> {
        let (shape, separator) = self.hole()?;
        self.current.text.value(shape, separator).ok()
    }

    /// Reads a string.
    pub fn text<T: KeyText>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Text(text) => T::from_text(&text).ok().filter(|value| value.to_text() == text),
            _ => None,
        }
    }

    /// Reads a number. The formats `ord32` and `ord64` do not distinguish integers from floats; the type does.
    pub fn num<T: Num>(&mut self) -> Option<T> {
        let (shape, separator) = self.hole()?;
        let shape = match shape {
            Shape::Ord(Some(OrdNumber::Bits32)) if T::IS_FLOAT => Shape::Ord(Some(OrdNumber::F32)),
            Shape::Ord(Some(OrdNumber::Bits64)) if T::IS_FLOAT => Shape::Ord(Some(OrdNumber::F64)),
            other => other,
        };
        let number = self.current.text.value(shape, separator).ok()?;
        T::from_number(number.clone()).ok().filter(|value| is_same(&value.to_number(), &number))
    }

    /// Reads a time. For a date format, this is the start of the period.
    pub fn time<T: Time>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Ticks(ticks) => {
                T::from_ticks(ticks).ok().filter(|value| value.to_ticks().is_ok_and(|again| again == ticks))
            }
            _ => None,
        }
    }

    /// Reads a GUID.
    pub fn id<T: Id>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Guid(bytes) => T::from_guid(bytes).ok().filter(|value| value.to_guid() == bytes),
            _ => None,
        }
    }

    /// Reads a Boolean.
    pub fn flag<T: Flag>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Flag(flag) => T::from_flag(flag).ok().filter(|value| value.to_flag() == flag),
            _ => None,
        }
    }

    /// Skips a field whose value was read elsewhere.
    pub fn skip(&mut self) -> Option<()> {
        self.skipped = true;
        self.value().map(|_| ())
    }

    /// Checks that both keys end here. Returns whether the values of all fields were read.
    pub(crate) fn finish(mut self) -> Option<bool> {
        while let Some(side) = Some(&mut self.current) {
            match side.parts.next() {
                Some(Part::Literal(text)) => side.text.literal(text).ok()?,
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
