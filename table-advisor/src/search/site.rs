//! Primary keys of an entity, and what its indexes cost beside them.

mod plot;
mod standing;

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::{
    case::{Case, facts, keyed},
    instance::can_serve,
    key::{Form, Key, Part, template, word},
    measure::{Asked, Measured, measure},
};
use table_designs::schema::{Query, Schema, Workload};
use table_schema::{
    catalogue::Severity,
    design::{CopiedFields, EntityDesign, FieldKind, IndexDesign},
    rules,
    template::Template,
};

pub(super) use plot::{Plot, Sites};

/// A set of fields of an entity, by position. All fields from the 128th on are one.
pub(super) type Fields = u128;

/// An entity with a primary key.
#[derive(Debug)]
pub(super) struct Site<'w> {
    pub workload: &'w Workload,
    pub case: &'w Case,
    /// The entity with its keys and without indexes.
    pub entity: EntityDesign,
    pub key: Key,
    /// The number of the common partition of several entities.
    pub at: usize,
    /// The number of entities.
    pub count: f64,
    /// The entities with its totals.
    pub owners: Vec<EntityDesign>,
    /// The indexes that can be added.
    pub paths: Vec<Place>,
    /// `true` for the key of the existing design.
    pub is_standing: bool,
    /// `true` if the entity keeps its indexes of the existing design, also those that exceed a limit.
    pub is_fixed: bool,
    cache: RefCell<BTreeMap<(usize, Fields), Rc<Writes>>>,
    elsewhere: Rc<Elsewhere>,
}

/// What is known about paths in other partitions. It is the same for all primary keys.
#[derive(Debug)]
struct Elsewhere {
    /// The schema of the entity without keys.
    bare: Schema,
    /// The partial designs that were measured since they were counted.
    work: Cell<usize>,
    served: RefCell<BTreeMap<Key, Rc<Vec<usize>>>>,
    places: RefCell<BTreeMap<(Key, Key, bool), Option<Place>>>,
    writes: RefCell<BTreeMap<(Key, Fields, String), Rc<Writes>>>,
    asked: RefCell<BTreeMap<Question, Rc<Answers>>>,
}

impl Elsewhere {
    fn new(bare: Schema) -> Self {
        Self {
            bare,
            work: Cell::new(0),
            served: RefCell::default(),
            places: RefCell::default(),
            writes: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// Adds to the measured partial designs: a step on a path, or a field of an entity that is checked or whose size is computed.
    fn add_work(&self, count: usize) {
        self.work.set(self.work.get().saturating_add(count));
    }

    fn served(&self, case: &Case, key: &Key) -> Rc<Vec<usize>> {
        if let Some(known) = self.served.borrow().get(key) {
            return Rc::clone(known);
        }
        let steps = case.steps.iter().enumerate().filter(|(_, step)| can_serve(step, key));
        let served: Rc<Vec<usize>> = Rc::new(steps.map(|(number, _)| number).collect());
        self.served.borrow_mut().insert(key.clone(), Rc::clone(&served));
        served
    }
}

/// A workload, one of its problems, and the measured paths in other partitions.
type Parts<'w, 'e> = (&'w Workload, &'w Case, &'e Rc<Elsewhere>);

/// A path, its copied fields, its table, and the names and selected fields of queries.
type Question = (Key, Fields, String, Vec<(String, Option<Vec<String>>)>);

/// Queries on a path.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    pub queries: Vec<Asked>,
    /// The group of the path.
    pub group: String,
}

/// An index that can be added to an entity.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The fields that its name consists of.
    lead: Key,
    pub key: Key,
    /// The design, with keys only.
    pub design: IndexDesign,
    /// `true` if it is in the partition of the entity.
    pub is_near: bool,
    /// The index of the existing design, which keeps its name.
    pub stored: Option<IndexDesign>,
}

/// What an index with some copied fields adds to the writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Writes {
    /// Cost per month of storage and writes, without queues.
    pub cost: f64,
    /// The fraction of each write that it follows through the queue.
    pub queued: Vec<f64>,
    /// Entities per second in its busiest partition.
    pub heat: f64,
    /// The size of its largest partition in GiB.
    pub gib: f64,
    /// Operations and bytes in the transaction of each write.
    pub transaction: Vec<[f64; 2]>,
}

impl<'w> Site<'w> {
    fn new((workload, case, elsewhere): Parts<'w, '_>, plot: &Plot, keys: &BTreeSet<Key>) -> Option<Self> {
        let mut entity = case.entity.clone();
        elsewhere.add_work(entity.fields.len());
        keyed(&mut entity, &plot.table, &plot.key, plot.has_prefix, &elsewhere.bare)?;
        if !is_valid(&entity) {
            return None;
        }
        let owners = owners(workload, case, &entity, &plot.key)?;
        let mut site = Self {
            workload,
            owners,
            case,
            key: plot.key.clone(),
            at: plot.at,
            count: facts(&elsewhere.bare, &case.entity).count,
            entity,
            paths: Vec::new(),
            is_standing: false,
            is_fixed: false,
            cache: RefCell::default(),
            elsewhere: Rc::clone(elsewhere),
        };
        site.add_places(keys);
        Some(site)
    }

    /// Returns the numbers of the steps of the problem that a path with a key can serve.
    pub(super) fn served(&self, key: &Key) -> Rc<Vec<usize>> {
        self.elsewhere.served(self.case, key)
    }

    /// Adds the indexes with some keys, except those that exist.
    fn add_places(&mut self, keys: &BTreeSet<Key>) {
        let mut seen = BTreeSet::from([Key { is_unique: false, ..self.key.clone() }]);
        let standing = self.case.standing.as_ref().filter(|_| self.is_standing);
        seen.extend(standing.into_iter().flat_map(|one| &one.indexes).map(|(_, key)| key.clone()));
        let id: Vec<Part> = self.case.identity.id.iter().map(|field| Part::new(field)).collect();
        for candidate in keys {
            // An index in the partition of the entity is in the same shard.
            let mut candidate = Cow::Borrowed(candidate);
            if !candidate.is_unique && self.key.unsharded() == Some(candidate.partition.as_slice()) {
                candidate.to_mut().partition.clone_from(&self.key.partition);
            }
            let full = if candidate.is_unique {
                candidate.clone().into_owned()
            } else {
                candidate.ending_in(id.iter().chain(self.key.parts()))
            };
            if !seen.contains(&full) {
                let place = self.known_place(&candidate, &full);
                self.paths.extend(place);
                seen.insert(full);
            }
        }
    }

    /// Returns the index with a key, if the rules allow it. In another partition, the rules depend only on whether the
    /// entities of the primary key are spread.
    fn known_place(&self, lead: &Key, key: &Key) -> Option<Place> {
        if key.partition == self.key.partition {
            return self.place(lead, key);
        }
        let question = (lead.clone(), key.clone(), self.entity.is_spread());
        if let Some(known) = self.elsewhere.places.borrow().get(&question) {
            return known.clone();
        }
        let place = self.place(lead, key);
        self.elsewhere.places.borrow_mut().insert(question, place.clone());
        place
    }

    /// Returns the index with a key, if the rules allow it.
    fn place(&self, lead: &Key, key: &Key) -> Option<Place> {
        let is_near = key.partition == self.key.partition;
        let row = self.entity.row.as_ref().and_then(|row| row.template());
        if is_near && row.is_none_or(|row| row.lead().is_empty()) {
            return None;
        }
        let leading = if lead.row.is_empty() { &key.row } else { &lead.row };
        let (partition, row) =
            if is_near { (Vec::new(), leading) } else { (key.partition.clone(), &lead.row) };
        let lead = Key { partition, row: row.clone(), when: key.when.clone(), is_unique: false };
        let mut place =
            Place { lead, key: key.clone(), design: IndexDesign::default(), is_near, stored: None };
        place.design = self.named(&place, &place.word(false))?;
        let mut entity = self.entity.clone();
        entity.indexes.push(place.design.clone());
        if self.case.standing.is_none() {
            // The rules of an index concern the fields of keys and of its condition.
            let kinds = entity.row_kinds();
            let keys = kinds.iter().flat_map(|kind| [&kind.table, &kind.partition, &kind.row]);
            let keys = keys.flat_map(Template::holes).map(|hole| hole.field.as_str());
            let tested = place.design.when.iter().flat_map(|when| &when.equalities);
            let used: BTreeSet<&str> = keys.chain(tested.map(|one| one.field.as_str())).collect();
            entity.fields.retain(|field| used.contains(field.name.as_str()));
        }
        is_valid(&entity).then_some(place)
    }

    /// Returns the design of a path with a name.
    pub(super) fn named(&self, place: &Place, name: &str) -> Option<IndexDesign> {
        let facts = facts(&self.elsewhere.bare, &self.case.entity);
        let (key, is_near) = (&place.key, place.is_near);
        let entity_word = super::key::entity_word(&self.entity.name);
        let row_word = if is_near { Some(name) } else { key.row.is_empty().then_some(entity_word.as_str()) };
        let mut design = IndexDesign::new(format!("by_{name}"), template(&facts, row_word, &key.row)?);
        if !is_near {
            design.partition = Some(template(&facts, Some(name), &key.partition)?.into());
        }
        design.copy = CopiedFields::Only(Vec::new());
        design.unique = key.is_unique;
        if !key.when.is_empty() {
            design.when = Some(key.when.join(" and ").parse().ok()?);
            design.sparse = true;
        }
        Some(design)
    }

    /// Returns the names of some fields.
    pub(super) fn names(&self, fields: Fields) -> Vec<String> {
        let is_in = |at: usize| fields & bit(at) != 0;
        let named = self.entity.fields.iter().enumerate().filter(|(at, _)| is_in(*at));
        named.map(|(_, field)| field.name.clone()).collect()
    }

    /// Returns the fields that a path must copy to contain all of these fields, or `None` if it cannot.
    pub(super) fn copies(&self, path: &Place, names: &[String]) -> Option<Fields> {
        let mut fields = 0;
        for (at, field) in
            self.entity.fields.iter().enumerate().filter(|(_, field)| names.contains(&field.name))
        {
            if path.key.has(&field.name) || path.key.is_unique && self.key.has(&field.name) {
                continue;
            }
            if field.kind == FieldKind::Blob {
                return None;
            }
            fields |= bit(at);
        }
        Some(fields)
    }

    /// Returns the design of a path with copied fields.
    pub(super) fn index(&self, path: &Place, fields: Fields) -> IndexDesign {
        IndexDesign { copy: CopiedFields::Only(self.names(fields)), ..path.design.clone() }
    }

    /// Measures the entity with some of the paths.
    pub(super) fn measured(&self, indexes: Vec<IndexDesign>, queries: Vec<Query>) -> Measured {
        self.elsewhere.add_work(self.entity.fields.len() + queries.len());
        let mut entity = self.entity.clone();
        entity.indexes.extend(indexes);
        let mut schema = self.case.schema(self.workload, entity, self.at, queries);
        for (owner, total) in self.owners.iter().zip(&self.case.totals) {
            schema.entities.push(owner.clone());
            schema.load.entities.push(total.load.clone());
            schema.queries.extend(total.steps.iter().map(|step| step.query.clone()));
        }
        measure(&schema)
    }

    fn table(&self) -> String {
        self.entity.table.as_ref().map(|table| table.text().to_owned()).unwrap_or_default()
    }

    /// Returns the results of queries on a path with copied fields.
    pub(super) fn asked(&self, path: &Place, fields: Fields, queries: &[Query]) -> Rc<Answers> {
        let measure = || {
            let Measured { queries, last_group, .. } =
                self.measured(vec![self.index(path, fields)], queries.to_vec());
            Rc::new(Answers { queries, group: last_group })
        };
        if path.is_near {
            return measure();
        }
        let named = queries.iter().map(|query| (query.name.clone(), query.select.clone())).collect();
        let question = (path.key.clone(), fields, self.table(), named);
        if let Some(known) = self.elsewhere.asked.borrow().get(&question) {
            return Rc::clone(known);
        }
        let answers = measure();
        self.elsewhere.asked.borrow_mut().insert(question, Rc::clone(&answers));
        answers
    }

    /// Returns what a path with copied fields adds to the writes of the entity alone.
    pub(super) fn writes(&self, number: usize, fields: Fields, alone: &Measured) -> Rc<Writes> {
        if let Some(known) = self.cache.borrow().get(&(number, fields)) {
            return Rc::clone(known);
        }
        let Some(path) = self.paths.get(number) else { return Rc::default() };
        let question = (path.key.clone(), fields, self.table());
        let known = self.elsewhere.writes.borrow().get(&question).cloned().filter(|_| !path.is_near);
        let writes = known.unwrap_or_else(|| Rc::new(self.added(path, fields, alone)));
        if !path.is_near {
            self.elsewhere.writes.borrow_mut().insert(question, Rc::clone(&writes));
        }
        self.cache.borrow_mut().insert((number, fields), Rc::clone(&writes));
        writes
    }

    fn added(&self, path: &Place, fields: Fields, alone: &Measured) -> Writes {
        let with = self.measured(vec![self.index(path, fields)], Vec::new());
        let mut writes = Writes { cost: with.storage - alone.storage, gib: with.gib, ..Writes::default() };
        for (write, before) in with.writes.iter().zip(&alone.writes) {
            let queued = write.queued - before.queued;
            writes.cost += write.cost - before.cost - queued * write.queue;
            writes.queued.push(queued);
        }
        for (plan, before) in with.transactions.iter().zip(&alone.transactions) {
            writes.transaction.push([plan[0] - before[0], plan[1] - before[1]]);
        }
        writes.heat = if path.is_near {
            with.heat_of(&alone.group) - alone.heat_of(&alone.group)
        } else {
            with.heat_of(&with.last_group)
        };
        writes
    }
}

impl Place {
    /// Returns a name: the fields of the partition, or those before the key of the entity. With `is_long`, both.
    pub(super) fn word(&self, is_long: bool) -> String {
        let fields = match (self.lead.partition.is_empty(), self.is_near) {
            (true, true) if self.lead.row.is_empty() => word(&self.key.partition),
            (true, true) => word(&self.lead.row),
            (true, false) if self.lead.when.is_empty() => "all".to_owned(),
            (true, false) => String::new(),
            _ if is_long => word(&self.lead.parts().cloned().collect::<Vec<_>>()),
            _ => word(&self.lead.partition),
        };
        let words = self.lead.when.iter().map(|text| value_word(text));
        words.chain([fields].into_iter().filter(|fields| !fields.is_empty())).collect::<Vec<_>>().join("_")
    }
}

/// Returns a word for an equality: the value if it is a word, otherwise the field and the value.
fn value_word(equality: &str) -> String {
    let (field, value) = equality.split_once(" = ").unwrap_or((equality, ""));
    let is_plain = |next: char| next.is_ascii_alphanumeric();
    let parts: Vec<String> =
        value.split(|next| !is_plain(next)).filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
    match value {
        "true" => field.to_owned(),
        _ if parts.is_empty() => field.to_owned(),
        "false" => format!("not_{field}"),
        _ if value.starts_with(char::is_alphabetic) => parts.join("_"),
        _ => format!("{field}_{}", parts.join("_")),
    }
}

/// Returns the entities with the totals of an entity with a key. `None` if it cannot have them: a write in the transaction of
/// another entity does not update totals.
fn owners(workload: &Workload, case: &Case, entity: &EntityDesign, key: &Key) -> Option<Vec<EntityDesign>> {
    let totals = case.totals.iter().map(|total| total.keyed(&workload.content, entity, key));
    let owners = totals.collect::<Option<Vec<_>>>()?;
    (case.together.is_none() || owners.is_empty()).then_some(owners)
}

/// Returns whether no rule rejects the entity.
pub(super) fn is_valid(entity: &EntityDesign) -> bool {
    rules::check(entity).iter().all(|mistake| mistake.severity() != Severity::Error)
}

/// Returns the bit of a position.
pub(super) const fn bit(at: usize) -> u128 {
    1 << if at < 127 { at } else { 127 }
}

impl Form {
    /// Returns whether the form is a period.
    pub(super) const fn is_period(self) -> bool {
        matches!(self, Self::Day | Self::Month)
    }
}
