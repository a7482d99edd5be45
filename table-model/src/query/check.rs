use super::Query;
use crate::{
    ErrorCode, Filter, Name, Result, TableError,
    limits::{SEGMENT_ENTITIES, SELECT_NAMES},
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

/// Returns the maximum number of results of a segment.
///
/// # Errors
/// `InvalidInput` if more than 1,000 are requested.
pub fn check_top(top: Option<u32>) -> Result<usize> {
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
