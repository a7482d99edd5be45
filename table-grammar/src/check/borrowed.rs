//! Rules of `borrowed`: which entities and fields can be read in place.

use crate::{
    errors::Errors,
    parse::entity::EntityInput,
    types::{Named, TypeName},
};

pub(super) fn check(input: &EntityInput, errors: &mut Errors) {
    let Some(word) = input.words.borrowed.word() else {
        if let Some(name) = input.words.names.borrowed.get() {
            let message = "`names(borrowed = ..)` has no effect without a borrowed form";
            errors.add(&name.word, message, "add `borrowed`, or remove the name");
        }
        return;
    };
    if input.words.wide.get().is_some() {
        let message = "a wide entity has no borrowed form: its fields are in several rows";
        errors.add(word, message, "remove `borrowed`");
    }
    for field in &input.fields {
        let is_borrowed = matches!(TypeName::of(&field.ty).named, Named::String | Named::Binary);
        if let (true, Some(function)) = (is_borrowed, field.words.default_function()) {
            let message =
                format!("the borrowed form of `{}` cannot contain the result of a function", field.name());
            errors.add(
                function,
                message,
                "write `default` without a function, or remove `borrowed` from the struct",
            );
        }
        // These values are not stored as they are: they are converted to an owned value first.
        for (form, why) in [
            ("encrypt", "it is decrypted when it is read"),
            ("blob", "its bytes are not in the row"),
            ("series", "it is stored in several properties"),
            ("json", "it is parsed when it is read"),
        ] {
            if let Some(word) = field.words.word(form) {
                let message = format!("`{}` has no borrowed form: {why}", field.name());
                let help = "remove `borrowed` from the struct, and select the other fields with a projection";
                errors.add(word, message, help);
            }
        }
    }
}
