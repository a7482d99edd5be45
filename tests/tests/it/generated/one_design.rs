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
    let Design { changes, archive, created, updated, expires, soft_delete, .. } = design;
    format!(
        "{name} {stored_as:?} {table} {tables:?} {shard:?} {partition:?} {row:?} {entity_type:?} {versioned}\n\
         {aliases:?} {renamed:?} {indirect:?} {encrypted:?} {defaults:?} {blobs:?} {wide:?} {fed:?}\n\
         {indexes:#?}\n{properties:#?} {key:?}\n\
         {changes:?} {archive:?} {created:?} {updated:?} {expires:?} {soft_delete:?}"
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

/// Removes what only design files contain: descriptions, retention, fields that an entity has from others, and conditions,
/// which are functions in Rust.
fn in_rust(schema: &Schema) -> Vec<EntityDesign> {
    let mut entities = schema.entities.clone();
    for entity in &mut entities {
        (entity.about, entity.keep) = (None, None);
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

#[test]
fn a_struct_and_its_design_file_are_equal() {
    for (file, designs) in designs().0 {
        let schema = read(&file, "random.toml").unwrap();
        let compiled = from_designs("random", &designs);
        let (left, right) = (in_rust(&compiled.schema), in_rust(&schema));
        for (left, right) in left.iter().zip(&right) {
            pretty(left, right, &file, &compiled.notes);
        }
        assert_eq!(left.len(), right.len());
    }
}

fn pretty(left: &EntityDesign, right: &EntityDesign, file: &str, notes: &[String]) {
    let (left, right) = (format!("{left:#?}"), format!("{right:#?}"));
    let differences: Vec<_> = left.lines().zip(right.lines()).filter(|(left, right)| left != right).take(12).collect();
    assert!(differences.is_empty() && left.len() == right.len(), "{differences:#?}\n{notes:#?}\n{file}");
}
