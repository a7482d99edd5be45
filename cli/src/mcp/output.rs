//! Results of calls: bounded, and without credentials.

use table_rest::redacted;

use super::{failure::Failure, limits};

/// A result, before it is bounded.
#[derive(Debug)]
pub(super) enum Output {
    /// Text whose end can be omitted.
    Text(String),
    /// JSON, which is only complete.
    Json(String),
}

impl Output {
    /// Returns the text of the result, of at most [`limits::RESULT`] bytes and a note.
    ///
    /// # Errors
    /// Fails if JSON is longer.
    pub(super) fn bounded(self) -> Result<String, Failure> {
        match self {
            Self::Json(text) if text.len() > limits::RESULT => Err(Failure::new(
                format!(
                    "the result has {} KiB, and the limit is {} KiB",
                    text.len() >> 10,
                    limits::RESULT >> 10
                ),
                "select less: name one table or type, or the properties in `select`",
            )),
            Self::Json(text) => Ok(redacted(&text).into_owned()),
            Self::Text(text) => Ok(bounded(&text)),
        }
    }
}

/// Returns the first lines of a text, with a note if lines are omitted.
pub(super) fn bounded(text: &str) -> String {
    if text.len() <= limits::RESULT {
        return redacted(text).into_owned();
    }
    let ends = text.char_indices().map(|(at, character)| at + character.len_utf8());
    let end = ends.take_while(|end| *end <= limits::RESULT).last();
    let kept = end.and_then(|end| text.get(..end)).unwrap_or_default();
    let kept = kept.rsplit_once('\n').map_or(kept, |(lines, _)| lines);
    let (limit, length) = (limits::RESULT >> 10, text.len() >> 10);
    format!(
        "{}\n\n(cut after {limit} KiB of {length} KiB; pass a part of the design or fewer files, or a `code`)",
        redacted(kept)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_between_lines_and_long_json_is_an_error() {
        let line = "é".repeat(500) + "\n";
        let text = Output::Text(line.repeat(100)).bounded().unwrap();
        assert!(
            text.len() < limits::RESULT + 100 && text.contains("é\n\n(cut after 64 KiB of 97 KiB;"),
            "{text}"
        );
        let error = Output::Json(line.repeat(100)).bounded().unwrap_err().to_string();
        assert!(error.contains("the result has 97 KiB") && error.contains("\nremedy: "), "{error}");
        assert_eq!(Output::Json("{}".to_owned()).bounded().unwrap(), "{}");
    }

    #[test]
    fn credentials_are_hidden_in_all_results() {
        let text =
            r#"{"Note":"AccountName=a;AccountKey=c2VjcmV0c2VjcmV0","Url":"https://a/?sv=1&sig=c2VjcmV0"}"#;
        let shown = Output::Json(text.to_owned()).bounded().unwrap();
        assert!(!shown.contains("c2VjcmV0"), "{shown}");
        serde_json::from_str::<serde_json::Value>(&shown).unwrap();
    }
}
