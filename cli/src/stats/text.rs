use std::fmt::Write;

use table_store::TableName;

use super::{
    account::{Counted, Inventory},
    kept_log,
    scan::Scan,
};
use crate::{
    table::{
        Cell,
        Side::{Left, Right},
        Table,
    },
    text::{WIDTH, counted, plain, terminal_width, wrapped},
};

/// Returns the complete contents as text.
pub(super) fn of_all(inventory: &Inventory) -> String {
    let Inventory { place, file_bytes, tables, queues, containers, kept_log: segments, damage } = inventory;
    let bytes = file_bytes.map(|bytes| format!("{bytes} bytes, ")).unwrap_or_default();
    let mut text = format!(
        "{}: {bytes}{}, {}, {}\n",
        plain(place),
        counted(tables.len(), "table"),
        counted(queues.len(), "queue"),
        counted(containers.len(), "container"),
    );
    if let Some(pages @ 1..) = damage.pages {
        let damaged = format!(
            "DAMAGED: at least {}; a program that reads a damaged page rejects writes until the store is opened again. Run \
             `tables scrub`, and restore a backup or use `tables salvage`",
            counted(pages, "page"),
        );
        _ = writeln!(text, "{}", wrapped(&damaged, WIDTH).join("\n"));
    }
    for unread in &damage.unread {
        _ = writeln!(text, "not read: {}", plain(unread));
    }
    let mut section = |table: Table| {
        if !table.is_empty() {
            _ = write!(text, "\n{}", table.text(terminal_width()));
        }
    };
    let number =
        |number: Option<u64>| Cell::from(number.map(|number| number.to_string()).unwrap_or_default());
    let scanned = tables.iter().any(|(_, counted)| counted.is_some());
    let listed = containers.iter().any(|(_, blobs)| blobs.is_some());

    let counts = [("entities", Right), ("partitions", Right), ("bytes", Right)];
    let head = [("table", Left)].into_iter().chain(counts.into_iter().filter(|_| scanned));
    let mut table = Table::new(head);
    for (name, counted) in tables {
        let counts = match counted {
            None => Vec::new(),
            Some(Counted::AtLeast(count)) => vec![Cell::from(format!("at least {count}"))],
            Some(Counted::All(scan)) => {
                vec![number(Some(scan.entities)), number(scan.partitions), number(Some(scan.bytes))]
            }
        };
        table.row([Cell::from(name.as_str())].into_iter().chain(counts));
    }
    section(table);

    let mut table = Table::new([("queue", Left), ("messages", Right)]);
    for (name, messages) in queues {
        table.row([Cell::from(name.as_str()), number(Some(*messages))]);
    }
    section(table);

    let counts = [("blobs", Right), ("bytes", Right)];
    let mut table =
        Table::new([("container", Left)].into_iter().chain(counts.into_iter().filter(|_| listed)));
    for (name, blobs) in containers {
        let counts = blobs.map(|blobs| [number(Some(blobs.count)), number(Some(blobs.bytes))]);
        table.row([Cell::from(name.as_str())].into_iter().chain(counts.into_iter().flatten()));
    }
    section(table);
    let segments = segments.as_deref().unwrap_or_default();
    section(kept_log::table(segments));
    for missing in kept_log::missing(segments) {
        _ = writeln!(text, "{}", wrapped(&missing, WIDTH).join("\n"));
    }
    text
}

/// Returns the counts of one table as text.
pub(super) fn of_table(name: &TableName, scan: &Scan) -> String {
    let partitions =
        scan.partitions.map(|count| format!(" in {}", counted(count, "partition"))).unwrap_or_default();
    let (entities, bytes) = (counted(scan.entities, "entity"), counted(scan.bytes, "byte"));
    let mut text = format!("{name}: {entities}{partitions}, {bytes}\n");
    let mut table = Table::new([("largest partitions", Left), ("entities", Right), ("bytes", Right)]);
    for partition in &scan.largest {
        table.row(
            [partition.key.clone(), partition.entities.to_string(), partition.bytes.to_string()]
                .map(Cell::from),
        );
    }
    if !table.is_empty() {
        _ = write!(text, "\n{}", table.text(terminal_width()));
    }
    let mut table = Table::new([("property", Left), ("entities", Right), ("types", Left)]);
    for (name, property) in &scan.properties {
        let types = property.types.iter().map(|(edm_type, count)| match property.types.len() {
            1 => edm_type.to_string(),
            _ => format!("{edm_type} {count}"),
        });
        let types = types.collect::<Vec<_>>().join(", ");
        table.row([name.clone(), property.entities.to_string(), types].map(Cell::from));
    }
    if !table.is_empty() {
        _ = write!(text, "\n{}", table.text(terminal_width()));
    }
    if scan.is_cut {
        text += "\nFurther properties exist and are not counted.\n";
    }
    text
}
