use super::{Cut, Plan, QueryClass};
use crate::Capabilities;

/// Class of a query as a backend executes it, and whether it requires consent.
///
/// A backend may serve several ranges by reading all entities between them, so the class can be worse than that of the
/// plan. Tools start a query at once unless it is a [scan](Self::is_scan).
///
/// ```
/// use table_model::{Capabilities, Filter, Plan, QueryClass, plan::QueryCost};
///
/// let filter = Filter::parse("Age ge 30")?;
/// let plan = Plan::of(Some(&filter));
/// assert!(QueryCost::new(&plan, &Capabilities::embedded()).is_scan());
///
/// let all = Plan::of(None);
/// let first = QueryCost::new(&all, &Capabilities::embedded()).up_to(Some(100));
/// assert_eq!((first.is_scan(), first.most, first.class), (false, Some(100), QueryClass::KeyRange));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueryCost {
    /// Class of the query on the backend.
    pub class: QueryClass,
    /// Maximum number of entities to read, if the query reads only entities that it returns.
    pub most: Option<u64>,
    /// Every entity in the ranges matches, and the backend reads only the ranges.
    pub returns_all_it_reads: bool,
}

impl QueryCost {
    /// Returns the cost of a plan on a backend.
    #[must_use]
    pub fn new(plan: &Plan, backend: &Capabilities) -> Self {
        let class = if backend.plans_ranges { plan.class } else { of_one_range(plan) };
        let returns_all_it_reads = plan.residual.is_none() && class == plan.class;
        Self { class, most: None, returns_all_it_reads }
    }

    /// Limits the number of returned entities. If every entity in the ranges matches, the query reads no others: it reads
    /// the first entities of a range, and not complete partitions.
    #[must_use]
    pub fn up_to(self, entities: Option<u64>) -> Self {
        let most = entities.filter(|_| self.returns_all_it_reads);
        let class = match self.class {
            _ if most.is_none() => self.class,
            QueryClass::PartitionScan => QueryClass::RowRange,
            QueryClass::FanOutScan => QueryClass::FanOut,
            QueryClass::TableScan => QueryClass::KeyRange,
            class => class,
        };
        Self { class, most, ..self }
    }

    /// Returns what a [scan](Self::is_scan) reads, in words.
    #[must_use]
    pub const fn scanned(&self) -> &'static str {
        match self.class {
            QueryClass::PartitionScan => "an entire partition",
            QueryClass::FanOutScan => "several entire partitions",
            QueryClass::KeyRange => "all partitions in a range",
            _ => "the entire table",
        }
    }

    /// Returns whether complete partitions are read.
    #[must_use]
    pub const fn is_scan(&self) -> bool {
        use QueryClass::{FanOutScan, KeyRange, PartitionScan, TableScan};
        self.most.is_none() && matches!(self.class, PartitionScan | FanOutScan | KeyRange | TableScan)
    }
}

/// Returns the class if a filter over several ranges is served by reading all rows between them.
fn of_one_range(plan: &Plan) -> QueryClass {
    let [first, .., last] = plan.ranges.as_slice() else { return plan.class };
    match (partition(&first.lower), partition(&last.upper)) {
        (Some(first), Some(last)) if first == last => plan.class.max(QueryClass::PartitionScan),
        _ => QueryClass::TableScan,
    }
}

fn partition(cut: &Cut) -> Option<&str> {
    match cut {
        Cut::Before(partition, _) | Cut::After(partition, _) | Cut::AfterPartition(partition) => {
            Some(partition)
        }
        Cut::Start | Cut::End => None,
    }
}
