//! The number of properties of a row.

use super::MOST_PROPERTIES;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Origin, Place},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    if design.wide.is_some() {
        return;
    }
    let needed = design.user_properties() + design.own_properties();
    if needed > MOST_PROPERTIES {
        mistakes.push(entity(design, needed));
    } else {
        mistakes.extend(copies(design));
    }
}

/// Returns the violation of a wide entity that is not declared as such. Entities are split only on request, because
/// each part costs a read.
fn entity(design: &EntityDesign, needed: usize) -> RuleViolation {
    let message = format!("`{}` needs {needed} properties; an entity holds {MOST_PROPERTIES}", design.name);
    let row = design.row.as_ref().map_or("", |row| row.text());
    let border = if row.is_empty() { "" } else { "_" };
    let help =
        format!("split it over several entities: #[table(wide = 200, row = \"{row}{border}{{part:02}}\")]");
    let file_help = format!("split it over several entities: wide = 200, row = \"{row}{border}{{part:02}}\"");
    RuleViolation::new(Code::S03, Place::Entity, message).help(help).file_help(file_help)
}

/// Checks the number of properties of copies. A copy stores all fields that its own key does not contain. With the key
/// fields of the entity and its source properties, it can be wider than the entity.
fn copies(design: &EntityDesign) -> Vec<RuleViolation> {
    let kinds = design.row_kinds();
    let wide = kinds.iter().filter_map(|kind| {
        let Origin::Index(number) = kind.origin else { return None };
        let needed = design.copy_properties(number, kind);
        let message =
            format!("a copy in `{}` needs {needed} properties; an entity holds {MOST_PROPERTIES}", kind.name);
        let help = "copy fewer fields: copy(..)";
        (needed > MOST_PROPERTIES).then(|| {
            let mistake = RuleViolation::new(Code::S03, Place::Index(number), message).help(help);
            mistake.file_help("name the fields that it copies: copy = [..]")
        })
    });
    wide.collect()
}
