//! Declarations of Rust code as a design file contains them: the reverse of code generation.

use table_schema::{
    design::{
        ContributionDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, TotalDesign,
    },
    language::When,
    static_design::{Aggregate, Design},
    template::{Part, Shape, Template},
    toml_text::text,
};

use crate::schema::{Schema, name_copies};

/// A model that was created from Rust, with notes about what a design file cannot express.
#[derive(Clone, Debug, PartialEq)]
pub struct FromDesigns {
    /// The model.
    pub schema: Schema,
    /// One sentence for each part that was left out or changed.
    pub notes: Vec<String>,
}

/// Creates the model of these designs: `from_designs("company", &[Department::DESIGN, Employee::DESIGN])`.
///
/// It is complete, except for functions in the code, such as the condition of an index: a note names each of them.
pub fn from_designs(name: &str, designs: &[&Design]) -> FromDesigns {
    let mut notes = Vec::new();
    let declared: Vec<EntityDesign> = designs.iter().map(|design| design.declared()).collect();
    let entities = declared.iter().zip(designs).map(|(entity, design)| {
        let mut entity = entity.clone();
        if let Some(older) = design.older {
            entity.aliases.extend(older.entity_types().map(str::to_owned));
        }
        for field in entity.fields.iter_mut().filter(|field| !field.skip && !field.from_source) {
            settle_kind(design, field, &mut notes);
            settle_default(design.name, field, &mut notes);
        }
        of_file(&mut entity, &mut notes, &flag);
        entity
    });
    let entities = entities.collect();
    let mut unknown = Vec::new();
    let when = |source: &EntityDesign, one: &ContributionDesign| {
        let condition = one.condition.as_deref();
        Ok(condition.and_then(|name| flag(source, name)).or_else(|| one.when.clone()))
    };
    for (source, one) in
        declared.iter().flat_map(|source| source.contributions.iter().map(move |one| (source, one)))
    {
        let is_lost = |name: &String| flag(source, name).is_none();
        if let Some(condition) = one.condition.as_ref().filter(|name| is_lost(name)) {
            unknown.push(format!(
                "`{}.{}` selects `{}` by `{condition}`, which a design file cannot express; it has no condition here",
                one.target, one.field, source.name
            ));
        }
    }
    let schema = schema_of(name, entities, (&declared, "among the designs"), &mut notes, &when);
    notes.extend(unknown);
    FromDesigns { schema, notes }
}

/// Returns the condition of a flag: `active = true`.
fn flag(entity: &EntityDesign, name: &str) -> Option<When> {
    entity.field(name).filter(|field| field.kind == FieldKind::Bool)?;
    format!("{name} = true").parse().ok()
}

/// Determines the kind of a field whose type implements a trait of keys only.
fn settle_kind(design: &Design, field: &mut FieldDesign, notes: &mut Vec<String>) {
    if field.kind != FieldKind::Unknown {
        return;
    }
    let mut parts = design.partition.form.parts().iter().chain(design.row.form.parts());
    let shape = parts.find_map(|part| match part {
        Part::Field { field: name, shape, .. } if *name == field.name => Some(*shape),
        _ => None,
    });
    field.kind = shape.and_then(kind_by_shape).unwrap_or_else(|| {
        notes.push(format!("`{}.{}` is read as text", design.name, field.name));
        FieldKind::Text { max: None }
    });
}

/// Writes the default of a type as the literal of a design file.
fn settle_default(entity: &str, field: &mut FieldDesign, notes: &mut Vec<String>) {
    let Some(default) = field.default.take().filter(|_| !field.optional) else { return };
    let literal =
        if default == FieldDesign::DEFAULT_OF_TYPE { default_of(&field.kind) } else { Some(default) };
    let is_expressible = |literal: &String| {
        let is_word = |word: &String| text(word) == *literal;
        let is_call = literal.ends_with("()") && !literal.starts_with('"');
        is_call
            || default_of(&field.kind).as_ref() == Some(literal)
            || matches!(&field.kind, FieldKind::Enum { variants } if variants.iter().any(is_word))
    };
    field.default = literal.filter(is_expressible);
    if field.default.is_none() {
        notes.push(format!(
            "`{entity}.{}` has a default that a design file cannot express; name a function with `#[table(default = ..)]`",
            field.name
        ));
    }
}

/// Returns the kind of a type in a key, as implied by its shape, or `None` for text.
pub fn kind_by_shape(shape: Shape) -> Option<FieldKind> {
    Some(match shape {
        Shape::Text | Shape::Esc => return None,
        Shape::Padded(_) | Shape::InvertedPadded(_) => FieldKind::Int { bits: 64, signed: false },
        Shape::Ord(_) | Shape::InvertedOrd(_) => FieldKind::Int { bits: 64, signed: true },
        Shape::Ticks | Shape::InvertedTicks | Shape::Date(_) | Shape::InvertedDate(_) => FieldKind::Time,
        Shape::Guid | Shape::Guidn => FieldKind::Guid,
        Shape::Flag => FieldKind::Bool,
    })
}

/// Returns the default value of a type as a design file contains it, or `None` if a design file cannot contain it.
pub fn default_of(kind: &FieldKind) -> Option<String> {
    let text = match kind {
        FieldKind::Text { .. } => "\"\"",
        FieldKind::Bool => "false",
        FieldKind::Int { .. } | FieldKind::Float { .. } => "0",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Replaces what only Rust declares: fields that are not stored or that other entities maintain, older structs, functions
/// as conditions, and contributions, which a design file declares at the target. `condition` returns the condition that a
/// field or function stands for, if a design file can express it.
pub fn of_file(
    entity: &mut EntityDesign,
    notes: &mut Vec<String>,
    condition: &dyn Fn(&EntityDesign, &str) -> Option<When>,
) {
    let declared = entity.clone();
    let name = &declared.name;
    entity.fields.retain(|field| !field.skip && !field.from_source);
    if !entity.from.is_empty() {
        notes.push(format!("`{name}` reads rows of an older version, which a design file cannot express"));
        entity.from.clear();
    }
    for index in &mut entity.indexes {
        let Some(path) = index.condition.take() else { continue };
        let function = path.rsplit("::").next().unwrap_or(&path);
        index.when = condition(&declared, function);
        index.sparse = index.when.is_none();
        if index.when.is_none() {
            notes.push(format!(
                "`{name}.{}` selects entities by `{function}`, which a design file cannot express",
                index.name
            ));
        }
    }
    if let Some(archive) = &mut entity.archive {
        archive.when = condition(&declared, "is_to_be_archived");
    }
    entity.contributions.clear();
    // A setting of the file.
    entity.deny_table_scan = false;
}

/// Returns the condition of a contribution of an entity, or the reason why a design file cannot contain it.
pub type ConditionOf<'f> = dyn Fn(&EntityDesign, &ContributionDesign) -> Result<Option<When>, String> + 'f;

/// Creates a design file of these entities, with the aggregates that `declared` contributes to. `place` is where a note
/// says that a target is missing. `when` returns the condition of a contribution, or the reason to leave out the aggregate.
pub fn schema_of(
    name: &str,
    entities: Vec<EntityDesign>,
    (declared, place): (&[EntityDesign], &str),
    notes: &mut Vec<String>,
    when: &ConditionOf<'_>,
) -> Schema {
    let mut schema = Schema { name: name.to_owned(), entities, ..Schema::default() };
    for source in declared {
        for one in &source.contributions {
            total((source, place), one, &mut schema, notes, when);
        }
    }
    let denies = !declared.is_empty() && declared.iter().all(|entity| entity.deny_table_scan);
    schema.lint.deny.extend(denies.then(|| "table_scan".to_owned()));
    settle(&mut schema);
    schema
}

/// Adds an aggregate to its target.
fn total(
    (source, place): (&EntityDesign, &str),
    one: &ContributionDesign,
    schema: &mut Schema,
    notes: &mut Vec<String>,
    when: &ConditionOf<'_>,
) {
    let (name, sink) = (&source.name, &one.target);
    let Some(target) = schema.entities.iter_mut().find(|entity| entity.name == *sink) else {
        notes.push(format!("`{name}` maintains values in `{sink}`, which is not {place}"));
        return;
    };
    if one.by == Aggregate::Copy {
        notes.push(format!(
            "`{name}` copies fields into `{sink}`, which a design file declares at the target"
        ));
        return;
    }
    match when(source, one) {
        Err(note) => notes.push(note),
        Ok(when) => {
            let total = TotalDesign {
                name: one.field.clone(),
                about: None,
                by: one.by,
                entity: name.clone(),
                field: one.of.clone(),
                matches: key_pairs(target),
                when,
            };
            target.totals.push(total);
        }
    }
}

/// Returns the key fields of a target, which its sources have under the same names.
fn key_pairs(target: &EntityDesign) -> Vec<(String, String)> {
    let keys = [&target.partition, &target.row].into_iter().flatten().filter_map(|text| text.template());
    let mut names: Vec<(String, String)> = Vec::new();
    for hole in keys.flat_map(Template::holes) {
        let is_new = names.iter().all(|(known, _)| *known != hole.field);
        if is_new && target.field(&hole.field).is_some() {
            names.push((hole.field.clone(), hole.field.clone()));
        }
    }
    names
}

/// Removes settings that are equal to the defaults of a design file.
fn settle(schema: &mut Schema) {
    let stored: Vec<_> = schema
        .entities
        .iter()
        .map(|entity| {
            let shares = schema.shares_table(entity);
            let mut whole = entity.clone();
            for index in &mut whole.indexes {
                index.copy = CopiedFields::All;
            }
            name_copies(&mut whole);
            (shares, whole)
        })
        .collect();
    for (entity, (shares, whole)) in schema.entities.iter_mut().zip(stored) {
        if matches!(
            (&entity.entity_type, shares),
            (EntityTypeRule::Always, true) | (EntityTypeRule::None, false)
        ) {
            entity.entity_type = EntityTypeRule::Auto;
        }
        for (index, whole) in entity.indexes.iter_mut().zip(whole.indexes) {
            if index.copy == whole.copy {
                index.copy = CopiedFields::All;
            }
        }
    }
}
