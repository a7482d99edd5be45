//! The archive table of an entity.

use super::table_names::is_fixed_name;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Place},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let Some(archive) = &design.archive else { return };
    let (name, place) = (&archive.to, Place::Word("archive"));
    if !is_fixed_name(name) {
        let message = format!("`{name}` cannot be a table name");
        let help = "use 3 to 63 ASCII letters and digits that start with a letter";
        mistakes.push(RuleViolation::new(Code::D012, place, message).help(help));
    } else if design.table.as_ref().is_some_and(|own| own.text().eq_ignore_ascii_case(name)) {
        let message = format!("the archive `{name}` is the table of the entity");
        mistakes
            .push(RuleViolation::new(Code::D044, place, message).help("use another table for the archive"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_a_table_of_one_name() {
        for name in ["Abc", "FormerEmployees", "a1b2"] {
            assert!(is_fixed_name(name), "{name}");
        }
        for name in ["", "ab", "1abc", "Former-Employees", "Old{at:%Y}", "tables", "é23"] {
            assert!(!is_fixed_name(name), "{name}");
        }
    }
}
