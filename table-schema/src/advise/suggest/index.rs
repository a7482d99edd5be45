//! An index for the condition of a query: its equal fields, then its range.

use super::{
    super::{Model, facts::Facts, path::Path},
    Proposal,
    change::{Edit, Which},
    template::{hole, is_time, newest_first, with_holes},
};
use crate::{
    design::{CopiedFields, IndexDesign},
    language::{Comparison, Test},
    schema::Query,
    template::{Shape, Template, same_form},
};

/// What a query asks for, in the order of its condition.
struct Wanted<'s> {
    query: &'s Query,
    facts: &'s Facts<'s>,
    partition: &'s Template,
    row: &'s Template,
    /// The fields of which one value is asked for, or several.
    equal: Vec<&'s str>,
    /// The field of which a range is asked for, or the newest.
    range: Option<&'s str>,
}

/// Changes that serve a query by a range of keys.
pub(super) fn serving(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let Some(wanted) = Wanted::of(model, query) else { return Vec::new() };
    // Rows of which several make an entity have no copies.
    if wanted.facts.entity.wide.is_some() {
        return Vec::new();
    }
    let edits = turned(model, &wanted).or_else(|| wanted.index(model, None)).or_else(|| wanted.word(model));
    edits.map(|edit| Proposal::new(vec![edit])).into_iter().collect()
}

/// The index that a query takes, moved into the entity's partition.
pub(super) fn nearer(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let Some(wanted) = Wanted::of(model, query).filter(Wanted::is_near) else { return Vec::new() };
    let access = model.accesses().iter().find(|access| access.query == query);
    let index = access.and_then(|access| model.path_of(access)).and_then(|(_, path)| path.index);
    let edit = index.and_then(|index| wanted.index(model, Some(index)));
    edit.map(|edit| Proposal::new(vec![edit])).into_iter().collect()
}

/// Keys that have the wanted order but for the newest being last: the time turned round.
fn turned(model: &Model<'_>, wanted: &Wanted<'_>) -> Option<Edit> {
    wanted.query.latest?;
    let access = model.accesses().iter().find(|access| access.query == wanted.query.name)?;
    let (facts, path) = model.path_of(access)?;
    let row = &path.kind.row;
    let next = row.holes().find(|hole| !wanted.equal.contains(&hole.field.as_str()))?;
    let is_old_first = matches!(next.shape, Shape::Ticks | Shape::Date(_));
    facts.entity.field(&next.field).filter(|field| is_old_first && is_time(field))?;
    let text = with_holes(row, |hole| {
        (hole.field == next.field).then(|| newest_first(facts, &hole.field)).flatten()
    });
    let entity = facts.entity;
    match path.index {
        Some(index) => {
            let index = IndexDesign { row: Some(text.into()), ..index.clone() };
            Some(Edit::index(entity, index))
        }
        None if path.lookup.is_none() => Some(Edit::template(entity, Which::Row, text)),
        None => None,
    }
}

impl<'s> Wanted<'s> {
    /// What a query without alternatives wants.
    fn of(model: &'s Model<'_>, query: &str) -> Option<Self> {
        let query = model.schema.queries.iter().find(|known| known.name == query)?;
        let facts = model.facts.iter().find(|facts| facts.entity.name == query.find)?;
        let primary = facts.primary()?;
        let tests: &[Test] = match query.filter.as_ref().map(|filter| filter.alternatives.as_slice()) {
            None => &[],
            Some([only]) => &only.tests,
            Some(_) => return None,
        };
        let mut equal: Vec<&str> = Vec::new();
        for test in tests.iter().filter(|test| matches!(test.comparison, Comparison::Equal | Comparison::In))
        {
            if !equal.contains(&test.field.as_str()) {
                equal.push(&test.field);
            }
        }
        let mut ranges =
            tests.iter().filter(|test| test.comparison.is_range()).map(|test| test.field.as_str());
        let range = if query.latest.is_some() {
            let of_time = |name: &&str| facts.entity.field(name).is_some_and(is_time);
            let rising =
                facts.entity.fields.iter().filter(|field| is_time(field) && facts.is_rising(&field.name));
            let rising = rising.map(|field| field.name.as_str()).next();
            Some(ranges.find(of_time).or(rising)?)
        } else {
            ranges.find(|name| !equal.contains(name))
        };
        Some(Self { query, facts, partition: &primary.partition, row: &primary.row, equal, range })
    }

    /// Whether the condition names the entity's partition.
    fn is_near(&self) -> bool {
        let mut holes = self.partition.holes();
        holes.all(|hole| hole.field == "shard" || self.equal.contains(&hole.field.as_str()))
    }

    /// The index by the rule: in the entity's partition where the condition names that, else in partitions of its own,
    /// which follow. In the place of another where one is given.
    fn index(&self, model: &Model<'_>, instead: Option<&IndexDesign>) -> Option<Edit> {
        let is_near = self.is_near();
        let in_partition = |name: &str| self.partition.holes().any(|hole| hole.field == name);
        let equal: Vec<&str> =
            self.equal.iter().copied().filter(|name| !is_near || !in_partition(name)).collect();
        let fields: Vec<&str> = equal.iter().copied().chain(self.range).collect();
        // All of a partition, or all of a table: no key narrows that.
        if fields.is_empty() || !is_near && equal.is_empty() {
            return None;
        }
        let named = equal.iter().map(|name| hole(self.facts, name));
        let named: Vec<String> = named.collect::<Option<_>>()?;
        let range = match self.range {
            Some(name) if self.query.latest.is_some() => Some(newest_first(self.facts, name)?),
            Some(name) => Some(hole(self.facts, name)?),
            None => None,
        };
        // The rest of the entity's key tells two rows apart, and leads back to it.
        let own = self.partition.holes().filter(|_| !is_near).chain(self.row.holes());
        let is_new = |name: &str| !fields.contains(&name) && name != "part" && name != "shard";
        let rest = own.filter(|hole| is_new(&hole.field)).map(ToString::to_string);
        let behind: Vec<String> = range.into_iter().chain(rest).collect();
        let word = self.own_word(model, &if is_near { &fields } else { &equal }.join("_"), is_near)?;
        let named = named.join("_");
        let (partition, row) = if is_near {
            let parts = [word].into_iter().chain((!named.is_empty()).then_some(named)).chain(behind);
            (None, parts.collect::<Vec<_>>().join("_"))
        } else {
            (Some(format!("{word}_{named}")), behind.join("_"))
        };
        let keys = || fields.iter().copied().chain(self.row.holes().map(|hole| hole.field.as_str()));
        let may_lack = |name: &str| self.facts.entity.field(name).is_some_and(|field| field.optional);
        let index = IndexDesign {
            name: instead.map_or_else(|| self.free_name(&fields), |index| index.name.clone()),
            partition: partition.map(Into::into),
            row: Some(row.into()),
            sparse: keys().any(may_lack),
            copy: instead.map_or_else(|| self.copied(&fields), |index| index.copy.clone()),
            unique: instead.is_some_and(|index| index.unique),
            ..instead.cloned().unwrap_or_default()
        };
        Some(Edit::index(self.facts.entity, index))
    }

    /// The fields that the query wants and tests, but for those of the keys.
    fn copied(&self, keys: &[&str]) -> CopiedFields {
        let Some(select) = &self.query.select else { return CopiedFields::All };
        let tests =
            self.query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
        let tested: Vec<&str> = tests.map(|test| test.field.as_str()).collect();
        let in_key = |name: &str| {
            let mut own = self.partition.holes().chain(self.row.holes());
            keys.contains(&name) || own.any(|hole| hole.field == name)
        };
        let fields = self.facts.entity.fields.iter().map(|field| &field.name);
        let wanted =
            |name: &&String| (select.contains(name) || tested.contains(&name.as_str())) && !in_key(name);
        CopiedFields::Only(fields.filter(wanted).cloned().collect())
    }

    /// Rows that begin with a word of their own: a range then holds no others.
    fn word(&self, model: &Model<'_>) -> Option<Edit> {
        if !self.is_near() || !self.row.lead().is_empty() || self.row.holes().next().is_none() {
            return None;
        }
        let name = self.facts.entity.name.to_lowercase();
        let text = format!("{}_{}", self.own_word(model, &name, true)?, self.row.text());
        Some(Edit::template(self.facts.entity, Which::Row, text))
    }

    fn free_name(&self, fields: &[&str]) -> String {
        let entity = self.facts.entity;
        let is_free = |name: &str| {
            entity.indexes.iter().all(|index| index.name != name)
                && entity.lookups.iter().all(|lookup| lookup.name != name)
        };
        let name = format!("by_{}", fields.join("_"));
        if is_free(&name) {
            return name;
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        numbered.into_iter().find(|name| is_free(name)).unwrap_or(name)
    }

    /// A word that the keys of no other rows there begin with.
    fn own_word(&self, model: &Model<'_>, word: &str, is_near: bool) -> Option<String> {
        let table = self.facts.primary().map(|primary| primary.table.parts())?;
        let others =
            model.rows().map(|(_, path)| path).filter(|path| same_form(&path.kind.table.parts(), &table));
        let others: Vec<&Path<'_>> = others
            .filter(|path| !is_near || same_form(&path.kind.partition.parts(), &self.partition.parts()))
            .collect();
        let is_own = |word: &String| {
            let begin = format!("{word}_");
            others.iter().all(|path| {
                let lead = if is_near { path.kind.row.lead() } else { path.kind.partition.lead() };
                lead.is_empty() || !lead.starts_with(&begin) && !begin.starts_with(lead)
            })
        };
        [word.to_owned(), format!("by_{word}")].into_iter().find(is_own)
    }
}
