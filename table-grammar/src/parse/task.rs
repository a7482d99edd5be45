//! Input of `#[derive(Task)]`.

use syn::{DeriveInput, Ident, LitStr, Path, ext::IdentExt, meta::ParseNestedMeta};

use crate::{
    errors::Errors,
    parse::attribute::{Slot, each_word_of, number, text, value},
    words::Level,
};

const ON_TYPE: Level = Level::new("the task", &["queue", "name", "poison_after", "crate"]);

/// Maximum length of a queue name, so that the name with the suffix `-poison` is valid.
const MOST: usize = 56;

/// A type whose values are sent as messages.
#[derive(Debug)]
pub struct TaskInput {
    /// The identifier of the type.
    pub ident: Ident,
    /// The name in messages.
    pub name: String,
    /// The name of the queue.
    pub queue: String,
    /// The number of failed or unfinished runs after which a message moves to the poison queue.
    pub poison_after: Option<u32>,
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub krate: Option<Path>,
}

impl TaskInput {
    /// Reads the input of `#[derive(Task)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns `None` if the type is generic, or if its queue is missing or invalid.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, ident, generics, .. } = input;
        let (mut queue, mut name) = (Slot::<LitStr>::default(), Slot::<LitStr>::default());
        let (mut poison_after, mut krate) = (Slot::default(), Slot::default());
        let take = |word: &str, meta: &ParseNestedMeta<'_>| {
            match word {
                "queue" => queue.set(meta, text(meta, "queue = \"archive\"")?)?,
                "name" => name.set(meta, text(meta, "name = \"FileAway\"")?)?,
                "poison_after" => poison_after.set(meta, number(meta, "poison_after = 5")?)?,
                "crate" => krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        };
        let is_whole = each_word_of("task", &attrs, ON_TYPE, &ident, errors, take);
        if !generics.params.is_empty() {
            errors.add(&generics.params, "a task cannot be generic", "use one type per task");
            return None;
        }
        let Some(queue) = queue.value() else {
            if is_whole && errors.is_empty() {
                let message = format!("`{}` does not specify its queue", ident.unraw());
                errors.add(&ident, message, "add #[task(queue = \"archive\")]");
            }
            return None;
        };
        if !is_queue(&queue.value()) {
            errors.add(
                queue,
                format!("`{}` is not a valid queue name", queue.value()),
                format!(
                    "3 to {MOST} lower-case letters, digits and single `-`, starting and ending with a letter or digit"
                ),
            );
            return None;
        }
        let name = name.value().map_or_else(|| ident.unraw().to_string(), LitStr::value);
        let (queue, poison_after) = (queue.value(), poison_after.value().copied());
        Some(Self { ident, name, queue, poison_after, krate: krate.value().cloned() })
    }
}

fn is_queue(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    (3..=MOST).contains(&name.len()) && name.split('-').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_leaves_room_for_the_one_of_what_was_given_up() {
        for name in ["abc", "file-away", "1-a", &"a".repeat(MOST)] {
            assert!(is_queue(name), "{name}");
        }
        for name in ["", "ab", "Abc", "a--b", "-ab", "ab-", "a_b", "é12", &"a".repeat(MOST + 1)] {
            assert!(!is_queue(name), "{name}");
        }
    }
}
