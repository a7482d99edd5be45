use std::fmt;

use serde_json::{Value, json};
use table_store::{Capabilities, Plan, QueryClass, TableName, plan::QueryCost};

use crate::{members::with, text::counted};

/// The cost of a query: its plan, unless the service executes it less efficiently.
pub(crate) struct Cost<'p> {
    plan: &'p Plan,
    cost: QueryCost,
}

impl<'p> Cost<'p> {
    pub(crate) fn new(plan: &'p Plan, service: &Capabilities) -> Self {
        Self { plan, cost: QueryCost::new(plan, service) }
    }

    /// Limits the number of returned entities; see [`QueryCost::up_to`].
    pub(crate) fn up_to(self, entities: Option<u64>) -> Self {
        Self { cost: self.cost.up_to(entities), ..self }
    }

    /// Returns whether every entity in the ranges matches, and the service reads only the ranges.
    pub(crate) const fn returns_all_it_reads(&self) -> bool {
        self.cost.returns_all_it_reads
    }

    /// Returns whether complete partitions are read.
    pub(crate) const fn is_scan(&self) -> bool {
        self.cost.is_scan()
    }

    /// Returns the reason why it is not started, and the remedy.
    pub(super) fn refusal(&self, table: &TableName) -> String {
        let (read, mut narrower) = self.scanned(|key| format!("--{key} KEY"));
        if self.returns_all_it_reads() {
            narrower.push_str("; or read the first entities: --top COUNT");
        }
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
        let narrower = match self.cost.class {
            QueryClass::PartitionScan => format!("select rows: {}, or {rows}", option("row")),
            QueryClass::FanOutScan => format!("select rows: {rows} for each PartitionKey eq '…'"),
            _ => partition(),
        };
        (self.cost.scanned(), narrower)
    }

    /// Returns the cost as JSON.
    pub(crate) fn object(&self) -> Value {
        let object = json!({
            "class": self.cost.class.as_str(),
            "scan": self.is_scan(),
            "ranges": self.plan.ranges.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "check": self.plan.residual.as_ref().map(ToString::to_string),
        });
        match self.cost.most {
            Some(most) => with(object, "most_read", most),
            None => object,
        }
    }
}

/// Formats the plan, and its class if several ranges are read as one.
impl fmt::Display for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(most) = self.cost.most {
            let plan = Plan { class: self.cost.class, ..self.plan.clone() };
            return write!(f, "{plan}\nreads at most {}", counted(most, "entity"));
        }
        self.plan.fmt(f)?;
        if self.cost.class != self.plan.class {
            write!(f, "\nthis service does not read ranges separately: {}", self.cost.class)?;
        }
        Ok(())
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
        Cost::new(&Plan::of(Some(&Filter::parse(filter).unwrap())), service).cost.class
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
    fn a_limit_without_a_condition_to_check_is_a_range() {
        let (store, azure) = (Capabilities::embedded(), Capabilities::azure());
        let two = "PartitionKey eq 'a' or PartitionKey eq 'c'";
        for (filter, service, expected) in [
            ("PartitionKey eq 'a'", &azure, Some(QueryClass::RowRange)),
            ("PartitionKey gt 'a'", &azure, Some(QueryClass::KeyRange)),
            ("true", &azure, Some(QueryClass::KeyRange)),
            (two, &store, Some(QueryClass::FanOut)),
            (two, &azure, None),
            ("PartitionKey eq 'a' and Age ge 30", &store, None),
            ("RowKey eq 'a'", &store, None),
        ] {
            let plan = Plan::of(Some(&Filter::parse(filter).unwrap()));
            assert!(Cost::new(&plan, service).up_to(None).is_scan(), "{filter}");
            let cost = Cost::new(&plan, service).up_to(Some(5));
            assert_eq!((!cost.is_scan()).then_some(cost.cost.class), expected, "{filter}");
        }
        let plan = Plan::of(Some(&Filter::eq("PartitionKey", "a")));
        let cost = Cost::new(&plan, &store).up_to(Some(5));
        let text = "row-range, 1 range\n- PartitionKey 'a', all rows\nreads at most 5 entities";
        assert_eq!((cost.to_string().as_str(), cost.object().get("most_read")), (text, Some(&5.into())));
        let refusal = Cost::new(&plan, &store).refusal(&"Employees".parse().unwrap());
        assert!(refusal.ends_with("; or read the first entities: --top COUNT\n"), "{refusal}");
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
