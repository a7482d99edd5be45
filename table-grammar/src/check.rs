//! Validation of an entity: the rules of `table-schema` at their tokens, and rules that concern only Rust.

mod blob;
mod borrowed;
mod flatten;
pub(crate) mod nested;
mod places;
mod rust;

use syn::LitStr;
use table_schema::{
    catalogue::{Code, Severity},
    design::EntityDesign,
    rules,
};

use crate::{errors::Errors, parse::entity::EntityInput};

/// A warning: the design is valid but has a known disadvantage. Contains the message and the template it refers to.
#[derive(Debug)]
pub struct Warning {
    /// The message, its code and the remedy.
    pub text: String,
    /// The template.
    pub place: LitStr,
}

/// Checks all rules. Returns the warnings, since a macro cannot print them itself.
pub(crate) fn entity(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for mistake in rules::check(design) {
        if mistake.code == Code::D006 && input.words.may_be_incomplete {
            continue;
        }
        if mistake.code == Code::D019 && input.words.misread_shard {
            continue;
        }
        match mistake.severity() {
            Severity::Error => errors.add_found(places::tokens(input, &mistake.place), &mistake),
            Severity::Warning | Severity::Note => warnings.extend(
                places::template(input, &mistake.place)
                    .map(|place| Warning { text: mistake.with_code(), place: place.clone() }),
            ),
        }
    }
    rust::check(input, design, errors);
    blob::check(input, errors);
    borrowed::check(input, errors);
    flatten::check(input, errors);
    warnings
}
