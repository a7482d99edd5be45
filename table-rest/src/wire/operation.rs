//! Entity writes as requests: method, address, condition and body.

use table_model::{Condition, ETag, Entity, ErrorCode, Operation, TableError, TableName};

use super::{entity::EntityBody, path::TablePath};

/// A write as a request, alone or inside a batch.
///
/// ```
/// use table_rest::wire::operation::WriteRequest;
/// use table_model::{Condition, ETag, Entity, Operation};
///
/// let table = "people".parse()?;
/// let operation = Operation::Merge(Entity::new("p", "r").with("Age", 35), Condition::Exists);
/// let request = WriteRequest::of(&table, &operation);
/// assert_eq!(request.method, "PATCH");
/// assert_eq!(request.path.to_string(), "/people(PartitionKey='p',RowKey='r')");
/// assert_eq!(request.if_match.as_deref(), Some("*"));
/// assert_eq!(request.head().read(request.body.as_bytes())?, operation);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    /// The method.
    pub method: &'static str,
    /// The address: the table for an insert, otherwise the entity.
    pub path: TablePath,
    /// The condition.
    pub if_match: Option<String>,
    /// The body; empty for a delete.
    pub body: String,
}

impl WriteRequest {
    /// Returns the request for a write.
    #[must_use]
    pub fn of(table: &TableName, operation: &Operation) -> Self {
        let path = || TablePath::Entity {
            table: table.to_string(),
            partition_key: operation.partition_key().to_owned(),
            row_key: operation.row_key().to_owned(),
        };
        let (method, path, condition) = match operation {
            Operation::Insert(_) => ("POST", TablePath::Entities(table.to_string()), None),
            Operation::Replace(_, condition) => ("PUT", path(), Some(condition)),
            Operation::InsertOrReplace(_) => ("PUT", path(), None),
            Operation::Merge(_, condition) => ("PATCH", path(), Some(condition)),
            Operation::Delete { condition, .. } => ("DELETE", path(), Some(condition)),
            Operation::InsertOrMerge(_) => ("PATCH", path(), None),
        };
        let if_match = condition.map(|condition| match condition {
            Condition::Exists => "*".to_owned(),
            Condition::Matches(etag) => etag.to_string(),
        });
        Self { method, path, if_match, body: operation.entity().map(EntityBody::write).unwrap_or_default() }
    }

    /// Returns the request without its body.
    #[must_use]
    pub fn head(&self) -> WriteHead<'_> {
        let if_match = self.if_match.as_deref();
        WriteHead { method: self.method, path: &self.path, if_match, if_none_match: None }
    }
}

/// The head of a write request.
#[derive(Clone, Copy, Debug)]
pub struct WriteHead<'a> {
    /// The effective method, after `X-HTTP-Method`.
    pub method: &'a str,
    /// The address.
    pub path: &'a TablePath,
    /// `If-Match`, if present.
    pub if_match: Option<&'a str>,
    /// `If-None-Match`, if present.
    pub if_none_match: Option<&'a str>,
}

impl WriteHead<'_> {
    /// Returns the write.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` for invalid conditions, a delete without a condition, and keys in the body that differ
    /// from the address; `PropertiesNeedValue` for an insert without keys; `MethodNotAllowed` for other methods; or an
    /// error of [`EntityBody::read`].
    pub fn read(&self, body: &[u8]) -> Result<Operation, TableError> {
        let TablePath::Entity { partition_key, row_key, .. } = self.path else {
            return self.insert(body);
        };
        let condition = self.condition()?;
        if self.method == "DELETE" {
            let (partition_key, row_key) = (partition_key.clone(), row_key.clone());
            let condition = condition.ok_or(ErrorCode::InvalidInput)?;
            return Ok(Operation::Delete { partition_key, row_key, condition });
        }
        let entity = || {
            let read = EntityBody::read(body)?;
            let differs = |said: Option<String>, key: &String| said.is_some_and(|said| said != *key);
            if differs(read.partition_key, partition_key) || differs(read.row_key, row_key) {
                return Err(ErrorCode::InvalidInput.into());
            }
            let (partition_key, row_key) = (partition_key.clone(), row_key.clone());
            Ok::<_, TableError>(Entity { partition_key, row_key, properties: read.properties })
        };
        match (self.method, condition) {
            ("PUT", None) => Ok(Operation::InsertOrReplace(entity()?)),
            ("PUT", Some(condition)) => Ok(Operation::Replace(entity()?, condition)),
            ("MERGE" | "PATCH", None) => Ok(Operation::InsertOrMerge(entity()?)),
            ("MERGE" | "PATCH", Some(condition)) => Ok(Operation::Merge(entity()?, condition)),
            _ => Err(ErrorCode::MethodNotAllowed.into()),
        }
    }

    fn insert(&self, body: &[u8]) -> Result<Operation, TableError> {
        let (TablePath::Entities(_), "POST") = (self.path, self.method) else {
            return Err(ErrorCode::MethodNotAllowed.into());
        };
        let read = EntityBody::read(body)?;
        if read.has_typed_keys {
            return Err(ErrorCode::InvalidInput.into());
        }
        match (read.partition_key, read.row_key) {
            (Some(partition_key), Some(row_key)) => {
                Ok(Operation::Insert(Entity { partition_key, row_key, properties: read.properties }))
            }
            _ => Err(ErrorCode::PropertiesNeedValue.into()),
        }
    }

    /// Returns the condition of `If-Match`, with the error message of the service if it is invalid.
    fn condition(&self) -> Result<Option<Condition>, TableError> {
        let invalid = |message: String| Err(TableError::with_message(ErrorCode::InvalidInput, message));
        match (self.if_match.map(str::trim), self.if_none_match) {
            (Some(_), Some(_)) => invalid(BOTH.to_owned()),
            (None, Some(_)) => invalid(format!(
                "If-None-Match HTTP header cannot be specified for {} operations.",
                self.method
            )),
            (Some("*"), None) => Ok(Some(Condition::Exists)),
            (Some(etag), None) => {
                let etag: ETag = etag.parse()?;
                // Some clients percent-decode the colons of a version, or write all digits of its fraction.
                let etag = etag.timestamp().map_or(etag, ETag::from);
                Ok(Some(Condition::Matches(etag)))
            }
            (None, None) => Ok(None),
        }
    }
}

const BOTH: &str = "Both If-Match and If-None-Match HTTP headers cannot be specified at the same time. Please specify \
    either one of the headers or none of them.";

/// Returns the effective method: the value of `X-HTTP-Method` if present.
///
/// # Errors
///
/// Returns `XMethodIncorrectCount`, `XMethodNotUsingPost` or `XMethodIncorrectValue`.
pub fn effective_method<'a>(
    method: &'a str,
    mut tunnelled: impl Iterator<Item = &'a str>,
) -> Result<&'a str, TableError> {
    let Some(verb) = tunnelled.next() else { return Ok(method) };
    if tunnelled.next().is_some() {
        return Err(ErrorCode::XMethodIncorrectCount.into());
    }
    if method != "POST" {
        return Err(ErrorCode::XMethodNotUsingPost.into());
    }
    match verb.trim() {
        verb @ ("MERGE" | "PATCH" | "PUT" | "DELETE") => Ok(verb),
        _ => Err(ErrorCode::XMethodIncorrectValue.into()),
    }
}

#[cfg(test)]
mod tests;
