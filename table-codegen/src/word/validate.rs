//! `validate_function`: the function that checks an entity before it is written. Only the code can call it.

use table_schema::catalogue::Code;

use super::{Word, json, quote, text};
use crate::diagnostic::Found;

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let Some(given) = keys.text("validate_function", "check", found) else { return };
        if syn::parse_str::<syn::Path>(given.text).is_ok() {
            design.validate = Some(given.text.to_owned());
            return;
        }
        let message = format!("{:?} is no path of a function", given.text);
        let place = given.value.inner();
        found.push(Found::new(Code::D027, &place, message).label("such as `check` or `rules::check`"));
    },
    write: |entity, lines| lines.some("validate_function", entity.validate.as_deref().map(text)),
    hash: |entity| entity.validate.iter().map(|path| ("validate", json!(path))).collect(),
    sentence: |entity| {
        Some(format!("`{}` checks each entity before it is written.", entity.validate.as_ref()?))
    },
    attributes: |_, entity| {
        let path = entity.validate.as_deref().and_then(|path| syn::parse_str::<syn::Path>(path).ok());
        path.map(|path| quote!(validate = #path)).into_iter().collect()
    },
    ..Word::NONE
};
