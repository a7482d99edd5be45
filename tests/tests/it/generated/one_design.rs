//! A struct and the design file that it was generated from are one design, and its layout follows from it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::collections::BTreeMap;

use table_codegen::{Schema, from_designs, read};
use table_patterns::{Design, TableEntity};
use table_schema::design::{EntityDesign, FieldKind};
use table_tests::generated::{Visit, random::visit_all};

/// The designs of all entities by the file that they are from.
#[derive(Default)]
struct Designs(BTreeMap<String, Vec<&'static Design>>);

impl Visit for Designs {
    fn visit<E: TableEntity>(&mut self, file: &str, _: &str) {
        self.0.entry(file.to_owned()).or_default().push(E::DESIGN);
    }
}

fn designs() -> Designs {
    let mut designs = Designs::default();
    visit_all(&mut designs);
    assert!(designs.0.len() >= 16);
    designs
}

/// Returns what a layout means in rows. The types in Rust are those of the program.
fn meaning(design: &Design) -> String {
    let properties: Vec<_> =
        design.properties.iter().map(|property| (property.field, property.name, property.slots)).collect();
    let key: Vec<&str> = design.key.iter().map(|key| key.field).collect();
    let Design { name, stored_as, table, tables, shard, partition, row, entity_type, versioned, .. } = design;
    let Design { aliases, renamed, indirect, encrypted, defaults, blobs, wide, indexes, fed, .. } = design;
    let Design { changes, archive, created, updated, roles, .. } = design;
    format!(
        "{name} {stored_as:?} {table} {tables:?} {shard:?} {partition:?} {row:?} {entity_type:?} {versioned}\n\
         {aliases:?} {renamed:?} {indirect:?} {encrypted:?} {defaults:?} {blobs:?} {wide:?} {fed:?}\n\
         {indexes:#?}\n{properties:#?} {key:?}\n\
         {changes:?} {archive:?} {created:?} {updated:?} {roles:?}"
    )
}

#[test]
fn the_layout_of_a_declaration_is_the_constant_of_the_derive() {
    for (file, designs) in designs().0 {
        for design in designs {
            let computed = Design::of(&design.declared()).unwrap();
            assert_eq!(meaning(computed), meaning(design), "{file}");
        }
    }
}

/// Removes what only one of both contains: descriptions, retention, and conditions, which are functions in Rust; and the
/// permission to append, which the generator adds. The `EntityType` is that of stored rows.
fn in_rust(schema: &Schema) -> Vec<EntityDesign> {
    let mut entities = schema.entities.clone();
    for entity in &mut entities {
        (entity.about, entity.keep) = (None, None);
        entity.allow_append_only = false;
        entity.entity_type = schema.stored_entity(&entity.name).unwrap().entity_type;
        for field in &mut entity.fields {
            field.about = None;
            if let Some(blob) = &mut field.blob {
                blob.holds = FieldKind::Binary { max: None };
            }
        }
        for index in &mut entity.indexes {
            (index.about, index.when) = (None, None);
        }
        entity.lookups.iter_mut().for_each(|lookup| lookup.about = None);
        for total in &mut entity.totals {
            (total.about, total.when) = (None, None);
        }
        if let Some(archive) = &mut entity.archive {
            (archive.about, archive.when) = (None, None);
        }
    }
    entities
}

/// Returns whether the generator translates the entity: the key of a target has the names of its source, and copies are
/// plain fields.
fn is_translated(entity: &EntityDesign) -> bool {
    let has_other_names = entity.totals.iter().flat_map(|total| &total.matches).any(|(from, to)| from != to);
    has_other_names || !entity.embeds.is_empty()
}

#[test]
fn a_struct_and_its_design_file_are_equal() {
    let mut compared = 0;
    let mut found = Vec::new();
    for (file, designs) in designs().0 {
        let schema = read(&file, "random.toml").unwrap();
        let compiled = from_designs("random", &designs);
        let (of_structs, of_file) = (in_rust(&compiled.schema), in_rust(&schema));
        assert_eq!(of_structs.len(), of_file.len());
        for (of_struct, of_file) in of_structs.iter().zip(&of_file).filter(|(_, one)| !is_translated(one)) {
            compared += 1;
            if of_struct != of_file {
                let (left, right) = (format!("{of_struct:#?}"), format!("{of_file:#?}"));
                let lines = left.lines().zip(right.lines()).filter(|(left, right)| left != right);
                found.push((
                    of_file.name.clone(),
                    lines.take(8).map(|(l, r)| format!("{l} | {r}")).collect::<Vec<_>>(),
                ));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(compared > 20, "{compared}");
}
