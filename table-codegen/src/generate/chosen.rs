//! Selection of the access path of a query: the path whose keys bind the most tests.

use table_designs::schema::Query;
use table_schema::{
    design::{CopiedFields, EntityDesign, FieldKind, Origin, RowKind},
    language::{Comparison, Conjunction, Test},
    template::{Shape, Template, TemplateField},
};

/// An access path: the tests that its keys bind, and the tests that are applied to each row.
#[derive(Debug)]
pub(super) struct Chosen<'q> {
    pub(super) path: Origin,
    pub(super) class: Class<'q>,
    /// The window of time that selects the partitions, if the `PartitionKey` contains a period.
    pub(super) window: Option<&'q Test>,
    /// The test of a list of values that the keys bind.
    pub(super) values: Option<&'q Test>,
    /// The tests that no key binds.
    pub(super) residual: Vec<&'q Test>,
    /// The fields of the `PartitionKey` of the path, in order.
    pub(super) partition: Vec<String>,
    /// The fields of the `RowKey` of the path, in order.
    pub(super) row: Vec<String>,
}

/// The class of an access path, best first.
#[derive(Debug)]
pub(super) enum Class<'q> {
    Point,
    List,
    /// A number of leading fields of the `RowKey`, and a test of the next field.
    Range {
        lead: usize,
        next: Option<&'q Test>,
    },
    Table,
}

impl Class<'_> {
    const fn rank(&self) -> u8 {
        match self {
            Self::Point => 0,
            Self::List => 1,
            Self::Range { lead, next } if *lead > 0 || next.is_some() => 2,
            Self::Range { .. } => 3,
            Self::Table => 4,
        }
    }
}

/// Returns the best access path for one conjunction.
///
/// # Errors
///
/// Returns the reason why no function can serve the query.
pub(super) fn chosen<'q>(
    entity: &EntityDesign,
    query: &Query,
    tests: &'q [Test],
    denies_table_scans: bool,
) -> Result<Chosen<'q>, String> {
    let kinds = entity.row_kinds();
    let Some(primary) = kinds.iter().find(|kind| kind.origin == Origin::Primary) else {
        return Err("the entity has no keys".to_owned());
    };
    let mut best: Option<(Vec<usize>, Chosen<'q>)> = None;
    let mut why = None;
    let all: Vec<&Test> = tests.iter().collect();
    let blobs = (0..entity.lookups.len()).filter_map(|number| entity.lists(number));
    let blobs: Vec<RowKind> =
        blobs.filter(|list| kinds.iter().all(|kind| kind.origin != list.origin)).collect();
    for kind in kinds.iter().chain(&blobs) {
        let is_near = kind.is_near(primary);
        let index = match kind.origin {
            Origin::Index(number) => entity.indexes.get(number),
            Origin::Primary | Origin::Lookup(_) => None,
        };
        let is_wanted = match (&query.using, kind.origin) {
            (None, _) => index.is_none_or(|index| index.contains(&all)),
            (Some(using), Origin::Primary) => using == "primary",
            (Some(using), Origin::Index(_) | Origin::Lookup(_)) => *using == kind.name,
        };
        if !is_wanted || query.fresh && !is_near {
            continue;
        }
        let Some(mut way) = of_path(entity, kind, is_near, tests) else { continue };
        way.residual.retain(|test| !index.is_some_and(|index| index.implies(test)));
        match is_written(entity, query, kind, &way) {
            Ok(()) => {
                let window = usize::from(way.window.is_some());
                let order =
                    [usize::from(way.class.rank()), way.residual.len(), window, usize::from(!is_near)]
                        .to_vec();
                if best.as_ref().is_none_or(|(known, _)| order < *known) {
                    best = Some((order, way));
                }
            }
            Err(reason) => why = why.or(Some(reason)),
        }
    }
    if let Some((_, way)) = best {
        return Ok(way);
    }
    if let Some(reason) = why {
        return Err(reason);
    }
    if let Some(test) = kinds.iter().find_map(|kind| window(entity, kind, tests)) {
        let field = &test.field;
        return Err(format!(
            "`{field} {}` selects single rows in the partition of each period: collect their point queries",
            test.comparison.as_str()
        ));
    }
    if denies_table_scans {
        return Err("it requires a table scan, which the design denies".to_owned());
    }
    let way = Chosen {
        path: Origin::Primary,
        class: Class::Table,
        window: None,
        values: None,
        residual: tests.iter().collect(),
        partition: Vec::new(),
        row: Vec::new(),
    };
    is_written(entity, query, primary, &way)?;
    Ok(way)
}

/// Returns the test of a window of time, if the tests bind the partition except for a period that contains its field.
fn window<'q>(entity: &EntityDesign, kind: &RowKind, tests: &'q [Test]) -> Option<&'q Test> {
    let is_period = |hole: &&TemplateField| matches!(hole.shape.ascending(), Shape::Date(_));
    let find = |hole: &TemplateField, among: &[Comparison]| {
        tests.iter().find(|test| test.field == hole.field && among.contains(&test.comparison))
    };
    let holes = || kind.partition.holes().filter(|hole| entity.field(&hole.field).is_some());
    let mut open = holes().filter(|hole| find(hole, &[Comparison::Equal]).is_none());
    let hole = open.next().filter(is_period)?;
    if open.next().is_some() || holes().filter(is_period).count() > 1 {
        return None;
    }
    find(hole, &[Comparison::Within, Comparison::Between])
}

/// Returns the tests of a query, or an empty slice for a query without a condition.
pub(super) fn tests(query: &Query) -> Result<&[Test], String> {
    let Some(filter) = &query.filter else { return Ok(&[]) };
    match filter.alternatives.as_slice() {
        [Conjunction { tests, .. }] => Ok(tests),
        _ => Err("each alternative of `or` is a separate query".to_owned()),
    }
}

fn fields(entity: &EntityDesign, template: &Template) -> Vec<String> {
    let holes = template.holes().filter(|hole| entity.field(&hole.field).is_some());
    holes.map(|hole| hole.field.clone()).collect()
}

fn of_path<'q>(
    entity: &EntityDesign,
    kind: &RowKind,
    is_near: bool,
    tests: &'q [Test],
) -> Option<Chosen<'q>> {
    let is_equal = |test: &Test| matches!(test.comparison, Comparison::Equal | Comparison::In);
    let equal = |name: &str| tests.iter().any(|test| test.field == name && is_equal(test));
    let (partition, row) = (fields(entity, &kind.partition), fields(entity, &kind.row));
    let window = if partition.iter().all(|name| equal(name)) {
        None
    } else {
        let window = window(entity, kind, tests).filter(|_| !entity.is_spread())?;
        // A row that is known in each partition is not a range.
        row.iter().any(|name| !equal(name)).then_some(window)?;
        Some(window)
    };
    let lead = row.iter().take_while(|name| equal(name)).count();
    let is_list = matches!(kind.origin, Origin::Lookup(_));
    let mut used: Vec<&str> = partition.iter().chain(row.iter().take(lead)).map(String::as_str).collect();
    let class = if lead == row.len() {
        // A list in the partition is read by its complete key, a list elsewhere by all fields of its keys.
        if is_list { Class::List } else { Class::Point }
    } else if is_list {
        return None;
    } else {
        let next = row.get(lead);
        let next = tests
            .iter()
            .find(|test| next.is_some_and(|name| test.field == *name) && test.comparison.is_range());
        Class::Range { lead, next }
    };
    if is_list && !is_near && lead < row.len() {
        return None;
    }
    let ranged = match class {
        Class::Range { next, .. } => next,
        _ => None,
    };
    used.dedup();
    let is_used = |test: &&Test| {
        ranged.is_some_and(|ranged| std::ptr::eq(ranged, *test))
            || is_equal(test) && used.contains(&test.field.as_str())
    };
    let (bound, residual): (Vec<&Test>, Vec<&Test>) = tests.iter().partition(is_used);
    let values = bound.into_iter().find(|test| test.comparison == Comparison::In);
    Some(Chosen { path: kind.origin, class, window, values, residual, partition, row })
}

/// Returns an error with the reason if the query types do not support this access path.
fn is_written(entity: &EntityDesign, query: &Query, kind: &RowKind, way: &Chosen<'_>) -> Result<(), String> {
    if entity.wide.is_some() && !matches!(way.class, Class::Point) {
        return Err("a wide entity is read by its complete key only".to_owned());
    }
    if let Some(test) = way.residual.first()
        && matches!(way.class, Class::Point | Class::List)
    {
        return Err(format!("its key is known, so `{}` would filter a single row", test.field));
    }
    for test in &way.residual {
        can_filter(entity, kind, way, test)?;
    }
    if let Some(test) = way.values {
        let is_combined = match way.class {
            Class::Point => way.path == Origin::Primary && entity.wide.is_none(),
            Class::Range { .. } => way.partition.contains(&test.field) && way.window.is_none(),
            Class::List | Class::Table => false,
        };
        if !is_combined || entity.is_spread() {
            return Err(format!("`{} in` requires one query for each value", test.field));
        }
    }
    if let Class::Range { next: Some(test), .. } = &way.class {
        let is_text =
            entity.field(&test.field).is_some_and(|field| matches!(field.kind, FieldKind::Text { .. }));
        if test.comparison == Comparison::Starts && !is_text {
            return Err(format!("`{}` is not text and has no prefix", test.field));
        }
    }
    if query.latest.is_some() {
        let lead = match way.class {
            Class::Range { lead, .. } => lead,
            _ => 0,
        };
        let holes: Vec<&TemplateField> =
            kind.row.holes().filter(|hole| entity.field(&hole.field).is_some()).collect();
        let is_newest_first = holes.get(lead).is_some_and(|hole| hole.exact && hole.shape.is_descending());
        if !is_newest_first || !matches!(way.class, Class::Range { .. }) {
            return Err("no key sorts the newest first, so all rows would be read".to_owned());
        }
    }
    Ok(())
}

fn can_filter(entity: &EntityDesign, kind: &RowKind, way: &Chosen<'_>, test: &Test) -> Result<(), String> {
    let name = &test.field;
    let Some(field) = entity.field(name) else { return Err(format!("`{name}` is no field")) };
    let is_held = match way.path {
        Origin::Primary | Origin::Lookup(_) => entity.stored_fields().any(|stored| stored.name == *name),
        Origin::Index(number) => entity.indexes.get(number).is_some_and(|index| {
            let is_whole = index.copy == CopiedFields::All;
            let is_stored = entity.stored_fields().any(|stored| stored.name == *name);
            (is_whole || is_stored)
                && entity.copied_fields(index, kind).iter().any(|copied| copied.name == *name)
        }),
    };
    if !is_held {
        return Err(format!("`{name}` is only in the key, which a scan cannot filter"));
    }
    let is_value = !matches!(field.kind, FieldKind::Json { .. } | FieldKind::Blob | FieldKind::Unknown);
    if !is_value || field.encrypted || field.series.is_some() {
        return Err(format!("`{name}` has no single value to filter"));
    }
    match test.comparison {
        Comparison::In => Err(format!("`{name} in` requires one query for each value")),
        Comparison::Starts => Err(format!("a filter cannot test the prefix of `{name}`")),
        _ => Ok(()),
    }
}
