//! Rows as read by a client.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use table_model::{ETag, ErrorCode, Rows, TableError, Timestamp, rows};

use super::parts::Parts;
use crate::wire::json::{Json, Members, Name, text_of};

/// Reads the response to a read of one entity. `etag` is the response header, used if the body contains no version.
///
/// # Errors
///
/// Returns `InternalError` if the body is not an entity or the version is missing.
pub fn read_row(body: &[u8], etag: Option<&ETag>) -> Result<Rows, TableError> {
    let mut rows = Rows::new();
    push(&mut rows, Members::of(body).map_err(unreadable)?, etag)?;
    Ok(rows)
}

/// Reads the response to a query at any metadata level. Without metadata, the version of a row is derived from its
/// timestamp.
///
/// # Errors
///
/// Returns `InternalError` if the body is not a list of entities.
pub fn read_rows(body: &[u8]) -> Result<Rows, TableError> {
    let mut rows = Rows::new();
    let mut refused = None;
    let mut json = serde_json::Deserializer::from_str(text_of(body).map_err(unreadable)?);
    let read =
        List { rows: &mut rows, refused: &mut refused }.deserialize(&mut json).and_then(|()| json.end());
    match (refused, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(unreadable(error)),
        (None, Ok(())) => Ok(rows),
    }
}

fn push(rows: &mut Rows, members: Members<'_>, etag: Option<&ETag>) -> Result<(), TableError> {
    let parts = Parts::of(members).map_err(unreadable)?;
    let timestamp: Option<Timestamp> =
        match parts.timestamp.map(Json::of_raw).transpose().map_err(unreadable)? {
            Some(Json::Text(text)) => Some(text.parse().map_err(unreadable)?),
            None | Some(Json::Null) => None,
            Some(_) => return Err(unreadable("a timestamp that is not a string")),
        };
    let etag = match (&parts.etag, etag) {
        (Some(text), _) => text.parse().map_err(unreadable)?,
        (None, Some(etag)) => etag.clone(),
        (None, None) => {
            timestamp.map(ETag::from).ok_or_else(|| unreadable("neither an ETag nor a timestamp"))?
        }
    };
    let head = rows::RowHead {
        etag,
        partition_key: parts.partition_key.as_deref(),
        row_key: parts.row_key.as_deref(),
        timestamp,
    };
    rows.push(head, parts.refs()).map_err(unreadable)
}

fn unreadable(reason: impl fmt::Display) -> TableError {
    TableError::with_message(
        ErrorCode::InternalError,
        format!("The response does not contain valid entities: {reason}"),
    )
}

/// The object that contains the list of rows.
struct List<'r> {
    rows: &'r mut Rows,
    refused: &'r mut Option<TableError>,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list as its `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(Name(name)) = map.next_key()? {
            if name == "value" && !found {
                found = true;
                map.next_value_seed(Elements { rows: self.rows, refused: self.refused })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if found { Ok(()) } else { Err(serde::de::Error::missing_field("value")) }
    }
}

struct Elements<'r> {
    rows: &'r mut Rows,
    refused: &'r mut Option<TableError>,
}

impl<'de> DeserializeSeed<'de> for Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(members) = elements.next_element()? {
            if let Err(error) = push(self.rows, members, None) {
                *self.refused = Some(error);
                return Err(serde::de::Error::custom("an element is not a valid entity"));
            }
        }
        Ok(())
    }
}
