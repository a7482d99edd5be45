//! How many properties an entity has.

use super::MOST_PROPERTIES;
use crate::{
    Mistake,
    catalogue::Code,
    design::{EntityDesign, Place},
};

/// An entity is never split without being told: the split costs a read for each part.
pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<Mistake>) {
    let needed = design.user_properties() + design.own_properties();
    if design.wide.is_some() || needed <= MOST_PROPERTIES {
        return;
    }
    let message = format!("`{}` needs {needed} properties; an entity holds {MOST_PROPERTIES}", design.name);
    let row = design.row.as_ref().map_or("", |row| row.text());
    let border = if row.is_empty() { "" } else { "_" };
    let help =
        format!("split it over several entities: #[table(wide = 200, row = \"{row}{border}{{part:02}}\")]");
    mistakes.push(Mistake::new(Code::S03, Place::Entity, message).help(help));
}
