//! Rules of the archive table of an entity.

use crate::{errors::Errors, parse::entity::EntityInput};

pub(super) fn check(input: &EntityInput, errors: &mut Errors) {
    let words = &input.words;
    let Some(archive) = words.archive.value() else { return };
    let name = archive.value();
    if words.wide.value().is_some() {
        errors.add(
            archive,
            "`archive` beside `wide` is not in this release: an archive keeps one row of an entity",
            "take one of them out",
        );
    }
    if words.name.value().is_some_and(|own| own.value().eq_ignore_ascii_case(&name)) {
        let message = format!("`{name}` is the entity's own table");
        errors.add(archive, message, "an archive is another table: archive = \"Former..\"");
    } else if !is_table(&name) {
        errors.add(
            archive,
            format!("`{name}` is no name of a table"),
            "3 to 63 ASCII letters and digits, the first a letter",
        );
    }
}

fn is_table(name: &str) -> bool {
    (3..=63).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !name.eq_ignore_ascii_case("tables")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_a_table_of_one_name() {
        for name in ["Abc", "FormerEmployees", "a1b2"] {
            assert!(is_table(name), "{name}");
        }
        for name in ["", "ab", "1abc", "Former-Employees", "Old{at:%Y}", "tables", "é23"] {
            assert!(!is_table(name), "{name}");
        }
    }
}
