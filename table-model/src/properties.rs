//! Properties of an entity: names and values in insertion order.

use std::collections::{HashMap, HashSet};

use crate::{ErrorCode, Name, TableError, Value, ValueRef};

/// Properties by name, in insertion order. Names are case-sensitive and unique.
///
/// Lookups are linear: an entity has at most 252 properties.
///
/// ```
/// use table_model::{Properties, Value};
///
/// let mut properties = Properties::new();
/// properties.set("Age", 34);
/// properties.set("Name", "Jo");
/// properties.set("Age", 35);
/// assert_eq!(properties.get("Age"), Some(&Value::from(35)));
/// assert_eq!(properties.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties(Vec<(Name, Value)>);

impl Properties {
    /// Creates an empty list of properties.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates an empty list with capacity for `count` properties.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// Creates a list from pairs in the given order.
    ///
    /// # Errors
    /// `DuplicatePropertiesSpecified` if a name occurs twice.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (Name, Value)>) -> Result<Self, TableError> {
        let mut properties = Self::new();
        let mut seen = HashSet::new();
        for (name, value) in pairs {
            if !seen.insert(name.clone()) {
                return Err(TableError::with_message(
                    ErrorCode::DuplicatePropertiesSpecified,
                    format!("A property is specified more than one time: `{name}`."),
                ));
            }
            properties.push_new(name, value);
        }
        Ok(properties)
    }

    /// Appends a property without checking for a duplicate name. Decoders and generated code use this for names that
    /// are known to be new. [`Entity::check`](crate::Entity::check) detects duplicates later.
    pub fn push_new(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// Sets a property. An existing property keeps its position.
    pub fn set(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot)) => *slot = value,
            None => self.0.push((name, value)),
        }
    }

    /// Returns the value of a property.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Removes a property and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no properties.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the properties in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Name, Value)> {
        self.0.iter()
    }

    /// Iterates over borrowed properties in order, in the form required by [`Rows::push`](crate::Rows::push).
    pub fn refs(&self) -> impl Iterator<Item = (&str, ValueRef<'_>)> + Clone {
        self.0.iter().map(|(name, value)| (&**name, value.as_ref()))
    }
}

impl IntoIterator for Properties {
    type Item = (Name, Value);
    type IntoIter = std::vec::IntoIter<(Name, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Properties {
    type Item = &'a (Name, Value);
    type IntoIter = std::slice::Iter<'a, (Name, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// For duplicate names, the last pair is used.
impl<N: Into<Name>, V: Into<Value>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        // `set` would be quadratic: the pairs may come from outside, and their number is only checked later.
        let mut properties: Vec<(Name, Value)> = Vec::new();
        let mut places: HashMap<Name, usize> = HashMap::new();
        for (name, value) in pairs {
            let (name, value) = (name.into(), value.into());
            if let Some((_, slot)) = places.get(&name).and_then(|&place| properties.get_mut(place)) {
                *slot = value;
            } else {
                places.insert(name.clone(), properties.len());
                properties.push((name, value));
            }
        }
        Self(properties)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_pairs_of_one_name_the_last_stays_in_the_place_of_the_first() {
        let properties: Properties = [("A", 1), ("B", 2), ("A", 3)].into_iter().collect();
        let pairs: Vec<_> = properties.into_iter().collect();
        assert_eq!(pairs, [("A".into(), Value::from(3)), ("B".into(), Value::from(2))]);
    }
}
