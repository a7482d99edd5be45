//! An index for the condition of a query: its fields with equality, then its range.

use super::{
    super::{Model, facts::Facts, path::Path},
    Proposal,
    change::{Edit, Which},
    template::{hole, is_time, newest_first, shaped, with_holes},
};
use table_designs::schema::Query;
use table_schema::{
    design::{CopiedFields, IndexDesign},
    language::{Comparison, Test},
    template::{Shape, Template, same_form},
};

/// The requirements of a query, in the order of its condition.
struct Wanted<'s> {
    query: &'s Query,
    facts: &'s Facts<'s>,
    partition: &'s Template,
    row: &'s Template,
    /// The fields that the query compares with one or several values.
    equal: Vec<&'s str>,
    /// The field with a range, or the time field that orders the newest entities.
    range: Option<&'s str>,
}

/// Proposes changes that serve a query by a key range.
pub(super) fn serving(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let Some(wanted) = Wanted::of(model, query) else { return Vec::new() };
    // Wide entities have several rows and therefore no copies.
    if wanted.facts.entity.wide.is_some() {
        return Vec::new();
    }
    let access = model.accesses().iter().find(|access| access.query == query);
    let used = access.and_then(|access| model.path_of(access)).map(|(_, path)| path);
    let own =
        model.rows().find(|(facts, path)| facts.entity.name == wanted.facts.entity.name && path.is_own());
    let paths = used.into_iter().chain(own.map(|(_, path)| path));
    let turned = paths.filter_map(|path| turned(path, &wanted));
    let edits = turned.chain(wanted.index(model, None)).chain(wanted.word(model));
    edits.map(|edit| Proposal::new(vec![edit])).collect()
}

/// Proposes to move the index of a query into the partition of the entity.
pub(super) fn nearer(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let Some(wanted) = Wanted::of(model, query).filter(Wanted::is_near) else { return Vec::new() };
    let access = model.accesses().iter().find(|access| access.query == query);
    let index = access.and_then(|access| model.path_of(access)).and_then(|(_, path)| path.index);
    let edit = index.and_then(|index| wanted.index(model, Some(index)));
    edit.map(|edit| Proposal::new(vec![edit])).into_iter().collect()
}

/// Inverts the time of keys that have the required order, except that the newest entities are last.
fn turned(path: &Path<'_>, wanted: &Wanted<'_>) -> Option<Edit> {
    wanted.query.latest?;
    let facts = wanted.facts;
    let row = &path.kind.row;
    let next = row.holes().find(|hole| !wanted.equal.contains(&hole.field.as_str()))?;
    let field = facts.entity.field(&next.field)?;
    let has_time = || facts.entity.fields.iter().any(|field| is_time(field) && facts.is_rising(&field.name));
    // A number is an order of its own, unless newer entities have a later time.
    let turned = match next.shape.ascending() {
        _ if next.shape.is_descending() => return None,
        Shape::Ticks | Shape::Date(_) => Shape::InvertedTicks,
        _ if facts.is_rising(&field.name) || !has_time() => next.shape.descending()?,
        _ => return None,
    };
    let text = with_holes(row, |hole| (hole.field == next.field).then(|| shaped(&hole.field, turned)));
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
    /// Returns the requirements of a query without alternatives.
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
            ranges.find(of_time).or(rising)
        } else {
            ranges.find(|name| !equal.contains(name))
        };
        Some(Self { query, facts, partition: &primary.partition, row: &primary.row, equal, range })
    }

    /// Returns whether the condition contains the partition of the entity.
    fn is_near(&self) -> bool {
        let mut holes = self.partition.holes();
        holes.all(|hole| hole.field == "shard" || self.equal.contains(&hole.field.as_str()))
    }

    /// Creates an index for the query: in the partition of the entity if the condition contains it, otherwise in
    /// separate partitions, which are updated asynchronously. Replaces `instead` if it is given.
    fn index(&self, model: &Model<'_>, instead: Option<&IndexDesign>) -> Option<Edit> {
        let is_near = self.is_near();
        let in_partition = |name: &str| self.partition.holes().any(|hole| hole.field == name);
        let equal: Vec<&str> =
            self.equal.iter().copied().filter(|name| !is_near || !in_partition(name)).collect();
        let fields: Vec<&str> = equal.iter().copied().chain(self.range).collect();
        // A scan of a complete partition or table cannot be narrowed by a key.
        let has_order = self.query.latest.is_none() || self.range.is_some();
        if !has_order || fields.is_empty() || !is_near && equal.is_empty() {
            return None;
        }
        let named = equal.iter().map(|name| hole(self.facts, name));
        let named: Vec<String> = named.collect::<Option<_>>()?;
        let range = match self.range {
            Some(name) if self.query.latest.is_some() => Some(newest_first(self.facts, name)?),
            Some(name) => Some(hole(self.facts, name)?),
            None => None,
        };
        // The remaining key fields of the entity make the key unique and identify the entity.
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

    /// Returns the fields that the query selects and tests, without key fields.
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

    /// Adds a distinct leading literal to the row key, so that a range contains no other rows.
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

    /// Returns a leading literal that no other rows of the table or partition use.
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
