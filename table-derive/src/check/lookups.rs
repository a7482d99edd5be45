//! Rules of lookup arguments that do not apply to the storage of their lists.

use syn::LitStr;
use table_schema::design::{EntityDesign, LookupPlace};

use crate::{
    errors::Errors,
    parse::{attribute::Slot, entity::EntityInput, lookup::LookupInput},
};

pub(super) fn check(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    for (number, lookup) in input.words.lookups.iter().enumerate() {
        let place = lookup.place.value().copied().unwrap_or_default();
        match place {
            LookupPlace::Partition => refuse(
                [("table", &lookup.table), ("partition", &lookup.partition)],
                "lists elsewhere",
                "add `place = table`, or take it out",
                errors,
            ),
            LookupPlace::Blob => refuse(
                [("table", &lookup.table), ("row", &lookup.row), ("ids", &lookup.ids)],
                "lists in tables",
                "take it out: a blob holds both keys of each member",
                errors,
            ),
            LookupPlace::Table => {}
        }
        if place != LookupPlace::Partition {
            told_by_its_fields(design, number, lookup, errors);
        }
    }
}

fn refuse<const N: usize>(words: [(&str, &Slot<LitStr>); N], of: &str, help: &str, errors: &mut Errors) {
    for (word, slot) in words {
        if let Some(given) = slot.word() {
            errors.add(given, format!("`{word}` is for {of}"), help);
        }
    }
}

/// The key of a list consists of exactly the fields that its entities have in common, since queries specify these
/// fields.
fn told_by_its_fields(design: &EntityDesign, number: usize, lookup: &LookupInput, errors: &mut Errors) {
    let (Some(kind), Some(designed)) = (design.lists(number), design.lookups.get(number)) else { return };
    let keys = || kind.partition.holes().chain(kind.row.holes());
    let known = |name: &str| design.field(name).is_some();
    let other = keys().find(|hole| known(&hole.field) && !designed.on.contains(&hole.field));
    let missing = designed.on.iter().find(|name| known(name) && keys().all(|hole| hole.field != **name));
    let place = lookup.partition.value().or(lookup.row.value());
    let message = match (other, missing) {
        (Some(hole), _) => format!("`{}` is in the keys of these lists, but not in `on`", hole.field),
        (None, Some(name)) => format!("`{name}` is in `on`, but not in the keys of these lists"),
        (None, None) => return,
    };
    errors.add(place, message, "name the same fields in both");
}
