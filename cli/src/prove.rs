//! Execution of a design: synthetic entities are stored by the real keys and the real write protocol, and the queries and
//! writes of the load run on them. Counts and results are compared with the prediction for the same load.

mod arguments;
mod measure;
mod population;
mod query;
mod random;
mod report;
mod scaled;
mod service;
mod value;
mod write;

use std::{
    collections::{BTreeSet, HashMap},
    process::ExitCode,
    sync::Arc,
};

use table_advisor::{Group, Model, Plan, WriteKind};
use table_designs::schema::{Relation, Schema};
use table_patterns::{Designed, DesignedEntities, FieldValues, Tables};
use table_schema::design::{EntityDesign, Origin, RowKind};
use table_store::Store;

pub(crate) use arguments::ProveArguments;
use measure::{Line, Measure};
use population::Population;
use query::{CALLS, Step};
use scaled::Scaled;
use service::Counting;
use write::{Used, Write};

use crate::{error::CommandError, runtime::block_on};

/// The comparison of a design with its prediction.
#[derive(Debug)]
pub(crate) struct Proof {
    /// Entities of each type, and the factor of their load.
    counts: Vec<(String, usize, f64)>,
    lines: Vec<Line>,
    /// The fraction of the rows in the largest partition, for each partition template with queries.
    partitions: Vec<Largest>,
    /// Differences between entities and their other rows after all writes.
    differences: Vec<String>,
    /// The number of queries and writes of the load.
    operations: usize,
    /// What is not executed, with the reason.
    left: Vec<(String, String)>,
}

/// The rows in the largest partition of a template.
#[derive(Debug)]
struct Largest {
    name: String,
    rows: Measure,
    /// Rows that always are in the same partition.
    together: f64,
}

impl Largest {
    /// Returns whether the largest partition has the predicted number of rows: up to 10 %, or up to three standard
    /// deviations of a random distribution.
    fn is_near(&self) -> bool {
        let Measure { predicted, executed, .. } = self.rows;
        let deviation = (predicted / self.together).sqrt().max(1.0) * self.together;
        self.rows.is_within(0.1) || (executed - predicted).abs() <= 3.0 * deviation
    }
}

/// An entity type that is executed.
struct Subject<'s> {
    entity: &'s EntityDesign,
    designed: Designed,
    entities: DesignedEntities,
    counting: Counting,
    population: Population,
    /// Fields of the key.
    key: Vec<String>,
    /// Entities by their keys.
    rows: HashMap<String, usize>,
}

impl Subject<'_> {
    /// Returns the number of an entity that was read.
    fn row_of(&self, values: &FieldValues) -> Option<usize> {
        let text = query::key_text(self.key.iter().map(|name| values.get(name)));
        self.rows.get(&text).copied()
    }
}

impl Proof {
    /// Returns whether something was executed, and nothing contradicts the prediction.
    pub(crate) fn holds(&self) -> bool {
        !self.lines.is_empty()
            && self.lines.iter().all(|line| line.failures.is_empty())
            && self.differences.is_empty()
            && self.partitions.iter().all(Largest::is_near)
    }

    pub(crate) fn text(&self) -> String {
        report::text(self)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        report::json(self)
    }
}

/// Executes a design with at most `rows` entities of a type.
pub(crate) fn prove(schema: &Schema, rows: u64) -> Result<Proof, CommandError> {
    let scaled = scaled::scaled(schema, rows);
    block_on(async { Run::load(&scaled).await?.compare(&scaled.schema).await })
}

/// Prints a proof: below a text report, otherwise to standard error, unless JSON contains it. Returns exit code 1 if it
/// contradicts the prediction.
pub(crate) fn conclude(
    proof: Option<&Proof>,
    is_text: bool,
    is_json: bool,
) -> Result<ExitCode, CommandError> {
    let Some(proof) = proof else { return Ok(ExitCode::SUCCESS) };
    if is_text {
        crate::print(&proof.text())?;
    } else if !is_json {
        eprint!("{}", anstream::adapter::strip_str(&proof.text()));
    }
    Ok(if proof.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Entities that are stored, and the result so far.
struct Run<'s> {
    #[cfg_attr(not(test), expect(dead_code, reason = "tests change it"))]
    store: Store,
    tables: Tables,
    subjects: Vec<Subject<'s>>,
    loaded: HashMap<(String, String), u64>,
    proof: Proof,
}

impl<'s> Run<'s> {
    /// Stores the entities of a design.
    async fn load(Scaled { schema, factors }: &'s Scaled) -> Result<Self, CommandError> {
        let store = Store::in_memory().map_err(|error| CommandError::Unfinished(error.to_string()))?;
        let counting = Counting::new(store.clone());
        let (queues, blobs) = (Arc::new(store.clone()), Arc::new(store.clone()));
        let tables = Tables::from_services(Arc::new(counting.clone()), Some(queues), Some(blobs));
        let mut proof = Proof {
            counts: Vec::new(),
            lines: Vec::new(),
            partitions: Vec::new(),
            differences: Vec::new(),
            operations: 0,
            left: Vec::new(),
        };
        let mut subjects = Vec::new();
        for (entity, factor) in schema.entities.iter().zip(factors) {
            match Subject::new(schema, entity, &tables, &counting) {
                Ok(subject) => {
                    proof.counts.push((entity.name.clone(), subject.population.count, *factor));
                    subjects.push(subject);
                }
                Err(reason) => proof.left.push((entity.name.clone(), reason)),
            }
        }
        counting.take();
        for subject in &subjects {
            for row in 0..subject.population.count {
                subject.entities.insert(&subject.population.row(row)).await?;
            }
        }
        let loaded = counting.take().partitions;
        Ok(Self { store, tables, subjects, loaded, proof })
    }

    /// Runs the queries and writes of the design, and compares them with its model.
    async fn compare(self, schema: &Schema) -> Result<Proof, CommandError> {
        let Self { tables, subjects, loaded, mut proof, .. } = self;
        let find = |name: &str| subjects.iter().find(|subject| subject.entity.name == name);
        let model = Model::new(schema);
        proof.partitions = partitions(schema, &model, &subjects, &loaded);
        proof.operations =
            model.accesses().len() + model.plans().iter().filter(|plan| !plan.is_inside).count();
        for access in model.accesses() {
            let Some(query) = schema.query(&access.query) else { continue };
            let Some(subject) = find(&query.find) else { continue };
            match (Step { subject, query, access }).run().await? {
                Ok(line) => proof.lines.push(line),
                Err(reason) => proof.left.push((access.query.clone(), reason)),
            }
        }
        let mut used: HashMap<&str, Used> = HashMap::new();
        // Deletes are last: the other writes need entities.
        let (deletes, others): (Vec<&Plan>, Vec<&Plan>) =
            model.plans().iter().partition(|plan| plan.kind == WriteKind::Delete);
        for plan in others.into_iter().chain(deletes) {
            let Some(subject) = find(&plan.entity) else { continue };
            let write = Write { tables: &tables, schema, subjects: &subjects, subject, plan };
            match write.run(used.entry(subject.entity.name.as_str()).or_default()).await? {
                Ok(line) => proof.lines.push(line),
                Err(reason) => proof.left.push((plan.name(), reason)),
            }
        }
        for subject in subjects.iter().filter(|subject| subject.designed.design().tables.is_none()) {
            let report = subject.designed.verify().run().await?;
            if report.count() > 0 {
                proof.differences.push(format!("{} of {}", report.count(), subject.entity.name));
            }
        }
        Ok(proof)
    }
}

impl<'s> Subject<'s> {
    /// Creates the entities of a type.
    ///
    /// # Errors
    /// Returns the reason why the type is not executed.
    fn new(
        schema: &Schema,
        entity: &'s EntityDesign,
        tables: &Tables,
        counting: &Counting,
    ) -> Result<Self, String> {
        let designed = tables.design(schema, &entity.name).map_err(|error| error.to_string())?;
        let entities = designed.entities().map_err(|error| error.to_string())?;
        let load = schema.load_of(&entity.name).ok_or("it has no load")?;
        let children = |relation: &Relation| if relation.atomic { write::many(relation) } else { 0 };
        let of = schema.relations.iter().filter(|relation| relation.to == entity.name);
        let more = of.map(children).sum::<usize>().max(1);
        let population = Population::new(schema, entity, load, CALLS * more)?;
        let keys = [&entity.partition, &entity.row];
        let templates = keys.into_iter().flatten().filter_map(|text| text.template());
        let fields: BTreeSet<String> =
            templates.flat_map(|template| template.holes().map(|hole| hole.field.clone())).collect();
        let key: Vec<String> = fields.into_iter().collect();
        let rows = query::by_key(&population, &key);
        Ok(Self { entity, designed, entities, counting: counting.clone(), population, key, rows })
    }

    /// Returns the rows of an access path.
    fn kind(&self, path: &str) -> Option<RowKind> {
        self.entity.row_kinds().into_iter().find(|kind| match kind.origin {
            Origin::Primary => path == "primary",
            Origin::Index(_) => kind.name == path,
            Origin::Lookup(_) => false,
        })
    }
}

/// Returns the fractions of the rows in the largest partitions, where the model has load by which it can be derived.
fn partitions(
    schema: &Schema,
    model: &Model<'_>,
    subjects: &[Subject<'_>],
    loaded: &HashMap<(String, String), u64>,
) -> Vec<Largest> {
    let mut found: Vec<Largest> = Vec::new();
    for access in model.accesses().iter().filter(|access| access.rate > 0.0 && access.read > access.fetch) {
        let Some(query) = schema.query(&access.query) else { continue };
        let Some(subject) = subjects.iter().find(|subject| subject.entity.name == query.find) else {
            continue;
        };
        let Some(kind) = subject.kind(&access.path) else { continue };
        // A query of one named partition says nothing about the number of rows in it.
        let mut tests =
            query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|one| &one.tests);
        if tests
            .any(|test| test.value.is_some() && kind.partition.holes().any(|hole| hole.field == test.field))
        {
            continue;
        }
        let name = Group::name_of(kind.table.text(), &kind.partition);
        let group = model.groups().iter().find(|group| group.name == name);
        let Some(group) = group.filter(|_| found.iter().all(|known| known.name != name)) else { continue };
        let Some((_, hot)) = group.by.iter().find(|(operation, _)| *operation == access.query) else {
            continue;
        };
        let rate = schema.load.peak * access.rate * (access.read - access.fetch);
        let form = kind.partition.form(table_schema::key::KeyKind::Partition);
        let tables = kind.table.form(table_schema::key::KeyKind::Partition);
        // The partitions of the tables of all periods with one key count as one.
        let mut by_key: HashMap<&str, f64> = HashMap::new();
        for ((table, partition), rows) in loaded {
            if tables.decode(table).is_ok() && form.decode(partition).is_ok() {
                *by_key.entry(partition).or_default() += query::float(*rows);
            }
        }
        let rows: Vec<f64> = by_key.into_values().collect();
        let (all, most) = (rows.iter().sum::<f64>(), rows.iter().copied().fold(0.0, f64::max));
        // No partition has more entities than there are combinations of the other fields of their keys.
        let others = subject
            .key
            .iter()
            .filter(|name| kind.partition.holes().all(|hole| !hole.exact || hole.field != **name));
        let others = others.filter_map(|name| subject.population.column(name));
        let combinations: f64 = others.map(|column| crate::text::real(column.distinct())).product();
        let rows_each = all / crate::text::real(subject.population.count.max(1));
        let predicted = (hot / rate * all).min(combinations * rows_each.max(1.0));
        if all > 0.0 && group.scans <= 0.0 {
            // A shard contains all rows with the same value.
            let of = subject.entity.shard.as_ref().and_then(|shard| subject.population.column(&shard.of));
            let together = of.map_or(1.0, |column| all / crate::text::real(column.distinct()));
            let rows = Measure { what: "rows", predicted, executed: most };
            found.push(Largest { name, rows, together: together.max(1.0) });
        }
    }
    found
}

#[cfg(test)]
mod tests;
