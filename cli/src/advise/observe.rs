//! A design held against what is there: its tables are read once, and what is counted takes the place of what the file
//! assumes.

mod compared;
mod distinct;
mod entity;
mod field;
mod frequent;
mod hash;
mod json;
mod kinds;
mod walk;
mod words;

use std::path::Path;

use table_advisor::Model;
use table_schema::schema::{EntityLoad, Load, Schema, Values};
use table_store::rows::RowRef;

pub(crate) use self::{
    compared::Line,
    entity::EntitySeen,
    json::value,
    words::{sentences, table},
};
use crate::{error::CommandError, place::PlaceArguments, runtime};

/// As many rows that the design does not know are told by their keys.
const STRAYS: usize = 3;

/// What was seen at a place.
#[derive(Debug)]
pub(crate) struct Observed {
    /// The place, without what opens it.
    pub(crate) place: String,
    /// The tables that were read.
    pub(crate) tables: Vec<String>,
    /// Tables that no template of the design names.
    pub(crate) others: Vec<String>,
    pub(crate) rows: u64,
    /// Rows that the library keeps for itself.
    pub(crate) own: u64,
    /// Rows of no kind that the design knows.
    pub(crate) unknown: u64,
    /// The first of those: table and keys.
    pub(crate) strays: Vec<[String; 3]>,
    /// In the order of the design's.
    pub(crate) entities: Vec<EntitySeen>,
}

/// What was seen, beside what was assumed.
#[derive(Debug)]
pub(crate) struct Observation {
    pub(crate) observed: Observed,
    pub(crate) lines: Vec<Line>,
}

/// Reads the tables of the design, and lays what was measured over what it assumes.
pub(crate) fn observe(schema: &mut Schema, place: &PlaceArguments) -> Result<Observation, CommandError> {
    let place = place.open()?;
    let observed = runtime::block_on(async {
        let observed = walk::walk(schema, &place.name, &*place.tables).await;
        let closed = place.close().await;
        let observed = observed?;
        closed?;
        Ok(observed)
    })?;
    let lines = compared::lines(schema, &Model::new(schema).assumptions(), &observed);
    let measured = observed.load(schema);
    for load in measured {
        match schema.load.entities.iter_mut().find(|known| known.name == load.name) {
            Some(known) => {
                (known.count, known.partitions, known.values) = (load.count, load.partitions, load.values);
            }
            None => schema.load.entities.push(load),
        }
    }
    Ok(Observation { observed, lines })
}

impl Observed {
    /// A row that is nothing of the design.
    fn stray(&mut self, table: &str, row: &RowRef<'_>) {
        self.unknown += 1;
        if self.strays.len() < STRAYS {
            let [partition, row] = [row.partition_key, row.row_key].map(Option::unwrap_or_default);
            self.strays.push([table, partition, row].map(str::to_owned));
        }
    }

    /// What was measured, as a file says it: of entities that are there. What cannot be measured, as rates and `within`,
    /// stays as it was.
    fn load(&self, schema: &Schema) -> Vec<EntityLoad> {
        let designs = schema.entities.iter().zip(&self.entities).filter(|(_, seen)| seen.entities > 0);
        let of = |(design, seen): (&table_schema::design::EntityDesign, &EntitySeen)| {
            let said = schema.load_of(&design.name);
            let values = design.fields.iter().zip(&seen.fields).map(|(field, field_seen)| {
                let unsaid = Values { field: field.name.clone(), ..Values::default() };
                let was = said.and_then(|load| load.values_of(&field.name)).unwrap_or(&unsaid);
                let is_counted = entity::is_counted(design, &field.name);
                field_seen.values(field, seen.entities, is_counted, was)
            });
            EntityLoad {
                name: design.name.clone(),
                count: Some(seen.entities),
                partitions: Some(seen.partitions().0.max(1)),
                values: values
                    .filter(|values| *values != Values { field: values.field.clone(), ..Values::default() })
                    .collect(),
                ..EntityLoad::default()
            }
        };
        designs.map(of).collect()
    }
}

/// Writes what was measured as a file that `--load` reads.
pub(crate) fn write(schema: &Schema, observation: &Observation, path: &Path) -> Result<(), CommandError> {
    let entities = observation.observed.load(schema);
    let measured = Schema { load: Load { entities, ..Load::default() }, ..Schema::default() };
    std::fs::write(path, table_codegen::write(&measured))
        .map_err(|error| CommandError::Write { path: path.to_owned(), error })
}

/// A count as a number that is computed with.
#[expect(clippy::cast_precision_loss, reason = "a count above 2^53 is told to 15 digits")]
fn real(count: u64) -> f64 {
    count as f64
}
