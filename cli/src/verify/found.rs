use std::fmt;

use serde_json::{Map, Value, json};
use table_patterns::{Address, Difference, DifferenceKind, RepairStatus, Unverifiable, VerifyReport};

use crate::text::note;

/// The findings for one entity.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) report: VerifyReport,
    pub(super) unjudged: &'static [Unverifiable],
    /// A line for each version that the design does not describe.
    pub(super) skipped: Vec<String>,
    pub(super) derived: Derived,
}

/// What a design derives from an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Derived {
    /// Rows of indexes or lookups.
    Rows,
    /// No rows: only the entities are read.
    Nothing,
    /// Its entities have several tables or spread keys, and are not read.
    Unknown,
    /// This table of the entity does not exist.
    WithoutTable(String),
}

impl Found {
    /// Creates the findings of an entity without derived rows.
    pub(super) fn nothing(name: &str) -> Self {
        let (report, skipped) = (VerifyReport::default(), Vec::new());
        Self { name: name.to_owned(), report, unjudged: &[], skipped, derived: Derived::Unknown }
    }

    /// Creates the findings of an entity whose table does not exist.
    pub(super) fn without_table(name: &str, table: String) -> Self {
        Self { derived: Derived::WithoutTable(table), ..Self::nothing(name) }
    }

    /// Returns whether all rows now match the entities.
    pub(super) fn is_right(&self) -> bool {
        self.missing_table().is_none() && self.report.count() == self.report.repaired
    }

    fn missing_table(&self) -> Option<&str> {
        match &self.derived {
            Derived::WithoutTable(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn object(&self) -> Value {
        let Self { name, report, unjudged, .. } = self;
        let found: Map<String, Value> = DifferenceKind::ALL
            .into_iter()
            .filter(|what| report.count_of(*what) > 0)
            .map(|what| (what.to_string(), json!(report.count_of(what))))
            .collect();
        json!({
            "entity": name,
            "entities": report.entities,
            "rows": report.rows,
            "lagging": report.lagging,
            "differences": report.count(),
            "repaired": report.repaired,
            "other_versions": report.other_versions,
            "found": found,
            "listed": report.differences.iter().map(difference).collect::<Vec<_>>(),
            "missing_table": self.missing_table(),
            "not_looked_at": unjudged.iter().map(left_alone).collect::<Vec<_>>(),
        })
    }
}

/// Formats a line of counts, and one per difference.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, report, .. } = self;
        match &self.derived {
            Derived::Rows => writeln!(f, "{name}: {report}")?,
            Derived::Nothing => {
                writeln!(f, "{name}: {}", report.to_string().replacen(", 0 index rows", "", 1))?;
            }
            Derived::Unknown => {
                writeln!(f, "{name}: not verified: it has a table for each period or spread keys")?;
            }
            Derived::WithoutTable(table) => {
                let remedy = "correct the table in the design or the store, or accept it with --no-rows";
                let text = format!("{name}: not verified: the store has no table `{table}`; {remedy}");
                f.write_str(&note("", &text))?;
            }
        }
        self.skipped.iter().try_for_each(|line| f.write_str(&note("  ", line)))?;
        self.unjudged.iter().try_for_each(|one| f.write_str(&note("  ", &format!("skipped: {one}"))))
    }
}

/// Returns a difference as JSON.
pub(crate) fn difference(difference: &Difference) -> Value {
    let (repair, error) = match &difference.repair {
        RepairStatus::NotTried => ("not tried", None),
        RepairStatus::Done => ("done", None),
        RepairStatus::Failed(error) => ("failed", Some(error.to_string())),
        _ => ("left", None),
    };
    let error = error.or_else(|| difference.cause.as_ref().map(ToString::to_string));
    json!({
        "what": difference.what.to_string(),
        "index": difference.index,
        "at": address(&difference.address),
        "entity": difference.entity.as_ref().map(address),
        "repair": repair,
        "error": error,
    })
}

pub(crate) fn address(address: &Address) -> Value {
    json!({
        "table": address.table().as_str(),
        "partition_key": address.partition_key(),
        "row_key": address.row_key(),
    })
}

fn left_alone(one: &Unverifiable) -> Value {
    json!({ "name": one.name, "reason": one.reason.to_string() })
}
