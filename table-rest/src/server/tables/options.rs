//! Query options.

use std::borrow::Cow;

use table_model::{ErrorCode, Filter, Name, TableError};

use crate::wire::{entity::Selected, query_string::QueryString};

/// The values of `$filter`, `$select` and `$top`. Empty values are ignored.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) filter: Option<Filter>,
    pub(super) select: Option<Selection>,
    pub(super) top: Option<u32>,
}

/// Property names in order and without duplicates, with the string that they were parsed from.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) names: Vec<Name>,
    text: String,
}

/// OData options that the service does not support.
const NOT_THERE: [&str; 8] =
    ["$apply", "$count", "$expand", "$inlinecount", "$orderby", "$search", "$skip", "$skiptoken"];

impl Options {
    /// Reads the options of a query.
    ///
    /// # Errors
    ///
    /// Returns `NotImplemented` for options that the service does not support; `InvalidInput` for unknown options,
    /// duplicate options and invalid values.
    pub(super) fn of(query: &QueryString) -> Result<Self, TableError> {
        for (name, _) in query.iter().filter(|(name, _)| name.starts_with('$')) {
            match name {
                "$filter" | "$select" | "$top" | "$format" if query.count(name) == 1 => {}
                name if NOT_THERE.contains(&name) => return Err(ErrorCode::NotImplemented.into()),
                _ => return Err(ErrorCode::InvalidInput.into()),
            }
        }
        let filter = query.said("$filter").map(filter).transpose()?;
        let select = query.said("$select").and_then(Selection::of);
        let top = query
            .said("$top")
            .map(|top| top.trim().parse().map_err(|_| ErrorCode::InvalidInput))
            .transpose()?;
        Ok(Self { filter, select, top })
    }
}

/// Returns only the message of the service; parser hints are for authors of filters.
fn filter(text: &str) -> Result<Filter, TableError> {
    Filter::parse(text).map_err(|error| TableError::with_message(error.code(), error.message()))
}

impl Selection {
    /// Returns `None` if all properties are selected.
    fn of(text: &str) -> Option<Self> {
        let mut names: Vec<Name> = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if name == "*" {
                return None;
            }
            if !names.iter().any(|known| known == name) {
                names.push(Cow::Owned(name.to_owned()));
            }
        }
        (!names.is_empty()).then(|| Self { names, text: text.trim().to_owned() })
    }

    pub(super) fn echo(&self) -> Selected<'_> {
        Selected { names: &self.names, text: &self.text }
    }

    /// Returns the selected names and the key properties, which the response needs even if the client does not.
    pub(super) fn with_keys(&self) -> Vec<Name> {
        let mut names = self.names.clone();
        for key in ["PartitionKey", "RowKey"] {
            if !names.iter().any(|name| name == key) {
                names.push(Cow::Borrowed(key));
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(raw: &str) -> Result<Options, ErrorCode> {
        Options::of(&QueryString::parse(raw).unwrap()).map_err(|error| error.code())
    }

    #[test]
    fn empty_options_say_nothing() {
        let read = options("$select=&$filter=&$top=&$format=&timeout=5&sig=x").unwrap();
        assert!(read.filter.is_none() && read.select.is_none() && read.top.is_none());
        assert!(options("$select=A,*").unwrap().select.is_none());
        assert_eq!(options("$top=0").unwrap().top, Some(0));
        let select = options("%24select=A,+B,A").unwrap().select.unwrap();
        assert_eq!(select.names, ["A", "B"]);
        assert_eq!(select.echo().text, "A, B,A");
    }

    #[test]
    fn what_the_service_has_not_is_refused() {
        for (raw, code) in [
            ("$orderby=A", ErrorCode::NotImplemented),
            ("$skip=1", ErrorCode::NotImplemented),
            ("$skiptoken=x", ErrorCode::NotImplemented),
            ("$filter=startswith(A,'b')", ErrorCode::NotImplemented),
            ("$unknown=1", ErrorCode::InvalidInput),
            ("$Filter=A", ErrorCode::InvalidInput),
            ("$top=-1", ErrorCode::InvalidInput),
            ("$top=x", ErrorCode::InvalidInput),
            ("$top=1&$top=2", ErrorCode::InvalidInput),
            ("$filter=A eq", ErrorCode::InvalidInput),
        ] {
            assert_eq!(options(raw).err(), Some(code), "{raw}");
        }
        let error = Options::of(&QueryString::parse("$filter=aaa bbb ccc").unwrap()).unwrap_err();
        assert_eq!(error.message(), "Syntax error at position 7 in 'aaa bbb ccc'.");
    }
}
