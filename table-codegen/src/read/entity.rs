//! Parsing of `[entity.NAME]`.

use table_schema::design::EntityDesign;

use super::{
    keys::Keys,
    named::type_name,
    tree::{Entry, Table},
};
use crate::{diagnostic::Found, word};

pub(super) fn one(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> EntityDesign {
    let mut design = EntityDesign::new(&entry.name);
    type_name(entry, found);
    let mut keys = Keys::of(table);
    design.about = keys.about(found);
    for word in word::all() {
        (word.read)(&mut design, &mut keys, entry, found);
    }
    keys.finish(found);
    design
}
