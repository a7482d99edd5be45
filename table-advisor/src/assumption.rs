use super::{Model, facts::Facts};
use crate::simulate::harmonic;
use table_schema::design::{FieldKind, LookupPlace};

/// The assumptions about an entity: the values of the file, and defaults for the other values. They can be compared
/// with actual data.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// The name of the entity.
    pub entity: String,
    /// Number of entities.
    pub entities: f64,
    /// Number of partitions of its rows.
    pub partitions: f64,
    /// Fraction of its rows in the largest partition.
    pub largest_share: f64,
    /// Its row kinds.
    pub rows: Vec<RowsAssumption>,
    /// Its fields, in declaration order.
    pub fields: Vec<FieldAssumption>,
}

/// The assumptions about a row kind.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsAssumption {
    /// `primary`, or the name of the index or lookup.
    pub name: String,
    /// Number of rows, or number of lists of a lookup.
    pub rows: f64,
    /// Average size of a row in bytes.
    pub bytes: f64,
    /// Number of members in the longest list of a lookup.
    pub longest: Option<f64>,
}

/// The assumptions about the values of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldAssumption {
    /// The name of the field.
    pub name: String,
    /// Number of distinct values.
    pub distinct: f64,
    /// Fraction of entities with the most frequent value.
    pub largest_share: f64,
    /// Average length: characters of a string, bytes of a binary value.
    pub length: Option<f64>,
    /// Fraction of entities that have a value.
    pub present: f64,
}

impl Model<'_> {
    /// Returns the assumptions about each entity, in file order. Entities without keys are omitted.
    #[must_use]
    pub fn assumptions(&self) -> Vec<Assumption> {
        self.facts.iter().zip(&self.paths).filter_map(|(facts, paths)| of(facts, paths)).collect()
    }
}

fn of(facts: &Facts<'_>, paths: &[super::path::Path<'_>]) -> Option<Assumption> {
    let partition = &facts.primary()?.partition;
    let in_tables =
        paths.iter().filter(|path| path.lookup.is_none_or(|(_, lookup)| lookup.place != LookupPlace::Blob));
    let rows = in_tables.map(|path| RowsAssumption {
        name: path.name.to_owned(),
        rows: path.rows,
        bytes: path.size(None),
        longest: path.lookup.map(|(_, lookup)| facts.longest_list(lookup)),
    });
    let field = |field: &table_schema::design::FieldDesign| FieldAssumption {
        name: field.name.clone(),
        distinct: facts.distinct(&field.name),
        largest_share: 1.0 / harmonic(facts.distinct(&field.name), facts.zipf(&field.name)),
        length: match field.kind {
            FieldKind::Text { .. } | FieldKind::Json { .. } | FieldKind::Enum { .. } => {
                Some(facts.chars(field))
            }
            FieldKind::Binary { .. } | FieldKind::Blob => Some(facts.bytes(field)),
            _ => None,
        },
        present: facts.present(&field.name),
    };
    Some(Assumption {
        entity: facts.entity.name.clone(),
        entities: facts.count,
        partitions: facts.keys(partition),
        largest_share: facts.largest_share(partition),
        rows: rows.collect(),
        fields: facts.entity.fields.iter().map(field).collect(),
    })
}
