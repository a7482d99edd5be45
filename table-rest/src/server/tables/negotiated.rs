//! The requested response format, of a request or a batch part.

use http::header;
use table_model::{ErrorCode, TableError};

use crate::{
    server::Call,
    wire::{batch::Part, level::Level, query_string::QueryString},
};

/// The format of a response.
#[derive(Clone, Debug)]
pub(super) struct Negotiated {
    /// If nothing is returned, an unsupported level is not an error.
    pub(super) level: Result<Level, TableError>,
    pub(super) preference: Option<Preference>,
}

/// The choice whether an insert returns the stored entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    Content,
    NoContent,
}

impl Preference {
    fn of(said: &str) -> Option<Self> {
        said.split([',', ';']).find_map(|token| match token.trim() {
            token if token.eq_ignore_ascii_case("return-content") => Some(Self::Content),
            token if token.eq_ignore_ascii_case("return-no-content") => Some(Self::NoContent),
            _ => None,
        })
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Content => "return-content",
            Self::NoContent => "return-no-content",
        }
    }
}

impl Negotiated {
    pub(super) fn of_call(call: &Call) -> Self {
        Self {
            level: Level::asked(call.header(header::ACCEPT), call.query.get("$format")),
            preference: call.header("prefer").and_then(Preference::of),
        }
    }

    /// A batch part without headers gets minimal metadata.
    pub(super) fn of_part(part: &Part<'_>) -> Self {
        let format =
            QueryString::parse(part.query).ok().and_then(|query| query.said("$format").map(str::to_owned));
        let level = match (part.headers.get("accept"), format) {
            (None, None) => Ok(Level::Minimal),
            (accept, format) => Level::asked(accept, format.as_deref()),
        };
        Self { level, preference: part.headers.get("prefer").and_then(Preference::of) }
    }

    /// Returns the metadata level for the stored entity, or `None` if it is not returned.
    pub(super) fn echo(&self) -> Result<Option<Level>, TableError> {
        match self.preference {
            Some(Preference::NoContent) => Ok(None),
            None | Some(Preference::Content) => self.level.clone().map(Some),
        }
    }
}

/// Checks that a specified content type is JSON.
pub(super) fn check_json(content_type: Option<&str>) -> Result<(), TableError> {
    let Some(essence) = content_type.and_then(|said| said.split(';').next()).map(str::trim) else {
        return Ok(());
    };
    if essence.is_empty() || essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    if essence.eq_ignore_ascii_case("application/atom+xml") {
        return Err(ErrorCode::AtomFormatNotSupported.into());
    }
    Err(ErrorCode::MediaTypeNotSupported.into())
}
