use std::collections::HashSet;

use super::Entity;
use crate::{
    ErrorCode, Name, Properties, TableError, Timestamp, Value,
    key::{self, KeyName, utf16_units},
    limits::{self, KeyLength},
    name,
};

impl Entity {
    /// Runs all checks that the service applies to an entity before it accesses the table: keys, names, values,
    /// property count and size.
    ///
    /// # Errors
    /// A key error as in [`key::check`], an invalid or duplicate property name, a value that is too large,
    /// `TooManyProperties`, or `EntityTooLarge`.
    pub fn check(&self, length: KeyLength) -> Result<(), TableError> {
        self.check_after(None, length)
    }

    /// Runs the checks of [`Entity::check`]. What the entity has in common with another one that passed them is not
    /// checked again: the PartitionKey, and the names.
    pub(crate) fn check_after(&self, passed: Option<&Self>, length: KeyLength) -> Result<(), TableError> {
        if passed.is_none_or(|passed| passed.partition_key != self.partition_key) {
            key::check(KeyName::Partition, &self.partition_key, length)?;
        }
        key::check(KeyName::Row, &self.row_key, length)?;
        check_properties(&self.properties, passed.map(|passed| &passed.properties))?;
        if self.size_at_most() <= limits::ENTITY_BYTES {
            return Ok(());
        }
        match self.size() {
            0..=limits::ENTITY_BYTES => Ok(()),
            size => Err(TableError::with_message(
                ErrorCode::EntityTooLarge,
                format!(
                    "The entity is larger than the maximum allowed size (1MB): it has {size} bytes. \
                     Keep large values elsewhere and store their address."
                ),
            )),
        }
    }
}

fn check_properties(properties: &Properties, passed: Option<&Properties>) -> Result<(), TableError> {
    if passed.is_some_and(|passed| has_names_of(properties, passed)) {
        return properties.iter().try_for_each(|(name, value)| check_value(name, value));
    }
    if properties.len() > limits::USER_PROPERTIES {
        return Err(TableError::new(ErrorCode::TooManyProperties));
    }
    for (name, value) in properties {
        name::check(name)?;
        check_value(name, value)?;
    }
    match twice(properties) {
        None => Ok(()),
        Some(name) => Err(TableError::with_message(
            ErrorCode::DuplicatePropertiesSpecified,
            format!("A property is specified more than one time: `{name}`."),
        )),
    }
}

/// Returns whether two entities have the same names in the same order. Names of typed code are static strings.
fn has_names_of(one: &Properties, other: &Properties) -> bool {
    let is_same = |((one, _), (other, _)): (&(Name, Value), &(Name, Value))| {
        (one.as_ptr(), one.len()) == (other.as_ptr(), other.len()) || one == other
    };
    one.len() == other.len() && one.iter().zip(other.iter()).all(is_same)
}

/// Returns a duplicate name. Pairwise comparison is faster than hashing for a small number of names.
fn twice(properties: &Properties) -> Option<&Name> {
    const FEW: usize = 16;
    let names = || properties.iter().map(|(name, _)| name);
    if properties.len() <= FEW {
        return names()
            .enumerate()
            .find_map(|(at, name)| names().take(at).any(|earlier| earlier == name).then_some(name));
    }
    let mut seen = HashSet::with_capacity(properties.len());
    names().find(|name| !seen.insert(*name))
}

fn check_value(name: &str, value: &Value) -> Result<(), TableError> {
    let too_large = |what: String| {
        let message = format!("{} `{name}` has {what}.", ErrorCode::PropertyValueTooLarge.message());
        Err(TableError::with_message(ErrorCode::PropertyValueTooLarge, message))
    };
    match value {
        // A UTF-16 unit is one to three bytes: a string with no more bytes than allowed units needs no count.
        Value::String(text) if text.len() > limits::STRING_UNITS => {
            let units = utf16_units(text);
            if units > limits::STRING_UNITS { too_large(format!("{units} characters")) } else { Ok(()) }
        }
        Value::Binary(bytes) if bytes.len() > limits::BINARY_BYTES => {
            too_large(format!("{} bytes", bytes.len()))
        }
        Value::DateTime(time) if *time < Timestamp::MIN_STORED => {
            let ((year, month, day), (hour, minute, second, _)) = (time.date(), time.time());
            Err(TableError::with_message(
                ErrorCode::OutOfRangeInput,
                format!(
                    "The '{name}' parameter of value '{month:02}/{day:02}/{year:04} \
                     {hour:02}:{minute:02}:{second:02}' is out of range."
                ),
            ))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(entity: &Entity) -> Option<ErrorCode> {
        entity.check(KeyLength::Strict).err().map(|error| error.code())
    }

    #[test]
    fn values_are_checked_at_their_limits() {
        let with = |value: Value| Entity::new("p", "r").with("P", value);
        assert_eq!(code(&with("é".repeat(32_768).into())), None);
        assert_eq!(code(&with("é".repeat(32_769).into())), Some(ErrorCode::PropertyValueTooLarge));
        assert_eq!(code(&with(vec![0_u8; 65_536].into())), None);
        assert_eq!(code(&with(vec![0_u8; 65_537].into())), Some(ErrorCode::PropertyValueTooLarge));
        assert_eq!(code(&with(Timestamp::MIN_STORED.into())), None);
        let error = with(Timestamp::MIN.into()).check(KeyLength::Strict).unwrap_err();
        assert_eq!(error.message(), "The 'P' parameter of value '01/01/0001 00:00:00' is out of range.");
    }

    #[test]
    fn what_differs_from_an_entity_that_passed_is_checked() {
        let passed = Entity::new("p", "r").with("A", 1).with("B", 2);
        passed.check(KeyLength::Strict).unwrap();
        let after = |entity: &Entity| {
            entity.check_after(Some(&passed), KeyLength::Strict).err().map(|error| error.code())
        };
        let same = || Entity::new("p", "s").with("A", "x").with("B", 4);
        assert_eq!(after(&same()), None);
        assert_eq!(after(&same().with("A", "\u{e9}".repeat(32_769))), Some(ErrorCode::PropertyValueTooLarge));
        assert_eq!(after(&Entity { row_key: "s#".into(), ..same() }), Some(ErrorCode::OutOfRangeInput));
        assert_eq!(after(&Entity { partition_key: "p#".into(), ..same() }), Some(ErrorCode::OutOfRangeInput));
        assert_eq!(after(&same().with("c-d", 1)), Some(ErrorCode::PropertyNameInvalid));
        let mut twice = Entity::new("p", "s");
        twice.properties.push_new("A", 1);
        twice.properties.push_new("A", 2);
        assert_eq!(after(&twice), Some(ErrorCode::DuplicatePropertiesSpecified));
        let mut large = passed.clone();
        for number in 0..20 {
            large.properties.push_new(format!("P{number}"), vec![0_u8; 65_000]);
        }
        assert_eq!(
            large.check_after(Some(&large), KeyLength::Strict).unwrap_err().code(),
            ErrorCode::EntityTooLarge
        );
    }

    #[test]
    fn count_size_and_names_are_checked_at_their_limits() {
        let many = |count: usize| {
            let mut entity = Entity::new("p", "r");
            entity.properties = (0..count).map(|n| (format!("P{n}"), 1)).collect();
            entity
        };
        assert_eq!(code(&many(252)), None);
        assert_eq!(code(&many(253)), Some(ErrorCode::TooManyProperties));

        // 8 for the keys, then 16 properties of 8 + 2 * 3 + bytes + 4.
        let sized = |last: usize| {
            let mut entity = Entity::new("p", "r");
            for n in 0..15 {
                entity.properties.push_new(format!("P{n:02}"), vec![0_u8; 65_536]);
            }
            entity.properties.push_new("P15", vec![0_u8; last]);
            entity
        };
        let last = limits::ENTITY_BYTES - sized(0).size();
        assert_eq!(code(&sized(last)), None);
        assert_eq!(code(&sized(last + 1)), Some(ErrorCode::EntityTooLarge));

        let mut twice = Entity::new("p", "r");
        twice.properties.push_new("A", 1);
        twice.properties.push_new("A", 2);
        assert_eq!(code(&twice), Some(ErrorCode::DuplicatePropertiesSpecified));
        let mut among_many = many(100);
        among_many.properties.push_new("P99", 1);
        assert_eq!(code(&among_many), Some(ErrorCode::DuplicatePropertiesSpecified));
        assert_eq!(code(&Entity::new("p", "r").with("a-b", 1)), Some(ErrorCode::PropertyNameInvalid));
        assert_eq!(code(&Entity::new("p#", "r")), Some(ErrorCode::OutOfRangeInput));
    }
}
