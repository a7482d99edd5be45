//! The parts of a JSON object: values are combined with their annotations, in any order of appearance.

use std::{borrow::Cow, collections::HashSet};

use serde_json::value::RawValue;
use table_model::{ErrorCode, TableError};

use crate::wire::{
    json::{Json, Members},
    value::{self, Read, malformed},
};

const ANNOTATION: &str = "@odata.type";

/// The parts of an object, of which only the form is checked.
#[derive(Debug, Default)]
pub(super) struct Parts<'de> {
    pub(super) etag: Option<Cow<'de, str>>,
    pub(super) partition_key: Option<Cow<'de, str>>,
    pub(super) row_key: Option<Cow<'de, str>>,
    /// `true` if a key is annotated with a type other than string.
    pub(super) has_typed_keys: bool,
    pub(super) timestamp: Option<&'de RawValue>,
    /// In order, without nulls.
    pub(super) properties: Vec<(Cow<'de, str>, Read<'de>)>,
}

impl<'de> Parts<'de> {
    pub(super) fn of(members: Members<'de>) -> Result<Self, TableError> {
        if members.is_cut {
            return Err(ErrorCode::TooManyProperties.into());
        }
        check_twice(&members)?;
        let mut annotations = Annotations::of(&members)?;
        let mut parts = Self { properties: Vec::with_capacity(members.list.len()), ..Self::default() };
        for (name, raw) in members.list {
            match &*name {
                "PartitionKey" | "RowKey" => {
                    parts.has_typed_keys |=
                        annotations.of_property(&name).is_some_and(|said| said != "Edm.String");
                    let place = if name == "RowKey" { &mut parts.row_key } else { &mut parts.partition_key };
                    *place = key(raw)?;
                }
                "Timestamp" => parts.timestamp = Some(raw),
                "odata.etag" => parts.etag = key(raw)?,
                other if other.starts_with("odata.") || other.contains("@odata.") => {}
                other => {
                    let read = value::read(Json::of_raw(raw)?, annotations.of_property(other))?;
                    parts.properties.extend(read.map(|read| (name, read)));
                }
            }
        }
        Ok(parts)
    }

    /// Iterates over names and values by reference.
    pub(super) fn refs(&self) -> impl Iterator<Item = (&str, table_model::ValueRef<'_>)> + Clone {
        self.properties.iter().map(|(name, value)| (&**name, value.as_ref()))
    }
}

/// Returns the string of a key, or `None` for null.
fn key(raw: &RawValue) -> Result<Option<Cow<'_, str>>, TableError> {
    match Json::of_raw(raw)? {
        Json::Text(text) => Ok(Some(text)),
        Json::Null => Ok(None),
        _ => Err(ErrorCode::InvalidInput.into()),
    }
}

/// Checks for duplicate names, which are case-sensitive. For few names, pairwise comparison is faster than hashing.
fn check_twice(members: &Members<'_>) -> Result<(), TableError> {
    const FEW: usize = 16;
    let names = || members.list.iter().map(|(name, _)| &**name);
    let twice = if members.list.len() <= FEW {
        names().enumerate().any(|(at, name)| names().take(at).any(|earlier| earlier == name))
    } else {
        let mut seen = HashSet::with_capacity(members.list.len());
        names().any(|name| !seen.insert(name))
    };
    if twice { Err(ErrorCode::DuplicatePropertiesSpecified.into()) } else { Ok(()) }
}

/// The type annotations of properties, usually looked up in order.
struct Annotations<'de> {
    list: Vec<(Cow<'de, str>, Cow<'de, str>)>,
    next: usize,
}

impl<'de> Annotations<'de> {
    fn of(members: &Members<'de>) -> Result<Self, TableError> {
        let mut list = Vec::new();
        for (name, raw) in &members.list {
            if !name.ends_with(ANNOTATION) {
                continue;
            }
            match Json::of_raw(raw)? {
                Json::Text(said) => list.push((name.clone(), said)),
                Json::Null => {}
                _ => return Err(malformed()),
            }
        }
        Ok(Self { list, next: 0 })
    }

    fn of_property(&mut self, property: &str) -> Option<&str> {
        let (before, from) = self.list.split_at_checked(self.next)?;
        let is_of = |(name, _): &(Cow<'_, str>, _)| name.strip_suffix(ANNOTATION) == Some(property);
        let ahead = from.iter().position(is_of).map(|at| self.next + at);
        let at = ahead.or_else(|| before.iter().position(is_of))?;
        self.next = at + 1;
        self.list.get(at).map(|(_, said)| &**said)
    }
}
