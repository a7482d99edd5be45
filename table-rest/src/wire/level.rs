//! The three levels of JSON metadata in responses.

use table_model::{ErrorCode, TableError};

/// The metadata level of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Level {
    /// Values only: the client must already have the types.
    None,
    /// Versions, and type annotations for types that JSON does not distinguish.
    #[default]
    Minimal,
    /// Addresses as well.
    Full,
}

impl Level {
    /// Returns the requested level. `$format` takes precedence over `Accept`; the first supported type of `Accept` is
    /// used. `*/*` selects the middle level.
    ///
    /// # Errors
    ///
    /// Returns an error with status 415: `AtomFormatNotSupported` if no type is specified, since Atom is the default,
    /// or if Atom is requested; `JsonVerboseFormatNotSupported`; `MediaTypeNotSupported` for all other types.
    pub fn asked(accept: Option<&str>, format: Option<&str>) -> Result<Self, TableError> {
        let format = format.filter(|format| !format.is_empty());
        let Some(asked) = format.or(accept).filter(|asked| !asked.trim().is_empty()) else {
            return Err(ErrorCode::AtomFormatNotSupported.into());
        };
        let mut refused = None;
        for media in asked.split(',') {
            match Self::of(media) {
                Ok(level) => return Ok(level),
                Err(code) => refused = refused.or(Some(code)),
            }
        }
        Err(refused.unwrap_or(ErrorCode::MediaTypeNotSupported).into())
    }

    fn of(media: &str) -> Result<Self, ErrorCode> {
        let mut parts = media.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let is = |known: &str| essence.eq_ignore_ascii_case(known);
        if is("application/atom+xml") || is("atom") || is("application/xml") {
            return Err(ErrorCode::AtomFormatNotSupported);
        }
        if is("*/*") || is("application/*") {
            return Ok(Self::Minimal);
        }
        if !is("application/json") && !is("json") {
            return Err(ErrorCode::MediaTypeNotSupported);
        }
        let odata = parts
            .filter_map(|part| part.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("odata"));
        let Some((_, value)) = odata else { return Ok(Self::Minimal) };
        let value = value.trim().trim_matches('"');
        match value {
            _ if value.eq_ignore_ascii_case("minimalmetadata") => Ok(Self::Minimal),
            _ if value.eq_ignore_ascii_case("nometadata") => Ok(Self::None),
            _ if value.eq_ignore_ascii_case("fullmetadata") => Ok(Self::Full),
            _ if value.eq_ignore_ascii_case("verbose") => Err(ErrorCode::JsonVerboseFormatNotSupported),
            _ => Err(ErrorCode::MediaTypeNotSupported),
        }
    }

    /// Returns the `Accept` value of a request.
    #[must_use]
    pub const fn accept(self) -> &'static str {
        match self {
            Self::None => "application/json;odata=nometadata",
            Self::Minimal => "application/json;odata=minimalmetadata",
            Self::Full => "application/json;odata=fullmetadata",
        }
    }

    /// Returns the content type of a response.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::None => "application/json;odata=nometadata;streaming=true;charset=utf-8",
            Self::Minimal => "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
            Self::Full => "application/json;odata=fullmetadata;streaming=true;charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_form_counts_and_format_goes_first() {
        let asked = |accept, format| Level::asked(accept, format).map_err(|error| error.code());
        for level in [Level::None, Level::Minimal, Level::Full] {
            assert_eq!(asked(Some(level.accept()), None), Ok(level));
            assert_eq!(asked(Some(level.content_type()), None), Ok(level));
            assert_eq!(asked(Some("application/atom+xml"), Some(level.accept())), Ok(level));
        }
        assert_eq!(asked(Some("application/json"), None), Ok(Level::Minimal));
        assert_eq!(
            asked(Some("text/plain, application/json; odata=NoMetadata;q=0.5, */*"), None),
            Ok(Level::None)
        );
        assert_eq!(asked(Some("*/*"), None), Ok(Level::Minimal));
        assert_eq!(asked(None, Some("json")), Ok(Level::Minimal));
        assert_eq!(asked(None, None), Err(ErrorCode::AtomFormatNotSupported));
        assert_eq!(asked(None, Some("atom")), Err(ErrorCode::AtomFormatNotSupported));
        assert_eq!(
            asked(Some("application/json;odata=verbose"), None),
            Err(ErrorCode::JsonVerboseFormatNotSupported)
        );
        assert_eq!(asked(Some("text/html"), None), Err(ErrorCode::MediaTypeNotSupported));
        assert_eq!(asked(Some("application/json;odata=other"), None), Err(ErrorCode::MediaTypeNotSupported));
    }
}
