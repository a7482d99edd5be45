//! The lists of lookups: attributes that do not apply to their location, and their keys.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, LookupDesign, LookupPlace, Place, Which},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (number, lookup) in design.lookups.iter().enumerate() {
        let unused: &[&str] = match lookup.place {
            LookupPlace::Partition => &["table", "partition"],
            LookupPlace::Table => &[],
            LookupPlace::Blob => &["table", "row", "ids"],
        };
        let (what, help) = match lookup.place {
            LookupPlace::Blob => ("lists in blobs", "remove it: a blob contains both keys of each member"),
            _ => (
                "lists in the partition of the entity",
                "remove it, or store the lists elsewhere: place = table",
            ),
        };
        for word in unused.iter().filter(|word| has(lookup, word)) {
            let message = format!("`{word}` does not apply to {what}");
            mistakes
                .push(RuleViolation::new(Code::D036, Place::LookupWord(number, word), message).help(help));
        }
        if lookup.place != LookupPlace::Partition {
            mistakes.extend(other_fields(design, number, lookup));
        }
    }
}

fn has(lookup: &LookupDesign, word: &str) -> bool {
    match word {
        "table" => lookup.table.is_some(),
        "partition" => lookup.partition.is_some(),
        "row" => lookup.row.is_some(),
        _ => lookup.ids.is_some(),
    }
}

/// Checks that the keys of a list contain exactly the fields that its entities have in common, since queries specify
/// these fields.
fn other_fields(design: &EntityDesign, number: usize, lookup: &LookupDesign) -> Option<RuleViolation> {
    let kind = design.lists(number)?;
    let keys = || kind.partition.holes().chain(kind.row.holes());
    let is_known = |name: &str| design.field(name).is_some();
    let other = keys().find(|hole| is_known(&hole.field) && !lookup.on.contains(&hole.field));
    let missing = lookup.on.iter().find(|name| is_known(name) && keys().all(|hole| hole.field != **name));
    let message = match (other, missing) {
        (Some(hole), _) => format!("`{}` is in the keys of these lists, but not in `on`", hole.field),
        (None, Some(name)) => format!("`{name}` is in `on`, but not in the keys of these lists"),
        (None, None) => return None,
    };
    let place = match (&lookup.partition, &lookup.row) {
        (Some(_), _) => design.whole(Which::LookupPartition(number)),
        (None, Some(_)) => design.whole(Which::LookupRow(number)),
        (None, None) => Place::Lookup(number),
    };
    Some(RuleViolation::new(Code::D038, place, message).help("use the same fields in the keys and in `on`"))
}
