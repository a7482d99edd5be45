use std::fmt;

use serde_json::{Value, json};
use table_store::{Capabilities, Plan, QueryClass, TableName, plan::Cut};

/// The cost of a query: its plan, unless the service executes it less efficiently.
pub(crate) struct Cost<'p> {
    plan: &'p Plan,
    class: QueryClass,
}

impl<'p> Cost<'p> {
    pub(crate) fn new(plan: &'p Plan, service: &Capabilities) -> Self {
        let class = if service.plans_ranges { plan.class } else { of_one_range(plan) };
        Self { plan, class }
    }

    /// Returns whether complete partitions are read.
    pub(crate) fn is_scan(&self) -> bool {
        use QueryClass::{FanOutScan, KeyRange, PartitionScan, TableScan};
        matches!(self.class, PartitionScan | FanOutScan | KeyRange | TableScan)
    }

    /// Returns the reason why it is not started, and the remedy.
    pub(super) fn refusal(&self, table: &TableName) -> String {
        let (read, narrower) = self.scanned(|key| format!("--{key} KEY"));
        format!(
            "error: {table}: the query reads {read}, which requires --scan\n{}\n  = help: {narrower}\n",
            indented(&self.to_string())
        )
    }

    /// Returns what a scan reads, and how to narrow it. `option` names the option for `row` and for `partition`.
    pub(crate) fn scanned(&self, option: impl Fn(&str) -> String) -> (&'static str, String) {
        let rows = "a filter with RowKey ge '…' and RowKey lt '…'";
        let partition =
            || format!("select a partition: {}, or a filter with PartitionKey eq '…'", option("partition"));
        match self.class {
            QueryClass::PartitionScan => {
                ("an entire partition", format!("select rows: {}, or {rows}", option("row")))
            }
            QueryClass::FanOutScan => {
                ("several entire partitions", format!("select rows: {rows} for each PartitionKey eq '…'"))
            }
            QueryClass::KeyRange => ("all partitions in a range", partition()),
            _ => ("the entire table", partition()),
        }
    }

    /// Returns the cost as JSON.
    pub(crate) fn object(&self) -> Value {
        json!({
            "class": self.class.as_str(),
            "scan": self.is_scan(),
            "ranges": self.plan.ranges.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "check": self.plan.residual.as_ref().map(ToString::to_string),
        })
    }
}

/// Formats the plan, and its class if several ranges are read as one.
impl fmt::Display for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(f)?;
        if self.class != self.plan.class {
            write!(f, "\nthis service does not read ranges separately: {}", self.class)?;
        }
        Ok(())
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

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use table_store::Filter;

    use super::*;

    fn class(filter: &str, service: &Capabilities) -> QueryClass {
        Cost::new(&Plan::of(Some(&Filter::parse(filter).unwrap())), service).class
    }

    #[test]
    fn several_ranges_are_a_scan_where_they_are_read_as_one() {
        let (store, azure) = (Capabilities::embedded(), Capabilities::azure());
        for (filter, planned, read) in [
            ("PartitionKey eq 'a' and RowKey eq '1'", QueryClass::Point, QueryClass::Point),
            ("PartitionKey eq 'a' and RowKey ge '1'", QueryClass::RowRange, QueryClass::RowRange),
            (
                "PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '3')",
                QueryClass::MultiPoint,
                QueryClass::PartitionScan,
            ),
            (
                "(PartitionKey eq 'a' or PartitionKey eq 'c') and RowKey eq '1'",
                QueryClass::MultiPoint,
                QueryClass::TableScan,
            ),
            ("Age ge 30", QueryClass::TableScan, QueryClass::TableScan),
        ] {
            assert_eq!((class(filter, &store), class(filter, &azure)), (planned, read), "{filter}");
        }
    }

    #[test]
    fn a_refusal_says_what_would_be_read_and_what_to_say_instead() {
        let filter = Filter::parse("Age ge 30").unwrap();
        let plan = Plan::of(Some(&filter));
        let cost = Cost::new(&plan, &Capabilities::embedded());
        assert!(cost.is_scan());
        assert_eq!(
            cost.refusal(&"Employees".parse().unwrap()),
            "error: Employees: the query reads the entire table, which requires --scan\n\
             \x20 table-scan, 1 range\n\
             \x20 - all of the table\n\
             \x20 check on each entity: Age ge 30\n\
             \x20 = help: select a partition: --partition KEY, or a filter with PartitionKey eq '…'\n"
        );
    }
}
