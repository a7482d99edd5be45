//! The words that mean something in a filter, and therefore name no property.

use super::Comparison;

/// Whether `word` can name no property, wherever it stands.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(word, "and" | "or" | "not" | "true" | "false" | "null" | "NaN" | "INF")
        || Comparison::from_word(word).is_some()
}

/// Arithmetic of the OData language. Between two operands the service answers `NotImplemented`; elsewhere these are
/// names like any other.
pub(super) fn is_arithmetic(word: &str) -> bool {
    matches!(word, "add" | "sub" | "mul" | "div" | "mod")
}

/// Functions of the OData language, none of which the service has.
pub(super) fn is_function(word: &str) -> bool {
    const FUNCTIONS: [&str; 28] = [
        "all",
        "any",
        "cast",
        "ceiling",
        "concat",
        "contains",
        "day",
        "endswith",
        "floor",
        "hour",
        "indexof",
        "isof",
        "length",
        "minute",
        "month",
        "now",
        "replace",
        "round",
        "second",
        "startswith",
        "substring",
        "substringof",
        "time",
        "date",
        "tolower",
        "toupper",
        "trim",
        "year",
    ];
    FUNCTIONS.contains(&word)
}
