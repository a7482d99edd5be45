use super::{Model, facts::Facts};
use crate::{
    design::{FieldKind, LookupPlace},
    simulate::harmonic,
};

/// What is assumed of an entity: what the file says, and the defaults for what it does not say. To be held against what
/// is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// The entity.
    pub entity: String,
    /// Entities alive.
    pub entities: f64,
    /// The partitions of its own rows.
    pub partitions: f64,
    /// The share of them that the largest has.
    pub largest_share: f64,
    /// Its kinds of rows.
    pub rows: Vec<RowsAssumption>,
    /// Its fields, in the order of declaration.
    pub fields: Vec<FieldAssumption>,
}

/// What is assumed of a kind of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsAssumption {
    /// `primary`, or the name of the index or lookup.
    pub name: String,
    /// How many; of a lookup its lists.
    pub rows: f64,
    /// The average size of one.
    pub bytes: f64,
    /// Of a lookup: the members of its longest list.
    pub longest: Option<f64>,
}

/// What is assumed of a field's values.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldAssumption {
    /// The field.
    pub name: String,
    /// How many different values there are.
    pub distinct: f64,
    /// The share of the most frequent one.
    pub largest_share: f64,
    /// The average length: characters of a text, bytes of a binary.
    pub length: Option<f64>,
    /// The share of entities that have it.
    pub present: f64,
}

impl Model<'_> {
    /// What is assumed of each entity, in the order of the file. An entity without keys is left out.
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
    let field = |field: &crate::design::FieldDesign| FieldAssumption {
        name: field.name.clone(),
        distinct: facts.distinct(&field.name),
        largest_share: 1.0 / harmonic(facts.distinct(&field.name), facts.zipf(&field.name)),
        length: match field.kind {
            FieldKind::Text { .. } | FieldKind::Json { .. } | FieldKind::Enum { .. } => {
                Some(facts.chars(field))
            }
            FieldKind::Binary { .. } => Some(facts.bytes(field)),
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
