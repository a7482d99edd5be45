use super::Query;
use crate::{
    ErrorCode, Filter, Name, Result, TableError, TableName,
    filter::PropertySource,
    limits::{SEGMENT_ENTITIES, SELECT_NAMES},
    service::ListTables,
    value::ValueRef,
};

impl Query {
    /// Checks the request before the table is accessed, except for its token. Returns the maximum number of entities of a
    /// segment.
    ///
    /// # Errors
    /// `InvalidInput` if the filter, the selection or the segment size is invalid.
    pub fn check(&self) -> Result<usize> {
        let top = check_top(self.top)?;
        check_select(self.select.as_deref())?;
        self.filter.as_ref().map_or(Ok(()), Filter::check)?;
        Ok(top)
    }
}

impl ListTables {
    /// Checks the request, except for its token. Returns the maximum number of names of a segment.
    ///
    /// # Errors
    /// `InvalidInput` if the filter or the segment size is invalid.
    pub fn check(&self) -> Result<usize> {
        let top = check_top(self.top)?;
        self.filter.as_ref().map_or(Ok(()), Filter::check)?;
        Ok(top)
    }

    /// Returns whether the filter accepts a table.
    #[must_use]
    pub fn accepts(&self, table: &TableName) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.matches(&Listed(table)))
    }
}

/// A table as the source of a filter. Its only property is its name as created.
struct Listed<'n>(&'n TableName);

impl PropertySource for Listed<'_> {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        (name == "TableName").then(|| ValueRef::String(self.0.as_str()))
    }
}

/// Returns the maximum number of results of a segment.
fn check_top(top: Option<u32>) -> Result<usize> {
    match top.map(usize::try_from) {
        None => Ok(SEGMENT_ENTITIES),
        Some(Ok(top)) if top <= SEGMENT_ENTITIES => Ok(top),
        Some(_) => Err(TableError::with_message(
            ErrorCode::InvalidInput,
            format!(
                "A segment contains at most {SEGMENT_ENTITIES} results. Request 0 to {SEGMENT_ENTITIES}."
            ),
        )),
    }
}

/// Checks the number of selected properties.
///
/// # Errors
/// `InvalidInput` if it exceeds [`SELECT_NAMES`].
pub fn check_select(select: Option<&[Name]>) -> Result<()> {
    match select.map_or(0, <[Name]>::len) {
        0..=SELECT_NAMES => Ok(()),
        count => Err(TableError::with_message(
            ErrorCode::InvalidInput,
            format!("The selection has {count} names; at most {SELECT_NAMES} are allowed."),
        )),
    }
}
