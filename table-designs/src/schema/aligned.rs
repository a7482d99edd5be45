//! Adaptation of a design to the derive.
//!
//! The derive requires equal field names on both sides: an aggregate finds its target by the names of the target key
//! fields. If a design pairs `department` with `name`, the target entity receives a field `department`.
//!
//! Copies of all fields become explicit field lists if some fields cannot be copied.

use super::{Schema, name_copies};
use table_schema::{
    design::{CopiedFields, EntityDesign, TemplateText},
    template::{Segment, SegmentKind, Template},
};

/// A field whose name differs from the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The entity.
    pub entity: String,
    /// The name in the design.
    pub from: String,
    /// The name in Rust.
    pub to: String,
}

impl Schema {
    /// Returns the design with the names that the derive requires, and the renamed fields. Stored data does not change:
    /// fields that are only in keys are not stored under a name, and other fields keep their property names.
    pub fn aligned(&self) -> (Self, Vec<Renamed>) {
        let mut aligned = self.clone();
        let mut all = Vec::new();
        for entity in &mut aligned.entities {
            for renamed in wanted(entity) {
                rename(entity, &renamed);
                all.push(renamed);
            }
        }
        for renamed in &all {
            elsewhere(&mut aligned, renamed);
        }
        aligned.entities.iter_mut().for_each(name_copies);
        (aligned, all)
    }
}

/// Returns the names that aggregates use for the key fields, if all aggregates agree and the names are free.
fn wanted(entity: &EntityDesign) -> Vec<Renamed> {
    let mut wanted: Vec<Renamed> = Vec::new();
    let pairs = || entity.totals.iter().flat_map(|total| &total.matches);
    for (theirs, mine) in pairs().filter(|(theirs, mine)| theirs != mine) {
        let agree = pairs().all(|(other, field)| (field == mine) == (other == theirs));
        let is_taken = entity.field(theirs).is_some() || wanted.iter().any(|known| known.to == *theirs);
        if agree && !is_taken {
            wanted.push(Renamed { entity: entity.name.clone(), from: mine.clone(), to: theirs.clone() });
        }
    }
    wanted
}

fn rename(entity: &mut EntityDesign, renamed: &Renamed) {
    let Renamed { from, to, .. } = renamed;
    let is_in_index = entity.field(from).is_some_and(|field| entity.is_in_index_rows(field));
    let is_stored = is_in_index || entity.stored_fields().any(|field| field.name == *from);
    for field in entity.fields.iter_mut().filter(|field| field.name == *from) {
        field.name.clone_from(to);
        if !is_stored {
            field.property.clone_from(to);
        }
    }
    let template = |text: &mut Option<TemplateText>| {
        if let Some(written) = text.as_ref().and_then(TemplateText::template) {
            *text = Some(TemplateText::new(renamed_template(written, from, to)));
        }
    };
    let name = |name: &mut String| {
        if name == from {
            name.clone_from(to);
        }
    };
    template(&mut entity.table);
    template(&mut entity.partition);
    template(&mut entity.row);
    for index in &mut entity.indexes {
        template(&mut index.table);
        template(&mut index.partition);
        template(&mut index.row);
        if let CopiedFields::Only(fields) = &mut index.copy {
            fields.iter_mut().for_each(name);
        }
        for one in index.when.iter_mut().flat_map(|when| &mut when.equalities) {
            name(&mut one.field);
        }
    }
    for lookup in &mut entity.lookups {
        template(&mut lookup.table);
        template(&mut lookup.partition);
        template(&mut lookup.row);
        lookup.on.iter_mut().for_each(name);
    }
    if let Some(shard) = &mut entity.shard {
        name(&mut shard.of);
    }
    entity.roles.fields_mut().for_each(name);
    for one in entity
        .archive
        .iter_mut()
        .filter_map(|archive| archive.when.as_mut())
        .flat_map(|when| &mut when.equalities)
    {
        name(&mut one.field);
    }
    let matches = entity.totals.iter_mut().map(|total| &mut total.matches);
    let matches = matches.chain(entity.embeds.iter_mut().map(|embed| &mut embed.matches));
    for (_, mine) in matches.flatten() {
        name(mine);
    }
}

/// Renames the field in queries and in references from other entities.
fn elsewhere(schema: &mut Schema, renamed: &Renamed) {
    let Renamed { entity, from, to } = renamed;
    let name = |name: &mut String| {
        if name == from {
            name.clone_from(to);
        }
    };
    for query in schema.queries.iter_mut().filter(|query| query.find == *entity) {
        for test in
            query.filter.iter_mut().flat_map(|filter| &mut filter.alternatives).flat_map(|all| &mut all.tests)
        {
            name(&mut test.field);
        }
        query.select.iter_mut().flatten().for_each(name);
    }
    for other in &mut schema.entities {
        for total in other.totals.iter_mut().filter(|total| total.entity == *entity) {
            total.matches.iter_mut().for_each(|(theirs, _)| name(theirs));
            total.field.iter_mut().for_each(name);
            total.when.iter_mut().flat_map(|when| &mut when.equalities).for_each(|one| name(&mut one.field));
        }
        for embed in other.embeds.iter_mut().filter(|embed| embed.from == *entity) {
            embed.matches.iter_mut().for_each(|(theirs, _)| name(theirs));
            embed.fields.iter_mut().for_each(name);
        }
    }
}

fn renamed_template(template: &Template, from: &str, to: &str) -> String {
    let written = |segment: &Segment| match &segment.kind {
        SegmentKind::Field(hole) if hole.field == from => {
            let mut hole = hole.clone();
            to.clone_into(&mut hole.field);
            hole.to_string()
        }
        _ => template.text().get(segment.span.clone()).unwrap_or_default().to_owned(),
    };
    template.segments().iter().map(written).collect()
}
