use super::{
    Access, Group, Plan,
    access::{Ground, OtherRows},
    facts::Facts,
    group::{Share, rising_end},
    parts::{Rest, split},
    path::{Path, paths},
    plan::{self, WriteKind},
};
use std::collections::HashMap;
use table_designs::schema::{EntityLoad, Query, Schema};

/// A schema with all computed results.
#[derive(Debug)]
pub struct Model<'s> {
    pub(super) schema: &'s Schema,
    /// The other parts of the design.
    pub(super) rest: Rest,
    pub(super) facts: Vec<Facts<'s>>,
    /// The access paths of each entity.
    pub(super) paths: Vec<Vec<Path<'s>>>,
    accesses: Vec<Access>,
    plans: Vec<Plan>,
    groups: Vec<Group>,
}

impl<'s> Model<'s> {
    /// Computes the model. Items that cannot be computed are omitted, for example a query on an entity without keys.
    #[must_use]
    pub fn new(schema: &'s Schema) -> Self {
        let parts = split(schema);
        if parts.len() < 2 {
            return Self::part(schema, Rest::default());
        }
        let mut model = Self::unloaded(schema, Rest::default());
        let models: Vec<Model<'_>> = parts.iter().map(|part| Model::part(part, Rest::default())).collect();
        let (mut accesses, mut plans, mut groups) = (HashMap::new(), HashMap::new(), HashMap::new());
        for part in models {
            accesses.extend(part.accesses.into_iter().map(|access| (access.query.clone(), access)));
            for plan in part.plans {
                plans.entry(plan.entity.clone()).or_insert_with(Vec::new).push(plan);
            }
            groups.extend(part.groups.into_iter().map(|group| (group.name.clone(), group)));
        }
        model.accesses = schema.queries.iter().filter_map(|query| accesses.remove(&query.name)).collect();
        model.plans =
            schema.entities.iter().filter_map(|entity| plans.remove(&entity.name)).flatten().collect();
        model.groups = model.rows().filter_map(|(_, path)| groups.remove(&path.group())).collect();
        model
    }

    /// Computes the model of a part of a design.
    pub(super) fn part(schema: &'s Schema, rest: Rest) -> Self {
        let mut model = Self::unloaded(schema, rest);
        model.accesses = schema.queries.iter().filter_map(|query| model.access(query)).collect();
        model.plans = plan::plans(&model);
        model.groups = model.load();
        model
    }

    fn unloaded(schema: &'s Schema, rest: Rest) -> Self {
        let loads: HashMap<&str, &EntityLoad> =
            schema.load.entities.iter().rev().map(|load| (load.name.as_str(), load)).collect();
        let shared = schema.shared_tables();
        let facts = schema.entities.iter().map(|entity| {
            Facts::new(
                schema,
                entity,
                loads.get(&*entity.name).copied(),
                schema.requires_type(entity, &shared),
            )
        });
        let facts: Vec<Facts<'s>> = facts.collect();
        let paths = facts.iter().map(|facts| paths(schema, facts)).collect();
        Self { schema, rest, facts, paths, accesses: Vec::new(), plans: Vec::new(), groups: Vec::new() }
    }

    /// Returns what this part contributes to the account.
    pub(super) fn share(&self) -> Rest {
        let requests = self.plans.iter().map(|plan| plan.rate * plan.counted_requests()).sum::<f64>()
            + self.accesses.iter().map(|access| access.rate * access.requests).sum::<f64>();
        let steps = |plan: &Plan| {
            let rows = plan.counted().filter(|step| !step.effect.is_of_blob());
            plan.rate * rows.map(|step| step.times).sum::<f64>()
        };
        let peak = self.schema.load.peak;
        Rest {
            requests: peak * requests,
            writes: peak * self.plans.iter().map(steps).sum::<f64>(),
            month: self.costs().total(),
            hottest: self.groups.iter().map(|group| group.hot).fold(0.0, f64::max),
        }
    }

    /// Calls `run` with the number and the model of each independent part.
    pub(super) fn for_each_part(&self, mut run: impl FnMut(&Model<'_>)) {
        let parts = split(self.schema);
        if parts.len() < 2 {
            return run(self);
        }
        let shares: Vec<Rest> = parts.iter().map(|part| Model::part(part, Rest::default()).share()).collect();
        for (place, part) in parts.iter().enumerate() {
            run(&Model::part(part, Rest::without(&shares, place)));
        }
    }

    /// Returns the access path of each query, in file order.
    #[must_use]
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// Returns the plan of each write, in file order.
    #[must_use]
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// Returns the partitions of each template and their load.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn access(&self, query: &'s Query) -> Option<Access> {
        let number = self.facts.iter().position(|facts| facts.entity.name == query.find)?;
        let (facts, paths) = (self.facts.get(number)?, self.paths.get(number)?);
        Ground { facts, paths, query, targets: &self.schema.targets, others: self }.access()
    }

    /// Returns all access paths with rows in tables.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Facts<'s>, &Path<'s>)> {
        let all = self.facts.iter().zip(&self.paths);
        let all = all.flat_map(|(facts, paths)| paths.iter().map(move |path| (facts, path)));
        all.filter(|(_, path)| {
            path.lookup.is_none_or(|(_, lookup)| lookup.place != table_schema::design::LookupPlace::Blob)
        })
    }

    /// Returns the path of an entity that a query uses.
    pub(super) fn path_of(&self, access: &Access) -> Option<(&Facts<'s>, &Path<'s>)> {
        let query = self.schema.queries.iter().find(|query| query.name == access.query)?;
        let number = self.facts.iter().position(|facts| facts.entity.name == query.find)?;
        let first = access.path.split(", ").next()?;
        let path = self.paths.get(number)?.iter().find(|path| path.name == first)?;
        Some((self.facts.get(number)?, path))
    }

    /// Returns the load of each group of partitions. Table scans are distributed over all partitions; other load is
    /// distributed like the rows, and inserts like new rows.
    fn load(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (facts, path) in self.rows() {
            if !groups.iter().any(|group| group.name == path.group()) {
                groups.push(Group::new(facts, path));
            }
        }
        let peak = self.schema.load.peak;
        for plan in &self.plans {
            for step in plan.counted() {
                let Some(group) = groups.iter_mut().find(|group| step.group.as_ref() == Some(&group.name))
                else {
                    continue;
                };
                let rate = peak * plan.rate * step.times;
                let is_new = matches!(plan.kind, WriteKind::Insert);
                let [busiest, active] = if is_new { step.new } else { step.any };
                if is_new && self.rises(&group.name) {
                    group.rising += rate;
                }
                group.add(Share { operation: plan.name(), rate, busiest, active });
            }
        }
        for access in &self.accesses {
            let Some((facts, path)) = self.path_of(access) else { continue };
            let given = self.given(access);
            // Entities that a query reads by their keys are in the partitions of the entity.
            let own = self.rows().find(|(own, path)| own.entity.name == facts.entity.name && path.is_own());
            let fetched = own.map(|(_, path)| (path, access.fetch));
            for (path, read) in [(path, access.read - access.fetch)].into_iter().chain(fetched) {
                let Some(group) = groups.iter_mut().find(|group| group.name == path.group()) else {
                    continue;
                };
                let (partition, rate) = (&path.kind.partition, peak * access.rate * read);
                if access.class.is_over_partitions() && path.name == access.path {
                    group.add_scan(&access.query, rate / facts.keys(partition));
                } else {
                    let (active, busiest) = facts.spread(partition, &given);
                    group.add(Share { operation: access.query.clone(), rate, busiest, active });
                }
            }
        }
        groups.iter_mut().for_each(Group::finish);
        groups
    }

    /// Returns the fields that a query compares with a value, which is the same in all calls.
    fn given(&self, access: &Access) -> Vec<&str> {
        let filter = self.schema.query(&access.query).and_then(|query| query.filter.as_ref());
        let alternatives = filter.map_or(&[][..], |filter| filter.alternatives.as_slice());
        let [only] = alternatives else { return Vec::new() };
        only.tests.iter().filter(|test| test.value.is_some()).map(|test| test.field.as_str()).collect()
    }

    fn rises(&self, group: &str) -> bool {
        let mut rows = self.rows().filter(|(_, path)| path.group() == group);
        rows.next().is_some_and(|(facts, path)| rising_end(facts, &path.kind.partition).is_some())
    }
}

impl OtherRows for Model<'_> {
    fn in_table(&self, path: &Path<'_>) -> f64 {
        let same = |other: &Path<'_>| {
            table_schema::template::same_form(&other.kind.table.parts(), &path.kind.table.parts())
                && !is_same(path, other)
        };
        self.rows().filter(|(_, other)| same(other)).map(|(_, other)| other.rows).sum()
    }

    fn in_partitions(&self, path: &Path<'_>) -> f64 {
        self.beside(path).map(|other| other.rows).sum()
    }

    fn is_shared(&self, path: &Path<'_>) -> bool {
        self.beside(path).next().is_some()
    }
}

impl Model<'_> {
    /// Returns the other rows in partitions of the same form.
    fn beside<'m>(&'m self, path: &'m Path<'_>) -> impl Iterator<Item = &'m Path<'m>> {
        let same = |other: &Path<'_>| other.kind.shares_partition(&path.kind) && !is_same(path, other);
        self.rows().map(|(_, other)| other).filter(move |other| same(other))
    }
}

/// Returns whether two references point to the same path.
fn is_same(one: &Path<'_>, other: &Path<'_>) -> bool {
    std::ptr::eq(std::ptr::from_ref(one).cast::<u8>(), std::ptr::from_ref(other).cast::<u8>())
}
