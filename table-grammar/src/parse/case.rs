//! `rename_all`: case conversion of names.

use heck::{ToLowerCamelCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use syn::LitStr;

use crate::errors::mistake;

/// The case of all field or variant names, with the values of serde.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `lowercase`
    Lower,
    /// `UPPERCASE`
    Upper,
    /// `PascalCase`
    Pascal,
    /// `camelCase`
    Camel,
    /// `snake_case`
    Snake,
    /// `SCREAMING_SNAKE_CASE`
    Shouty,
}

impl Case {
    /// The values of `rename_all`, with their cases.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("PascalCase", Self::Pascal),
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("SCREAMING_SNAKE_CASE", Self::Shouty),
    ];

    pub(crate) fn parse(text: &LitStr) -> syn::Result<Self> {
        let value = text.value();
        if let Some((_, case)) = Self::WORDS.iter().find(|(name, _)| *name == value) {
            return Ok(*case);
        }
        let known: Vec<&str> = Self::WORDS.iter().map(|(name, _)| *name).collect();
        let help = table_schema::suggest::closest(&value, known.iter().copied()).map_or_else(
            || format!("supported: {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Err(mistake(text, format!("unknown case `{value}`"), help))
    }

    /// Converts a name to this case.
    #[must_use]
    pub fn apply(self, name: &str) -> String {
        match self {
            Self::Lower => name.to_lowercase(),
            Self::Upper => name.to_uppercase(),
            Self::Pascal => name.to_upper_camel_case(),
            Self::Camel => name.to_lower_camel_case(),
            Self::Snake => name.to_snake_case(),
            Self::Shouty => name.to_shouty_snake_case(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_is_written_as_serde_writes_it() {
        let written = Case::WORDS.map(|(name, case)| (name, case.apply("first_name")));
        let expected = [
            ("lowercase", "first_name"),
            ("UPPERCASE", "FIRST_NAME"),
            ("PascalCase", "FirstName"),
            ("camelCase", "firstName"),
            ("snake_case", "first_name"),
            ("SCREAMING_SNAKE_CASE", "FIRST_NAME"),
        ];
        assert_eq!(written, expected.map(|(name, text)| (name, text.to_owned())));
    }

    #[test]
    fn a_case_that_properties_cannot_have_is_refused() {
        let text: LitStr = syn::parse_quote!("kebab-case");
        let error = Case::parse(&text).unwrap_err().to_string();
        assert!(error.contains("unknown case `kebab-case`"), "{error}");
    }
}
