//! Contributions of entities to the aggregates of their partition. Each aggregate row is read, and written once per
//! transaction, even if its values do not change. Every process that read the row before then fails its conditional
//! write, and conclusions drawn from the row still hold when it is written.

use std::collections::BTreeMap;

use table_model::{Filter, Properties, Query};
use table_schema::bounds::Bounds;

use super::Totals;
use crate::{
    Address, Error, Tables,
    core::{
        derived_row::DerivedRow,
        entity_types::EntityInfo,
        old::Old,
        rule::Rule,
        spec::filter::{keys as range_of, keys_eq},
        versions::Versions,
    },
    design::{Contribution, Design},
    pattern::aggregate::target_entity::{Member, Tally, TargetRow, added, copies},
    write::{New, Write},
};

/// A change of the contribution of an entity to an aggregate in its partition.
#[derive(Clone, Debug)]
pub(crate) struct FeedChange {
    kind: EntityInfo,
    feed: &'static Contribution,
    pub(crate) sink: Address,
    /// RowKey of the entity.
    source: String,
    old: Properties,
    new: Properties,
    /// `true` if rules of two versions contribute the old and the new values.
    is_of_two_rules: bool,
}

impl FeedChange {
    /// Returns the changes between the old state and the new state.
    pub(super) fn between(old: Option<&Old>, new: Option<&New>) -> Vec<Self> {
        let kind = new.and_then(New::kind).or_else(|| old.and_then(Old::kind));
        let has_feeds = |design: &Design| !design.feeds.is_empty();
        let Some(kind) = kind.filter(|kind| kind.versions().any(has_feeds)) else { return Vec::new() };
        let before = old.map_or_else(Vec::new, |old| near(old.rows()));
        let after = new.map_or_else(Vec::new, |new| near(new.rows()));
        let is_same = |one: &Member, other: &Member| {
            one.sink == other.sink && one.feed.stored_name() == other.feed.stored_name()
        };
        let change = |member: &Member, source: &Address, old: &Properties, new: &Properties| Self {
            kind,
            feed: member.feed,
            is_of_two_rules: false,
            sink: member.sink.clone(),
            source: source.row_key.clone(),
            old: old.clone(),
            new: new.clone(),
        };
        let (nothing, mut changes) = (Properties::new(), Vec::new());
        for (member, old) in before.iter().zip(old.into_iter().cycle()) {
            let stays = after.iter().find(|other| is_same(member, other));
            let adds = stays.map_or(&nothing, |other| &other.adds);
            let is_of_two_rules = stays.is_some_and(|other| !member.rule.is(other.rule));
            changes.push(Self { is_of_two_rules, ..change(member, &old.address, &member.adds, adds) });
        }
        for (member, new) in after.iter().zip(new.into_iter().cycle()) {
            if !before.iter().any(|other| is_same(member, other)) {
                changes.push(change(member, &new.address, &nothing, &member.adds));
            }
        }
        // Another aggregate can have another result for the same value.
        changes.retain(|change| change.is_of_two_rules || change.old != change.new);
        changes
    }

    /// Returns the changes of a patch of an entity that was read.
    pub(crate) fn of_patch(old: &Old, properties: &Properties) -> Vec<Self> {
        let Some(kind) = old.kind() else { return Vec::new() };
        let changes = near(old.rows()).into_iter().map(|member| {
            let mut new = member.adds.clone();
            for total in member.feed.totals {
                let sink = (member.feed.sink)();
                let value = total.of.and_then(|of| properties.get(of));
                if let (Some(property), Some(Ok(value))) =
                    (total.property(sink), value.map(|value| added(total, value.clone())))
                {
                    new.set(property, value);
                }
                copies::patch(total, sink, &mut new, properties);
            }
            let (feed, sink, source) = (member.feed, member.sink, old.address.row_key.clone());
            Self { kind, feed, sink, source, old: member.adds, new, is_of_two_rules: false }
        });
        changes.filter(|change| change.old != change.new).collect()
    }
}

/// Returns the contributions of an entity to the aggregates of its partition.
fn near(rows: &[DerivedRow]) -> Vec<Member> {
    let members = rows.iter().filter_map(|row| match row.rule {
        Rule::Contribution(_, feed) if !row.rule.is_far() => Some(Member::of((row.rule, feed), row)),
        _ => None,
    });
    members.collect()
}

/// An aggregate and its changes in a transaction.
struct Group {
    /// Index of the first write that changes it.
    owner: usize,
    /// Index of the write of the aggregate entity.
    own: Option<usize>,
    changes: Vec<FeedChange>,
}

/// Reads the aggregates that the writes change, and converts the changes to operations. The result is valid while no
/// concurrent writer changes these rows. At the `first` attempt, inserts of aggregate entities without contributions
/// are sent unchanged.
pub(crate) async fn settle(tables: &Tables, writes: &mut [Write], first: bool) -> Result<(), Error> {
    for (address, group) in by_sink(writes, first) {
        let Group { owner, own, changes } = group;
        let known = own.and_then(|own| writes.get(own)).and_then(Write::own_target);
        let row = match known.and_then(|known| known.kept.clone()) {
            Some(kept) => Known::Kept(kept),
            None => Known::Row(TargetRow::read(tables, &address).await?),
        };
        let design = known.map(|known| known.design);
        let design = design.or_else(|| changes.first().map(|change| (change.feed.sink)()));
        let Some(design) = design else { continue };
        let kept = total(tables, &address, design, row.kept(design), &changes).await?;
        match (own.and_then(|own| writes.get_mut(own)), row) {
            (Some(write), row) => {
                if let Known::Row(row) = row {
                    write.take_over(row).map_err(|error| error.at(own.unwrap_or(owner)))?;
                }
                write.keep_less(tables, &kept).await?;
                write.keep(&kept);
            }
            (None, Known::Row(row)) => {
                let operation = TargetRow::keep(row, design, &address, &kept);
                if let Some(totals) = writes.get_mut(owner).and_then(Write::change_mut::<Totals>) {
                    totals.targets.extend(operation);
                }
            }
            (None, Known::Kept(_)) => {}
        }
    }
    Ok(())
}

/// Known state of an aggregate row.
enum Known {
    /// Its stored values, which the ETag in the write condition guarantees.
    Kept(Properties),
    Row(Option<TargetRow>),
}

impl Known {
    fn kept(&self, design: &'static Design) -> Properties {
        match self {
            Self::Kept(kept) => kept.clone(),
            Self::Row(row) => row.as_ref().map(|row| row.kept(design)).unwrap_or_default(),
        }
    }
}

/// Moves the changes out of the writes, grouped by aggregate.
fn by_sink(writes: &mut [Write], first: bool) -> Vec<(Address, Group)> {
    let mut groups: Vec<(Address, Group)> = Vec::new();
    for (owner, write) in writes.iter_mut().enumerate() {
        let Some(totals) = write.change_mut::<Totals>() else { continue };
        for change in std::mem::take(&mut totals.feeds) {
            match groups.iter_mut().find(|(sink, _)| *sink == change.sink) {
                Some((_, group)) => group.changes.push(change),
                None => groups.push((change.sink.clone(), Group { owner, own: None, changes: vec![change] })),
            }
        }
    }
    for (number, write) in writes.iter().enumerate() {
        let Some(own) = write.own_target() else { continue };
        let address = write.address();
        match groups.iter_mut().find(|(sink, _)| *sink == address) {
            Some((_, group)) => group.own = Some(number),
            None if own.is_open() && !first => {
                groups.push((address, Group { owner: number, own: Some(number), changes: Vec::new() }));
            }
            None => {}
        }
    }
    groups
}

/// Computes the values that the aggregate row must store.
async fn total(
    tables: &Tables,
    sink: &Address,
    design: &'static Design,
    mut kept: Properties,
    changes: &[FeedChange],
) -> Result<Properties, Error> {
    let mut feeds: Vec<&FeedChange> = Vec::new();
    for change in changes {
        if !feeds.iter().any(|known| is_one_feed(known, change)) {
            feeds.push(change);
        }
    }
    for first in feeds {
        let of_feed = || changes.iter().filter(|change| is_one_feed(first, change));
        let mut tally = Tally::of(first.kind, first.feed, kept);
        for change in of_feed() {
            tally.change(&change.old, &change.new)?;
        }
        if tally.is_lost() {
            let mut sources = sources(tables, sink, first.kind, first.feed).await?;
            for change in of_feed() {
                sources.insert(change.source.clone(), change.new.clone());
            }
            tally.look(&sources.into_values().collect::<Vec<_>>())?;
        }
        kept = tally.into_kept();
    }
    let of_sink: Vec<&str> = Versions::new(design).fed_names().collect();
    Ok(kept.into_iter().filter(|(name, _)| of_sink.contains(&&**name)).collect())
}

fn is_one_feed(one: &FeedChange, other: &FeedChange) -> bool {
    one.feed.stored_name() == other.feed.stored_name() && one.kind.stored_name() == other.kind.stored_name()
}

/// Returns the contributions of all entities of a type to an aggregate in their partition, by RowKey.
pub(crate) async fn sources(
    tables: &Tables,
    sink: &Address,
    kind: EntityInfo,
    feed: &'static Contribution,
) -> Result<BTreeMap<String, Properties>, Error> {
    let mut sources = BTreeMap::new();
    let range = |design: &Design| match design.row.form.all() {
        Bounds::Empty => None,
        Bounds::Point(row_key) => Some(keys_eq(sink.partition_key.clone(), row_key)),
        Bounds::Range(range) => Some(range_of(sink.partition_key.clone(), range)),
    };
    // The keys of all versions have the same form; their ranges can differ.
    let mut ranges: Vec<Filter> = kind.versions().all().filter_map(range).collect();
    ranges.dedup();
    let Some(filter) = ranges.into_iter().reduce(Filter::or) else { return Ok(sources) };
    let mut query = Query { filter: Some(filter), ..Query::default() };
    loop {
        let segment = match tables.service().query(&sink.table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(sources),
            other => other?,
        };
        for row in &segment.rows {
            let rows = kind.derived(tables.source(&sink.table), row)?;
            for member in near(&rows) {
                if member.sink == *sink && member.feed.stored_name() == feed.stored_name() {
                    sources.insert(row.row_key.unwrap_or_default().to_owned(), member.adds);
                }
            }
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(sources);
        }
    }
}
