//! One file laid over another: another load for the same design.

use table_schema::catalogue::Code;

use super::tree::{Entry, Kind, Table};
use crate::diagnostic::Found;

/// What an overlay may say: what is assumed, and nothing that is stored.
const ASSUMED: [&str; 5] = ["query", "load", "prices", "targets", "lint"];

/// The design with the other's assumptions. A key of a query, a price or an entity's load takes the place of the one
/// below it, whole; so does what is assumed of one field's values.
pub(super) fn lay(mut design: Table, load: Table, found: &mut Vec<Found>) -> Table {
    for entry in load.entries {
        let name = entry.name.clone();
        let name = name.as_str();
        if ASSUMED.contains(&name) {
            merge(&mut design, entry, depth(name));
        } else if !matches!(name, "tables" | "needs" | "design" | "about") && !name.starts_with("x-") {
            let mistake =
                Found::new(Code::D004, &entry.key, format!("`{}` cannot be laid over a design", entry.name));
            let help = format!("here may stand: {}", ASSUMED.join(", "));
            found.push(mistake.label("belongs to the design").help(help));
        }
    }
    design
}

/// How many tables deep keys take each other's places: `load.Employee.values.age` is the deepest.
fn depth(name: &str) -> usize {
    match name {
        "load" => 3,
        "query" | "prices" => 2,
        _ => 1,
    }
}

fn merge(below: &mut Table, above: Entry, depth: usize) {
    let Some(old) = below.entries.iter_mut().find(|entry| entry.name == above.name) else {
        below.entries.push(above);
        return;
    };
    let is_list_of_values = depth > 1 || above.name == "values";
    match (&mut old.value.kind, above.value.kind) {
        (Kind::Table(below), Kind::Table(above)) if depth > 0 && is_list_of_values || depth == 1 => {
            for entry in above.entries {
                merge(below, entry, depth - 1);
            }
        }
        (_, kind) => {
            old.key = above.key;
            old.value.spot = above.value.spot;
            old.value.kind = kind;
        }
    }
}
