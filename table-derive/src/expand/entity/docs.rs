//! The documentation of what is generated: `deny(missing_docs)` holds for it, and people read it in their editors.

use crate::{
    expand::Doc,
    resolve::entity::{Entity, Field, Key},
};

/// The documentation of `point`, `rows`, `patch` and `scan_partition`.
pub(super) struct Functions {
    pub(super) point: Doc,
    pub(super) rows: Doc,
    pub(super) patch: Doc,
    pub(super) scan_partition: Doc,
}

/// The table and both templates.
fn layout(entity: &Entity) -> String {
    let (partition, row) = (entity.partition.template.text(), entity.row.template.text());
    format!("table `{}`, PartitionKey `{partition}`, RowKey `{row}`", entity.table)
}

/// ``` `a`, `b` and `c` ```
fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

pub(super) fn key_type(entity: &Entity) -> Doc {
    Doc(format!(
        "The key of [`{}`]: {}.\n\nTwo keys are equal if they are of the same row, and sort as the rows do.",
        entity.name,
        layout(entity)
    ))
}

pub(super) fn key_field(entity: &Entity, field: &Field) -> Doc {
    let hole = |key: &Key| {
        key.template.holes().find(|hole| hole.field == field.name).map(|hole| format!("`{hole}`"))
    };
    Doc(match (hole(&entity.partition), hole(&entity.row)) {
        (Some(hole), Some(other)) => format!("{hole} of the PartitionKey and {other} of the RowKey."),
        (Some(hole), None) => format!("{hole} of the PartitionKey."),
        (None, hole) => format!("{} of the RowKey.", hole.unwrap_or_default()),
    })
}

pub(super) fn patch_type(entity: &Entity) -> Doc {
    let keys: Vec<&str> =
        entity.fields.iter().filter(|field| field.key.is_some()).map(|field| field.name.as_str()).collect();
    let text = format!(
        "Which properties of one [`{}`] to change, sent as one merge. What is not set stays as it is.",
        entity.name
    );
    if keys.is_empty() {
        return Doc(text);
    }
    Doc(format!("{text}\n\nThere is no setter for {}: the key is made of that.", list(&keys)))
}

pub(super) fn fields_type(entity: &Entity) -> Doc {
    Doc(format!(
        "The properties of [`{0}`] in filters: `{0}::{1}(..).filter(|e| ..)`.",
        entity.name, entity.methods.scan_partition
    ))
}

pub(super) fn property(name: &str) -> Doc {
    Doc(format!("Stored as `{name}`."))
}

pub(super) fn setter(field: &Field, name: &str) -> Doc {
    let limit = if field.optional { " A merge cannot clear it; `replace` does." } else { "" };
    Doc(format!("Sets `{name}`.{limit}"))
}

pub(super) fn parse(entity: &Entity) -> Doc {
    Doc(format!("Reads the keys of a row; `None` if it is no row of [`{}`].", entity.name))
}

pub(super) fn point_of_key(entity: &Entity) -> Doc {
    Doc(format!("The [`{}`] of this key: a point query.", entity.name))
}

pub(super) fn functions(entity: &Entity) -> Functions {
    let (name, layout) = (&entity.name, layout(entity));
    let partition: Vec<&str> = entity.fields_of(&entity.partition).map(|field| field.name.as_str()).collect();
    let of_partition =
        if partition.is_empty() { String::new() } else { format!(" of one {}", list(&partition)) };
    Functions {
        point: Doc(format!(
            "The [`{name}`] of this key: a point query, the fastest read there is.\n\nKey: {layout}."
        )),
        rows: Doc(format!(
            "All [`{name}`] rows{of_partition} in the order of their RowKeys: a range query.\n\
             `at`, `between` and `starts_with` narrow it.\n\nKey: {layout}."
        )),
        patch: Doc(format!(
            "Which properties to change of the [`{name}`] of this key, whatever its version.\n\nKey: {layout}."
        )),
        scan_partition: Doc(format!(
            "Reads all [`{name}`] rows{of_partition} to filter them by property: a partition scan.\n\
             It costs what it reads, not what it returns.\n\nKey: {layout}."
        )),
    }
}
