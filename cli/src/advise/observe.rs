//! Measurement of a store: the tables of a design are read once, and the counts replace the assumptions of the file.

mod compared;
mod entity;
mod field;
mod json;
mod walk;
mod words;

use table_advisor::Model;
use table_designs::schema::{EntityLoad, Schema, Values};
use table_store::rows::RowRef;

pub(crate) use self::{
    compared::Line,
    entity::EntitySeen,
    json::value,
    words::{sentences, table},
};
use crate::{error::CommandError, location::LocationArguments, runtime};

/// Maximum number of reported rows that match no type.
const STRAYS: usize = 3;

/// The measurements of a store.
#[derive(Debug)]
pub(crate) struct Observed {
    /// The location, without credentials.
    pub(crate) place: String,
    /// The tables that were read.
    pub(crate) tables: Vec<String>,
    /// Tables that match no template of the design.
    pub(crate) others: Vec<String>,
    pub(crate) rows: u64,
    /// Rows of the library.
    pub(crate) own: u64,
    /// Rows that match no type of the design.
    pub(crate) unknown: u64,
    /// The first of these rows: table and keys.
    pub(crate) strays: Vec<[String; 3]>,
    /// In the order of the design.
    pub(crate) entities: Vec<EntitySeen>,
}

/// The measurements and the previous assumptions.
#[derive(Debug)]
pub(crate) struct Observation {
    pub(crate) observed: Observed,
    pub(crate) lines: Vec<Line>,
}

impl Observation {
    /// Returns the measurements of existing entities in the form of a file.
    pub(crate) fn load(&self, schema: &Schema) -> Vec<EntityLoad> {
        self.observed.load(schema)
    }
}

/// Reads the tables of the design, and replaces its assumptions by the measurements.
pub(crate) fn observe(schema: &mut Schema, place: &LocationArguments) -> Result<Observation, CommandError> {
    let place = place.open_to_read()?;
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
    /// Counts a row that matches no type of the design.
    fn stray(&mut self, table: &str, row: &RowRef<'_>) {
        self.unknown += 1;
        if self.strays.len() < STRAYS {
            let [partition, row] = [row.partition_key, row.row_key].map(Option::unwrap_or_default);
            self.strays.push([table, partition, row].map(str::to_owned));
        }
    }

    /// Returns the measurements of existing entities in the form of a file. Values that cannot be measured, such as
    /// rates and `within`, are unchanged.
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

/// Converts a count to a float.
#[expect(clippy::cast_precision_loss, reason = "a count above 2^53 is told to 15 digits")]
fn real(count: u64) -> f64 {
    count as f64
}
