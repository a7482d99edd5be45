//! The rates of recorded writes.

use std::collections::{BTreeMap, BTreeSet};

use table_designs::{
    language::Rate,
    schema::{EntityLoad, Schema, Update},
};
use table_schema::design::Origin;

use super::{Write, Written, found::Found};
use crate::sketch::real;

/// Number of different sets of changed fields that are counted for an entity.
const MERGES: usize = 1_000;

/// The writes of each entity, by its index in the design. Rows that the library derives from them are not counted.
#[derive(Debug, Default)]
pub(super) struct Writes(BTreeMap<usize, Counts>);

#[derive(Debug, Default)]
struct Counts {
    insert: u64,
    upsert: u64,
    replace: u64,
    delete: u64,
    /// By the changed fields.
    merges: BTreeMap<BTreeSet<String>, u64>,
}

impl Writes {
    pub(super) fn add(&mut self, found: &Found<'_>, write: &Write) {
        if found.rows.origin != Origin::Primary {
            return;
        }
        let counts = self.0.entry(found.entity).or_default();
        let count = match write.kind {
            Written::Insert => &mut counts.insert,
            Written::Upsert => &mut counts.upsert,
            Written::Replace => &mut counts.replace,
            Written::Delete => &mut counts.delete,
            Written::Merge => {
                let fields = found.design.fields.iter();
                let changed = fields.filter(|field| write.fields.contains(&field.property));
                let changed: BTreeSet<String> = changed.map(|field| field.name.clone()).collect();
                let is_counted = counts.merges.len() < MERGES || counts.merges.contains_key(&changed);
                // A merge without own fields updates a total or a copied field.
                if changed.is_empty() || !is_counted {
                    return;
                }
                counts.merges.entry(changed).or_default()
            }
        };
        *count += 1;
    }

    /// Replaces the rates of the recorded entities, or of all.
    pub(super) fn measure(
        &self,
        schema: &Schema,
        load: &mut Vec<EntityLoad>,
        rate: impl Fn(f64) -> Rate,
        is_all: bool,
    ) {
        let rate = |count: u64| rate(real(count));
        let none = Counts::default();
        for (number, design) in schema.entities.iter().enumerate() {
            let Some(counts) = self.0.get(&number).or(is_all.then_some(&none)) else { continue };
            let own = load_of(load, &design.name);
            let some = |count: u64| (count > 0).then(|| rate(count));
            own.insert = some(counts.insert);
            own.upsert = some(counts.upsert);
            own.delete = some(counts.delete);
            own.updates = counts.updates(&own.updates, &rate);
        }
    }
}

impl Counts {
    fn updates(&self, declared: &[Update], rate: &impl Fn(u64) -> Rate) -> Vec<Update> {
        let merges = self.merges.iter().map(|(fields, count)| Update {
            rate: rate(*count),
            fields: Some(fields.iter().cloned().collect()),
            slots: None,
        });
        let mut updates: Vec<Update> = merges.collect();
        if self.replace == 0 {
            return updates;
        }
        // A replacement does not show what it changes: the declared proportions remain.
        let all: f64 = declared.iter().map(|update| update.rate.per_second()).sum();
        let replaced = rate(self.replace).per_second();
        if all > 0.0 {
            updates.extend(declared.iter().map(|update| Update {
                rate: Rate::of_second(replaced * update.rate.per_second() / all),
                ..update.clone()
            }));
        } else {
            updates.push(Update { rate: Rate::of_second(replaced), fields: None, slots: None });
        }
        updates
    }
}

/// Returns the load of an entity; adds it if it is missing.
pub(super) fn load_of<'l>(load: &'l mut Vec<EntityLoad>, entity: &str) -> &'l mut EntityLoad {
    let place = load.iter().position(|load| load.name == entity).unwrap_or_else(|| {
        load.push(EntityLoad { name: entity.to_owned(), ..EntityLoad::default() });
        load.len() - 1
    });
    #[expect(clippy::indexing_slicing, reason = "the place is that of an element")]
    &mut load[place]
}
