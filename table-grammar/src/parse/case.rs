//! `rename_all`: case conversion of names.

use heck::{ToLowerCamelCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use syn::LitStr;

use crate::errors::mistake;

/// The case of all field or variant names, with the values of serde.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    Shouty,
}

const CASES: [(&str, Case); 6] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::Shouty),
];

impl Case {
    pub(crate) fn parse(text: &LitStr) -> syn::Result<Self> {
        let value = text.value();
        if let Some((_, case)) = CASES.iter().find(|(name, _)| *name == value) {
            return Ok(*case);
        }
        let known: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
        let help = table_schema::suggest::closest(&value, known.iter().copied()).map_or_else(
            || format!("supported: {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Err(mistake(text, format!("unknown case `{value}`"), help))
    }

    /// Converts a name to this case.
    pub(crate) fn apply(self, name: &str) -> String {
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
        let written = CASES.map(|(name, case)| (name, case.apply("first_name")));
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
