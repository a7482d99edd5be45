mod lookup;
mod selection;

use super::{
    Class,
    binding::Binding,
    facts::{Facts, seconds, table_period, up, whole},
    path::Path,
};
use table_designs::{
    language::Rate,
    schema::{Query, Targets},
};
use table_schema::{
    design::{CopiedFields, FieldDesign, FieldKind},
    language::{Argument, Comparison, Conjunction, Test},
    template::Shape,
};

/// The access path of a query and its average cost per call.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The name of the query.
    pub query: String,
    /// The query class.
    pub class: Class,
    /// The access path: `primary`, or the name of an index or lookup.
    pub path: String,
    /// `true` if the path is updated asynchronously.
    pub is_late: bool,
    /// Number of queried partitions.
    pub partitions: f64,
    /// Number of queried tables.
    pub tables: f64,
    /// Number of requests.
    pub requests: f64,
    /// Entities read.
    pub read: f64,
    /// Entities that match.
    pub matching: f64,
    /// Entities returned.
    pub returned: f64,
    /// Bytes returned.
    pub bytes: f64,
    /// Bytes read, assuming that each row is as large as the row of the entity.
    pub examined: f64,
    /// Additional point queries for fields that the path does not contain.
    pub fetch: f64,
    /// Requests that follow one another; the library sends the others at the same time.
    pub rounds: f64,
    /// `true` if the newest entities are returned first, or if the query does not require them.
    pub is_in_order: bool,
    /// Fields whose tests no key supports. They are applied to each row.
    pub residual: Vec<String>,
    /// Calls per second.
    pub rate: f64,
}

/// Assumed seconds of a request.
const ROUND: f64 = 0.01;
/// Seconds above which a call belongs into the background.
pub(super) const LONG_CALL: f64 = 60.0;

impl Access {
    /// Returns the duration of a call in seconds, at 10 ms for each of the [`rounds`](Self::rounds).
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.rounds * ROUND
    }

    /// Returns whether calls take long and more of them start than end.
    pub(super) fn never_ends(&self) -> bool {
        self.seconds() > LONG_CALL && self.seconds() * self.rate > 1.0
    }
}

/// The context for the classification of a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'m, 's> {
    pub facts: &'m Facts<'s>,
    pub paths: &'m [Path<'s>],
    pub query: &'s Query,
    pub targets: &'s Targets,
    /// The rows of other kinds in the same tables and partitions.
    pub others: &'m dyn OtherRows,
}

/// Counts the rows of other kinds that share storage with the rows of a path.
pub(super) trait OtherRows: std::fmt::Debug {
    /// Returns the number of other rows in its tables.
    fn in_table(&self, path: &Path<'_>) -> f64;
    /// Returns the number of other rows in partitions of the same form.
    fn in_partitions(&self, path: &Path<'_>) -> f64;
    /// Returns whether partitions of the same form contain other rows.
    fn is_shared(&self, path: &Path<'_>) -> bool;
}

impl Ground<'_, '_> {
    /// Returns the best access, or `None` if the templates of the entity are missing.
    pub(super) fn access(&self) -> Option<Access> {
        let everything = Conjunction { tests: Vec::new(), span: 0..0 };
        let alternatives = self
            .query
            .filter
            .as_ref()
            .map_or(std::slice::from_ref(&everything), |filter| filter.alternatives.as_slice());
        let mut accesses = alternatives.iter().filter_map(|conjunction| self.best(conjunction));
        let first = accesses.next()?;
        Some(accesses.fold(first, add))
    }

    fn best(&self, conjunction: &Conjunction) -> Option<Access> {
        let tests: Vec<&Test> = conjunction.tests.iter().collect();
        let ways = |using: Option<&str>| {
            // Without `using`, an index of some entities must contain those that match.
            let contains = |path: &Path<'_>| path.index.is_none_or(|index| index.contains(&tests));
            let allowed = self
                .paths
                .iter()
                .filter(move |path| using.map_or_else(|| contains(path), |using| using == path.name));
            let ways = allowed.filter_map(|path| match path.lookup {
                Some((number, lookup)) => self.by_lookup(path, number, lookup, &tests),
                None => Some(self.by_rows(path, &tests)),
            });
            // Generated functions read entities before they filter them only where the design requires it.
            let ways = ways.filter(move |access| using.is_some() || access.fetch <= access.returned);
            // Of equally good paths, the first in declaration order wins.
            ways.reduce(|best, other| if rank(&other) < rank(&best) { other } else { best })
        };
        let using = self.query.using.as_deref();
        // A path that cannot serve the query is a finding, and the query still has a cost.
        using.and_then(|using| ways(Some(using))).or_else(|| ways(None))
    }

    fn by_rows(&self, path: &Path<'_>, tests: &[&Test]) -> Access {
        let facts = self.facts;
        let partition = Binding::of_partition(&path.kind.partition, tests, facts);
        let row = Binding::new(&path.kind.row, tests, facts);
        let (mut tables, kept) = (self.tables(path, tests), facts.tables(&path.kind.table));
        let mut used = partition.used.clone();
        if partition.is_whole {
            used.extend(
                row.used.iter().filter(|place| !partition.used.contains(place)).copied().collect::<Vec<_>>(),
            );
        }
        let in_table: Vec<usize> =
            positions(tests, |test| path.kind.table.holes().any(|hole| hole.field == test.field));
        let (residual, mut residual_share) = self.residual(path, tests, &used, &in_table);
        // Without the time in a key, all rows of the periods are read.
        let of_periods = partition.period.filter(|(place, _)| !used.contains(place)).map(|(_, share)| share);
        if let Some(share) = of_periods {
            residual_share = (residual_share / share).min(1.0);
        }
        let share = self.share(path, tests, &used) * of_periods.unwrap_or(1.0);
        let own = path.rows * share;
        let in_order = self.is_in_order(path, &partition, &row);
        let class = |tables| self.class(path, &partition, &row, tables, residual.is_empty());
        let is_good = matches!(class(tables), Class::RowRange | Class::FanOut);
        let most = self.wanted();
        if let (Some(most), true) = (most, is_good && in_order && is_by_table(path)) {
            // The tables are read one after the other until the rows suffice.
            tables = tables.min(up(most / (own / kept * residual_share)).max(1.0));
        }
        let class = class(tables);
        let ranges =
            if class.is_over_partitions() { tables } else { ranges(path, &partition, &row) * tables };
        let time_share: f64 = in_table
            .iter()
            .filter(|place| !used.contains(place))
            .filter_map(|place| tests.get(*place))
            .map(|test| {
                facts.selectivity(test, path.kind.table.holes().find(|hole| hole.field == test.field))
            })
            .product();
        let time_in_key = in_table.iter().any(|place| used.contains(place));
        let of_tables = if time_in_key { 1.0 } else { (tables / kept).min(1.0) };
        let keys = partition.values * row.values * tables;
        // Complete keys determine the number of rows, including the parts of a wide entity.
        let (mut read, matching) = if class.is_point() || partition.is_whole && row.is_whole {
            (keys, keys)
        } else {
            (own * of_tables, (own * of_tables).min(own * residual_share * time_share))
        };
        let sent = is_tested_late(path, class, tests, &row, &residual).then_some(read);
        read += self.alien(path, class, read);
        let usable = is_good && in_order;
        let returned = most.map_or(matching, |most| matching.min(most));
        if let (true, Some(most)) = (usable, most) {
            read = match class {
                Class::RowRange => read.min(returned / residual_share),
                // Tables that are read one after the other return the rest of the rows.
                _ if is_by_table(path) => read.min(most * partition.values / residual_share),
                _ => read.min(most * ranges),
            };
        }
        let sent = sent.unwrap_or(if usable { returned } else { matching });
        let mut requests = match class {
            Class::Point => 1.0,
            Class::MultiPoint => keys,
            _ => ranges * self.pages(sent / ranges, read / ranges),
        };
        if class.is_over_partitions() {
            requests += (up(read * path.size(None) / (self.targets.range_gb * GIB)) - 1.0).max(0.0);
        }
        let filters = residual.iter().any(|field| !path.gives.contains(&field.as_str()));
        let lacks = filters || self.lacks(path);
        // Entities are read before a test of a field that the path lacks.
        let fetch = match (filters, lacks) {
            (true, _) => read,
            (false, true) => returned,
            (false, false) => 0.0,
        };
        let select = self.query.select.as_deref();
        let fetched = |select| self.paths.first().map_or(0.0, |primary| fetch * primary.size(select));
        Access {
            class,
            path: path.name.to_owned(),
            is_late: !path.is_near,
            partitions: if partition.is_whole { partition.values } else { facts.keys(&path.kind.partition) },
            tables,
            requests: requests + fetch,
            bytes: returned * path.size(if lacks { None } else { select }) + fetched(select),
            examined: read * self.paths.first().map_or(0.0, |primary| primary.size(None)) + fetched(None),
            read: read + fetch,
            matching,
            returned,
            fetch,
            rounds: up(fetch / POINTS)
                + match class {
                    Class::Point | Class::MultiPoint => up(requests / POINTS),
                    Class::KeyRange | Class::TableScan => requests,
                    _ if is_by_table(path) => requests / partition.values * up(partition.values / RANGES),
                    _ => requests / ranges * up(ranges / RANGES),
                },
            is_in_order: in_order,
            residual,
            ..self.nothing()
        }
    }

    fn class(
        &self,
        path: &Path<'_>,
        partition: &Binding,
        row: &Binding,
        tables: f64,
        is_exact: bool,
    ) -> Class {
        if !partition.is_whole {
            return if partition.lead > 0 || partition.has_range {
                Class::KeyRange
            } else {
                Class::TableScan
            };
        }
        let several = |many: bool, one: Class| if many { one.many() } else { one };
        if row.is_whole {
            let keys = partition.values * row.values * tables;
            if row.ends_in_part && path.parts > 1.0 {
                return several(keys / path.parts > 1.0, Class::RowRange);
            }
            return several(keys > 1.0, Class::Point);
        }
        let many = partition.values * row.values * tables > 1.0;
        let is_apart = !path.kind.row.lead().is_empty() || !self.others.is_shared(path);
        let is_good = row.lead > 0 || row.has_range || (is_exact && is_apart);
        several(many, if is_good { Class::RowRange } else { Class::PartitionScan })
    }

    /// Returns the number of tables that are queried.
    fn tables(&self, path: &Path<'_>, tests: &[&Test]) -> f64 {
        let of = |hole: &table_schema::template::TemplateField| {
            let all = match hole.shape {
                Shape::Date(_) => self.facts.tables(&path.kind.table),
                _ => self.facts.distinct_in(hole),
            };
            let test = tests.iter().filter(|test| test.field == hole.field).map(|test| {
                match (test.comparison, test.argument) {
                    (Comparison::Equal, _) => 1.0,
                    (Comparison::In, Argument::Values(values)) => whole(values).min(all),
                    (Comparison::Within, Argument::Window(window)) => {
                        let period = table_period(&path.kind.table).unwrap_or(f64::INFINITY);
                        all.min(up(seconds(window) / period) + 1.0)
                    }
                    (comparison, _) if comparison.is_range() && comparison != Comparison::Starts => {
                        all.min(up(all * self.facts.selectivity(test, None)) + 1.0)
                    }
                    _ => all,
                }
            });
            test.fold(all, f64::min)
        };
        path.kind.table.holes().map(of).product()
    }

    /// Returns the number of rows of other kinds that the query reads.
    fn alien(&self, path: &Path<'_>, class: Class, read: f64) -> f64 {
        let all = match class {
            Class::KeyRange | Class::TableScan => self.others.in_table(path),
            Class::PartitionScan | Class::FanOutScan if path.kind.row.lead().is_empty() => {
                self.others.in_partitions(path)
            }
            _ => 0.0,
        };
        if path.rows > 0.0 { all * read / path.rows } else { 0.0 }
    }

    fn is_in_order(&self, path: &Path<'_>, partition: &Binding, row: &Binding) -> bool {
        if self.query.latest.is_none() {
            return true;
        }
        let next = path.kind.row.holes().nth(row.lead);
        partition.is_whole && next.is_some_and(|hole| hole.exact && hole.shape.is_descending())
    }

    fn wanted(&self) -> Option<f64> {
        self.query.latest.or(self.query.limit).map(f64::from)
    }

    fn pages(&self, matching: f64, read: f64) -> f64 {
        let page = self.query.page.map_or(self.targets.page, f64::from);
        up(matching / page).max(up(read / self.targets.examined_per_request)).max(1.0)
    }

    /// Returns whether the rows of the path lack a selected field.
    fn lacks(&self, path: &Path<'_>) -> bool {
        let lacks = |field: &str| !path.gives.contains(&field);
        if let Some(select) = &self.query.select {
            return select.iter().any(|field| lacks(field));
        }
        // A copy of all fields is returned without blobs.
        let is_all = path.index.is_some_and(|index| index.copy == CopiedFields::All);
        let is_omitted = |field: &FieldDesign| field.skip || is_all && field.kind == FieldKind::Blob;
        self.facts.entity.fields.iter().any(|field| !is_omitted(field) && lacks(&field.name))
    }

    fn nothing(&self) -> Access {
        Access {
            query: self.query.name.clone(),
            class: Class::TableScan,
            path: String::new(),
            is_late: false,
            partitions: 0.0,
            tables: 0.0,
            requests: 0.0,
            read: 0.0,
            matching: 0.0,
            returned: 0.0,
            bytes: 0.0,
            examined: 0.0,
            fetch: 0.0,
            rounds: 0.0,
            is_in_order: true,
            residual: Vec::new(),
            rate: self.query.rate.map_or(0.0, Rate::per_second),
        }
    }
}

const GIB: f64 = 1_073_741_824.0;
/// Point queries that the library sends at the same time.
const POINTS: f64 = 16.0;
/// Ranges that the library reads at the same time.
const RANGES: f64 = 4.0;

/// Returns the number of ranges in a table: each value of `in` in the leading fields of the `RowKey` is a range. The parts of
/// a wide entity are one.
fn ranges(path: &Path<'_>, partition: &Binding, row: &Binding) -> f64 {
    let parts = if row.is_whole && row.ends_in_part { path.parts } else { 1.0 };
    partition.values * row.values / parts
}

/// Returns whether a test is applied after the rows were returned: that of a field that only keys contain, unless a range of
/// keys applies it.
fn is_tested_late(
    path: &Path<'_>,
    class: Class,
    tests: &[&Test],
    row: &Binding,
    residual: &[String],
) -> bool {
    residual.iter().any(|field| {
        let is_stored = path.stored.iter().any(|(stored, _)| stored.name == *field);
        let mut in_row = row.used.iter().filter_map(|place| tests.get(*place));
        let is_in_range = class.is_over_partitions() && in_row.any(|test| test.field == *field);
        !is_stored && path.gives.contains(&field.as_str()) && !is_in_range
    })
}

/// Returns whether the tables of periods follow one another in the order of the rows.
fn is_by_table(path: &Path<'_>) -> bool {
    let period = path.kind.table.holes().find(|hole| matches!(hole.shape, Shape::Date(_)));
    let first = path.kind.row.holes().next();
    period.zip(first).is_some_and(|(period, first)| period.field == first.field)
}

fn positions(tests: &[&Test], is: impl Fn(&Test) -> bool) -> Vec<usize> {
    tests.iter().enumerate().filter(|(_, test)| is(test)).map(|(place, _)| place).collect()
}

/// Returns the rank of an access: less is better in the first component that differs.
fn rank(access: &Access) -> (Class, bool, [Ordered; 3]) {
    (access.class, !access.is_in_order, [access.requests, access.read, access.bytes].map(Ordered))
}

/// A float with a total order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Adds the costs of two alternatives of an `or`, which are queried separately.
fn add(one: Access, other: Access) -> Access {
    let class = one.class.max(other.class);
    let mut residual = one.residual;
    residual.extend(other.residual);
    residual.sort();
    residual.dedup();
    Access {
        class: class.many(),
        path: if one.path == other.path { one.path } else { format!("{}, {}", one.path, other.path) },
        is_late: one.is_late || other.is_late,
        partitions: one.partitions + other.partitions,
        tables: one.tables.max(other.tables),
        requests: one.requests + other.requests,
        read: one.read + other.read,
        matching: one.matching + other.matching,
        returned: one.returned + other.returned,
        bytes: one.bytes + other.bytes,
        examined: one.examined + other.examined,
        fetch: one.fetch + other.fetch,
        rounds: one.rounds + other.rounds,
        is_in_order: one.is_in_order && other.is_in_order,
        residual,
        query: one.query,
        rate: one.rate,
    }
}
