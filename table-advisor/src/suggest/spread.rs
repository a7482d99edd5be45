//! Changes of keys: sharding by a hash, periods, wider numbers.

use super::{
    super::{
        Model,
        facts::{Facts, period as seconds},
        findings::{Fact, Finding, shard_count},
        path::Path,
    },
    Proposal,
    change::{Edit, Which},
    template::{is_time, period, shaped, shard_hole, with_holes},
};
use table_schema::{
    design::{EntityDesign, IndexDesign, Shard},
    template::{DateFormat, DateUnit, Shape, Template, TemplateField},
};

/// Minimum number of tables for which dropping individual tables is useful.
const TABLES: f64 = 10.0;
/// Maximum number of rows that a partition may gain per period.
const GROWTH: f64 = 1_000_000.0;
const YEAR: f64 = 365.0 * 86_400.0;

/// Proposes to distribute the partitions of a group by a hash of a row field.
pub(super) fn shards(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let count = shard_count(number(finding, "entities_s"));
    let own = model.rows().filter(|(_, path)| path.name == "primary" && path.group() == finding.subject);
    own.filter_map(|(facts, path)| {
        spread(facts, path, count, |partition, shard| format!("{partition}_{shard}"))
    })
    .collect()
}

/// Proposes to put a hash before rising keys.
pub(super) fn leading_shards(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let count = shard_count(number(finding, "inserts_s"));
    let proposal = primary(model, &finding.subject).and_then(|(facts, path)| {
        spread(facts, path, count, |partition, shard| format!("{shard}_{partition}"))
    });
    proposal.into_iter().collect()
}

fn spread(
    facts: &Facts<'_>,
    path: &Path<'_>,
    count: u32,
    with: impl Fn(&str, &str) -> String,
) -> Option<Proposal> {
    let entity = facts.entity;
    let hole = shard_hole(count);
    let partition = &path.kind.partition;
    let (of, text) = match &entity.shard {
        Some(shard) if shard.count >= count => return None,
        Some(shard) => {
            let wider = |own: &TemplateField| (own.field == "shard").then(|| hole.clone());
            (shard.of.clone(), with_holes(partition, wider))
        }
        None => (spread_by(entity, partition, &path.kind.row)?, with(partition.text(), &hole)),
    };
    let shard = Edit::Shard { entity: entity.name.clone(), shard: Shard { of, count } };
    Some(Proposal::new(vec![shard, Edit::template(entity, Which::Partition, text)]))
}

/// Returns the row field that is best suited for sharding: preferably a field that is not a time.
fn spread_by(entity: &EntityDesign, partition: &Template, row: &Template) -> Option<String> {
    let is_free = |hole: &&TemplateField| {
        hole.field != "part" && partition.holes().all(|known| known.field != hole.field)
    };
    let is_steady = |hole: &&TemplateField| entity.field(&hole.field).is_some_and(|field| !is_time(field));
    let holes = || row.holes().filter(is_free);
    holes().find(is_steady).or_else(|| holes().next()).map(|hole| hole.field.clone())
}

/// Proposes a partition per period of the time that orders its rows, with the longest period that limits its growth.
pub(super) fn periods_of_partitions(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let growth = number(finding, "entities_per_year");
    let units = [DateUnit::Year, DateUnit::Month, DateUnit::Day, DateUnit::Hour];
    let Some(unit) = units.into_iter().find(|unit| growth * seconds(*unit) / YEAR <= GROWTH) else {
        return Vec::new();
    };
    let Some((facts, path)) = row(model, &finding.subject) else { return Vec::new() };
    let rising = |hole: &&TemplateField| {
        facts.is_rising(&hole.field) && facts.entity.field(&hole.field).is_some_and(is_time)
    };
    let Some(time) = path.kind.row.holes().find(rising) else { return Vec::new() };
    let text = format!("{}_{}", path.kind.partition.text(), period(&time.field, unit));
    let entity = facts.entity;
    let edit = match path.index {
        // A copy in another partition would not be in the transaction of the entity.
        Some(_) if path.is_near => return Vec::new(),
        Some(index) => Edit::index(entity, IndexDesign { partition: Some(text.into()), ..index.clone() }),
        None => Edit::template(entity, Which::Partition, text),
    };
    vec![Proposal::new(vec![edit])]
}

/// Proposes per-period tables with the longest period that results in enough tables during the retention period.
pub(super) fn periods_of_tables(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let Some((facts, path)) = primary(model, &finding.subject) else { return Vec::new() };
    let units = [DateUnit::Month, DateUnit::Day, DateUnit::Hour];
    let unit = units.into_iter().find(|unit| facts.horizon / seconds(*unit) >= TABLES);
    let rises = |name: &str| facts.is_rising(name) && facts.entity.field(name).is_some_and(is_time);
    let keys = path.kind.row.holes().chain(path.kind.partition.holes()).map(|hole| hole.field.as_str());
    let fields = facts.entity.fields.iter().map(|field| field.name.as_str());
    let Some((unit, time)) = unit.zip(keys.chain(fields).find(|name| rises(name))) else { return Vec::new() };
    let text = format!("{}{}", path.kind.table.text(), period(time, unit));
    let entity = facts.entity;
    let mut edits = vec![Edit::template(entity, Which::Table, text)];
    // The key must determine the table.
    let is_exact = |hole: &TemplateField| hole.field == time && (hole.exact || is_ticks(hole.shape));
    if !path.kind.row.holes().chain(path.kind.partition.holes()).any(is_exact) {
        let row = format!("{}_{{{time}:ticks}}", path.kind.row.text());
        edits.push(Edit::template(entity, Which::Row, row));
    }
    vec![Proposal::new(edits)]
}

const fn is_ticks(shape: Shape) -> bool {
    matches!(shape.ascending(), Shape::Ticks)
}

/// Proposes per-period tables of the next longer period.
pub(super) fn longer_periods(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let Some((facts, path)) = primary(model, &finding.subject) else { return Vec::new() };
    let longer = |hole: &TemplateField| match hole.shape {
        Shape::Date(format) => {
            let units = DateUnit::ALL;
            let place = units.iter().position(|unit| *unit == format.finest())?;
            let unit = units.get(place.checked_sub(1)?)?;
            Some(shaped(&hole.field, Shape::Date(DateFormat::new(*unit))))
        }
        _ => None,
    };
    let text = with_holes(&path.kind.table, longer);
    let entity = facts.entity;
    vec![Proposal::new(vec![Edit::template(entity, Which::Table, text)])]
}

/// Proposes a number format that is wide enough for all values in the finding.
pub(super) fn widened(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    let digits = format!("{:.0}", number(finding, "values")).len();
    let Ok(width) = u8::try_from(digits) else { return Vec::new() };
    rewritten(model, finding, Shape::Padded(width))
}

/// Proposes the escaped format, which accepts any string.
pub(super) fn escaped(model: &Model<'_>, finding: &Finding) -> Vec<Proposal> {
    rewritten(model, finding, Shape::Esc)
}

/// Proposes another shape for a template field of `Employee.by_badge.row`.
fn rewritten(model: &Model<'_>, finding: &Finding, shape: Shape) -> Vec<Proposal> {
    let field = finding.facts.iter().find_map(|(name, fact)| match fact {
        Fact::Text(text) if *name == "field" => Some(text.as_str()),
        _ => None,
    });
    let named = finding.subject.rsplit_once('.').and_then(|(of, key)| Some((row(model, of)?, key, field?)));
    let Some(((facts, path), key, field)) = named else { return Vec::new() };
    let is_partition = key == "partition";
    let template = if is_partition { &path.kind.partition } else { &path.kind.row };
    let text = with_holes(template, |hole| (hole.field == field).then(|| shaped(field, shape)));
    let entity = facts.entity;
    let edit = match path.index {
        Some(index) if is_partition => {
            // A partition inherited from the entity must be changed in the entity.
            if index.partition.is_none() {
                return Vec::new();
            }
            Edit::index(entity, IndexDesign { partition: Some(text.into()), ..index.clone() })
        }
        Some(index) => Edit::index(entity, IndexDesign { row: Some(text.into()), ..index.clone() }),
        None => {
            let which = if is_partition { Which::Partition } else { Which::Row };
            Edit::template(entity, which, text)
        }
    };
    vec![Proposal::new(vec![edit])]
}

/// Returns the rows that a finding names, for example `Employee.by_badge`.
fn row<'m, 's>(model: &'m Model<'s>, subject: &str) -> Option<(&'m Facts<'s>, &'m Path<'s>)> {
    let (entity, name) = subject.split_once('.')?;
    let mut rows = model.rows().filter(|(_, path)| path.lookup.is_none());
    rows.find(|(facts, path)| facts.entity.name == entity && path.name == name)
}

/// Returns the rows of the entity if a finding concerns the entity or these rows.
fn primary<'m, 's>(model: &'m Model<'s>, subject: &str) -> Option<(&'m Facts<'s>, &'m Path<'s>)> {
    let entity = subject.strip_suffix(".primary").unwrap_or(subject);
    model.rows().find(|(facts, path)| facts.entity.name == entity && path.name == "primary")
}

fn number(finding: &Finding, name: &str) -> f64 {
    let number = finding.facts.iter().find_map(|(known, fact)| match fact {
        Fact::Number(number) if *known == name => Some(*number),
        _ => None,
    });
    number.unwrap_or_default()
}
