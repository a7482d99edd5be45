//! Documentation of the generated items, for `deny(missing_docs)` and for display in editors.

use table_grammar::resolve::entity::{Entity, Field, Form, Index, Key, Lookup, Property, Setter};

use crate::expand::Doc;

/// The documentation of `point`, `rows`, `patch` and `scan_partition`.
pub(super) struct Functions {
    pub(super) point: Doc,
    pub(super) rows: Doc,
    pub(super) patch: Doc,
    pub(super) scan_partition: Doc,
}

/// Describes the table and both templates.
fn layout(entity: &Entity) -> String {
    let (partition, row) = (entity.partition.template.text(), entity.row.template.text());
    format!("table `{}`, PartitionKey `{partition}`, RowKey `{row}`", entity.table())
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
        "The key of [`{}`]: {}.\n\nTwo keys are equal if they identify the same row. They sort like the rows.",
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
    let names = |wanted: &dyn Fn(usize, &Field) -> bool| -> Vec<&str> {
        let fields = entity.fields.iter().enumerate();
        fields
            .filter(|(number, field)| wanted(*number, field))
            .map(|(_, field)| field.name.as_str())
            .collect()
    };
    let keys = names(&|_, field| field.key.is_some());
    let is_fed = |field: &Field| field.property().is_some_and(|property| property.is_fed);
    let fed = names(&|_, field| field.key.is_none() && is_fed(field));
    let stamps = names(&|_, field| field.stamp().is_some());
    let held = names(&|number, field| {
        let is_stored = field.property().is_some() && !is_fed(field) && field.stamp().is_none();
        field.key.is_none() && is_stored && entity.setter(number) == Setter::None
    });
    let blobs = names(&|number, field| field.is_blob() && entity.setter(number) == Setter::Loaded);
    let copied = names(&|number, field| !field.is_blob() && entity.setter(number) == Setter::Loaded);
    let text = format!(
        "Changes to properties of one [`{}`], sent as one merge. Other properties are unchanged.",
        entity.name
    );
    let mut paragraphs = vec![text];
    if !keys.is_empty() {
        paragraphs.push(format!("There is no setter for {}, which the key contains.", list(&keys)));
    }
    if !fed.is_empty() {
        paragraphs.push(format!("There is no setter for {}, which other entities maintain.", list(&fed)));
    }
    if !stamps.is_empty() {
        paragraphs.push(format!("There is no setter for {}, which the library sets.", list(&stamps)));
    }
    if !held.is_empty() {
        paragraphs.push(format!(
            "There is no setter for {}, which determines the keys or the existence of index rows. Use `update` or \
             `replace`.",
            list(&held)
        ));
    }
    if !copied.is_empty() {
        paragraphs.push(format!(
            "Only a patch of a stored entity can set {}: index rows contain it and change in the same transaction.",
            list(&copied)
        ));
    }
    if !blobs.is_empty() {
        paragraphs.push(format!(
            "Only a patch of a stored entity can set {}: the blob with the previous value is deleted after the write.",
            list(&blobs)
        ));
    }
    Doc(paragraphs.join("\n\n"))
}

pub(super) fn fields_type(entity: &Entity) -> Doc {
    if entity.design.wide.is_some() {
        return Doc(format!("The properties of [`{}`].", entity.name));
    }
    Doc(format!(
        "The properties of [`{0}`] in filters: `{0}::{1}(..).filter(|e| ..)`.",
        entity.name, entity.methods.scan_partition
    ))
}

pub(super) fn borrowed_type(entity: &Entity) -> Doc {
    Doc(format!(
        "The borrowed form of [`{}`]: strings and bytes are borrowed from its row, other values are copied.",
        entity.name
    ))
}

pub(super) fn borrowed_field(field: &Field) -> Doc {
    Doc(match field.property() {
        Some(property) => format!("Stored as `{}`.", property.name),
        None => "A part of the key.".to_owned(),
    })
}

pub(super) fn property(field: &Field, property: &Property) -> Doc {
    let name = &property.name;
    Doc(match property.form {
        Form::Plain if field.may_be_copy() => {
            format!("Stored as `{name}`; a copy is stored as properties whose names start with `{name}_`.")
        }
        Form::Plain | Form::Json => format!("Stored as `{name}`."),
        Form::Blob { inline } => {
            format!("Stored as `{name}` up to {inline} bytes, larger values in a blob.")
        }
        Form::Flattened => format!("Stored as `{name}_..`, one property per field."),
        Form::Series(slots) => format!("Stored as {}, one property per slot.", slot_names(name, slots)),
    })
}

/// ``` `hours_00` to `hours_23` ```
fn slot_names(name: &str, slots: Option<usize>) -> String {
    match slots.map(|slots| slots.saturating_sub(1)) {
        Some(last) => format!("`{name}_{:0width$}` to `{name}_{last}`", 0, width = last.to_string().len()),
        None => format!("`{name}_..`"),
    }
}

pub(super) fn setter(field: &Field, property: &Property) -> Doc {
    let (name, limit) = (&property.name, limit(field));
    Doc(match property.form {
        Form::Plain | Form::Json | Form::Blob { .. } => format!("Sets `{name}`.{limit}"),
        Form::Flattened => format!("Sets properties of `{name}_..`: those that the closure sets."),
        Form::Series(slots) => {
            format!("Sets one slot, counted from 0, of {}.{limit}", slot_names(name, slots))
        }
    })
}

/// Returns the limit of a setter, as the last sentence of its documentation.
pub(in crate::expand) const fn limit(field: &Field) -> &'static str {
    if field.optional { " A merge cannot clear it; `replace` does." } else { "" }
}

pub(super) fn parse(entity: &Entity) -> Doc {
    Doc(format!("Parses the keys of a row. Returns `None` if the row is not a [`{}`].", entity.name))
}

pub(super) fn point_of_key(entity: &Entity) -> Doc {
    let query = if entity.design.wide.is_some() { "one range over its rows" } else { "a point query" };
    Doc(format!("The [`{}`] of this key: {query}.", entity.name))
}

pub(super) fn functions(entity: &Entity) -> Functions {
    let (name, layout) = (&entity.name, layout(entity));
    let partition: Vec<&str> = entity.fields_of(&entity.partition).map(|field| field.name.as_str()).collect();
    let of_partition =
        if partition.is_empty() { String::new() } else { format!(" of one {}", list(&partition)) };
    Functions {
        point: Doc(if entity.design.wide.is_some() {
            format!(
                "Returns a query for the [`{name}`] with this key: one range over its rows.\n\nKey: {layout}."
            )
        } else {
            format!(
                "Returns a query for the [`{name}`] with this key: a point query, the fastest read.\n\nKey: {layout}."
            )
        }),
        rows: Doc(format!(
            "Returns a query for all [`{name}`] rows{of_partition} in RowKey order: a range query.\n\
             `at`, `between` and `starts_with` restrict it.\n\nKey: {layout}."
        )),
        patch: Doc(format!(
            "Changes to properties of the [`{name}`] with this key, regardless of its version.\n\nKey: {layout}."
        )),
        scan_partition: Doc(format!(
            "Returns a query that reads all [`{name}`] rows{of_partition} and filters them: a partition scan.\n\
             Its cost depends on the rows read, not on the rows returned.\n\nKey: {layout}."
        )),
    }
}

/// Returns the documentation of the two functions of an index.
pub(super) fn index(entity: &Entity, index: &Index) -> (Doc, Doc) {
    let name = &entity.name;
    let (partition, row) = (index.partition.template.text(), index.row.template.text());
    let keys = if index.near {
        format!("Key: RowKey `{row}`, in the entity's partition.")
    } else {
        format!("Key: table `{}`, PartitionKey `{partition}`, RowKey `{row}`.", index.table)
    };
    let fields: Vec<&str> = entity.fields_of(&index.partition).map(|field| field.name.as_str()).collect();
    let of_partition = if fields.is_empty() { String::new() } else { format!(" of one {}", list(&fields)) };
    let holds = match &index.copy {
        Some(copy) => format!("It returns a [`{copy}`], which can load the entity."),
        None => "It returns the complete entity.".to_owned(),
    };
    (
        Doc(format!(
            "Returns a query for the [`{name}`] with this key in the index `{}`: a point query. {holds}\n\n{keys}",
            index.name
        )),
        Doc(format!(
            "Returns a query for the [`{name}`] rows{of_partition} in the order of the index `{}`: a range query.\n\n{keys}",
            index.name
        )),
    )
}

/// Returns the documentation of the function of a lookup.
pub(super) fn lookup(entity: &Entity, index: &Index, lookup: &Lookup) -> Doc {
    let (name, row) = (&entity.name, index.row.template.text());
    let mut fields: Vec<&str> = Vec::new();
    let of_partition = (!index.near).then_some(&index.partition);
    for field in of_partition.into_iter().chain([&lookup.list]).flat_map(|key| entity.fields_of(key)) {
        if !fields.contains(&field.name.as_str()) {
            fields.push(&field.name);
        }
    }
    let (list_key, partition) =
        (lookup.list.template.text().trim_end_matches('!'), index.partition.template.text());
    let place = if index.near {
        String::new()
    } else {
        format!("table `{}`, PartitionKey `{partition}`, ", index.table)
    };
    let kept = match &lookup.ids {
        _ if lookup.in_blobs => format!(
            "List: blob `{}/{partition}.jsonl` in the container of `{}`; longer lists continue in blobs below \
             that name.",
            index.name, index.table
        ),
        Some(ids) => {
            format!(
                "List: {place}RowKey `{list_key}`, property `{ids}`; longer lists continue in RowKey `{row}`."
            )
        }
        None => format!("List: {place}one row per member, RowKey `{row}`."),
    };
    let whose = if index.near { " of the partition" } else { ", in any partition," };
    Doc(format!(
        "Returns a query for every [`{name}`]{whose} with this {}: it reads the list, then each member by its key. An \
         entity that was deleted or changed in between is skipped.\n\n{kept}",
        list(&fields)
    ))
}

pub(super) fn copy_type(entity: &Entity, index: &Index) -> Doc {
    Doc(format!(
        "A row of the index `{}` of [`{}`]: its key, and copies of some fields.",
        index.name, entity.name
    ))
}

pub(super) fn copied_field(field: &Field) -> Doc {
    Doc(if field.key.is_some() {
        "Part of the key of the entity.".to_owned()
    } else {
        format!("A copy of `{}`.", field.name)
    })
}
