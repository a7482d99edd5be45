//! Keywords of the filter language, which cannot be property names.

use super::Comparison;

/// Returns whether `word` can never be a property name in a filter.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(word, "and" | "or" | "not" | "true" | "false" | "null" | "NaN" | "INF")
        || Comparison::from_word(word).is_some()
}

/// Returns whether `word` is an arithmetic operator of OData. Between two operands the service returns
/// `NotImplemented`; elsewhere these words are ordinary names.
pub(super) fn is_arithmetic(word: &str) -> bool {
    matches!(word, "add" | "sub" | "mul" | "div" | "mod")
}

/// Returns whether `word` is an OData function. The service supports none of them.
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
