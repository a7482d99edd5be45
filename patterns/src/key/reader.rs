use table_schema::{
    key::{KeyKind, KeyReader as Text, KeyValue},
    template::{OrdNumber, Part, Shape},
};

use super::{Flag, Id, Num, Text as KeyText, Time};
use crate::design::Template;

/// Reads the two keys of a row, hole by hole: those of the PartitionKey, then those of the RowKey. `None` at any point
/// says that the row is not of this kind.
///
/// A row is of this kind only if its key is the one that the values read from it would be written to. Of each hole's
/// format `table-schema` sees to that; here each value is asked for what it was read from.
#[derive(Debug)]
pub struct KeyReader<'k> {
    /// The key that is being read, and the one that comes after it.
    current: Side<'k>,
    row: Option<Side<'k>>,
    /// A hole was passed over: whether it holds what its field says is not known.
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

    /// The next hole: its shape, and the character that ends a text there.
    fn hole(&mut self) -> Option<(Shape, Option<char>)> {
        loop {
            match self.current.parts.next() {
                Some(Part::Literal(text)) => self.current.text.literal(text).ok()?,
                Some(Part::Hole { shape, .. }) => {
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

    /// Ends the PartitionKey and begins the RowKey.
    fn turn(&mut self) -> Option<()> {
        self.current.text.finish().ok()?;
        self.current = self.row.take()?;
        Some(())
    }

    fn value(&mut self) -> Option<KeyValue<'k>> {
        let (shape, separator) = self.hole()?;
        self.current.text.value(shape, separator).ok()
    }

    /// A text.
    pub fn text<T: KeyText>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Text(text) => T::from_text(&text).ok().filter(|value| value.to_text() == text),
            _ => None,
        }
    }

    /// A number. A bare `ord32` or `ord64` does not say whether it holds an integer or a float; the type does.
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

    /// A time; of a date format the first moment of its period.
    pub fn time<T: Time>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Ticks(ticks) => {
                T::from_ticks(ticks).ok().filter(|value| value.to_ticks().is_ok_and(|again| again == ticks))
            }
            _ => None,
        }
    }

    /// A GUID.
    pub fn id<T: Id>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Guid(bytes) => T::from_guid(bytes).ok().filter(|value| value.to_guid() == bytes),
            _ => None,
        }
    }

    /// True or false.
    pub fn flag<T: Flag>(&mut self) -> Option<T> {
        match self.value()? {
            KeyValue::Flag(flag) => T::from_flag(flag).ok().filter(|value| value.to_flag() == flag),
            _ => None,
        }
    }

    /// Passes over a hole of a field that was read from another.
    pub fn skip(&mut self) -> Option<()> {
        self.skipped = true;
        self.value().map(|_| ())
    }

    /// Both keys must end here. Whether every hole was read into a value.
    pub(crate) fn finish(mut self) -> Option<bool> {
        while let Some(side) = Some(&mut self.current) {
            match side.parts.next() {
                Some(Part::Literal(text)) => side.text.literal(text).ok()?,
                Some(Part::Hole { .. }) => return None,
                None if self.row.is_some() => self.turn()?,
                None => break,
            }
        }
        self.current.text.finish().ok()?;
        Some(!self.skipped)
    }
}

/// A format without a sign gives an unsigned number, also of a type that has one.
fn is_same(written: &KeyValue<'_>, read: &KeyValue<'_>) -> bool {
    match (written, read) {
        (KeyValue::Signed(written), KeyValue::Unsigned(read)) => u128::try_from(*written) == Ok(*read),
        (KeyValue::Unsigned(written), KeyValue::Signed(read)) => u128::try_from(*read) == Ok(*written),
        _ => written == read,
    }
}
