//! Overlay of a file over a design: another load for the same design.

use table_schema::catalogue::Code;

use super::tree::{Entry, Kind, Table};
use crate::diagnostic::Found;

/// The tables that an overlay may contain: assumptions, and no stored data.
const ASSUMED: [&str; 5] = ["query", "load", "prices", "targets", "lint"];

/// Returns the design with the assumptions of the overlay. Each key of a query, of the prices, or of the load of an
/// entity replaces the key of the design as a whole, as do the assumptions about the values of one field.
pub(super) fn lay(mut design: Table, load: Table, found: &mut Vec<Found>) -> Table {
    for entry in load.entries {
        let name = entry.name.clone();
        let name = name.as_str();
        if ASSUMED.contains(&name) {
            merge(&mut design, entry, depth(name));
        } else if !matches!(name, "tables" | "needs" | "design" | "about") && !name.starts_with("x-") {
            let mistake = Found::new(
                Code::D004,
                &entry.key,
                format!("`{}` cannot be overlaid on a design", entry.name),
            );
            let help = format!("supported here: {}", ASSUMED.join(", "));
            found.push(mistake.label("belongs to the design").help(help));
        }
    }
    design
}

/// Returns the depth of the tables whose keys replace each other: `load.Employee.values.age` is the deepest.
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
