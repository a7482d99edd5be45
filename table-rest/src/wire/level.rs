//! How much an answer says about itself: the three levels of JSON metadata.

use table_store::{ErrorCode, TableError};

/// The level of metadata in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Level {
    /// Values only: what a client must know of types it has to know beforehand.
    None,
    /// Versions, and types where JSON has none.
    #[default]
    Minimal,
    /// Addresses as well.
    Full,
}

impl Level {
    /// What a request asks for. `$format` goes before `Accept`; of the forms that are accepted the first that is known
    /// counts. `*/*` is the middle level.
    ///
    /// # Errors
    /// 415: `AtomFormatNotSupported` if nothing is said, as the default is Atom, or if it is asked for;
    /// `JsonVerboseFormatNotSupported`; `MediaTypeNotSupported` for all else.
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
        match odata.map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase()).as_deref() {
            None | Some("minimalmetadata") => Ok(Self::Minimal),
            Some("nometadata") => Ok(Self::None),
            Some("fullmetadata") => Ok(Self::Full),
            Some("verbose") => Err(ErrorCode::JsonVerboseFormatNotSupported),
            Some(_) => Err(ErrorCode::MediaTypeNotSupported),
        }
    }

    /// What a client asks for.
    #[must_use]
    pub const fn accept(self) -> &'static str {
        match self {
            Self::None => "application/json;odata=nometadata",
            Self::Minimal => "application/json;odata=minimalmetadata",
            Self::Full => "application/json;odata=fullmetadata",
        }
    }

    /// What an answer says it is.
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
