use std::fmt;

use table_store::{Filter, Name, Plan, QueryClass, TableName};

use super::Spec;
use crate::Error;

/// What a query will ask and read: known without a store.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let explain = Employee::rows("Sales").between(100..=199).explain()?;
/// assert_eq!(explain.class, QueryClass::RowRange);
/// assert!(explain.to_string().starts_with("row-range on Employees"));
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Explain {
    /// The class, as the query's type says it.
    pub class: QueryClass,
    /// The table.
    pub table: TableName,
    /// The filter that is sent; none for all of the table.
    pub filter: Option<Filter>,
    /// Which properties are asked for; none for all.
    pub select: Option<Vec<Name>>,
    /// The key ranges that the filter comes to, and what is left to check on each entity in them.
    pub plan: Plan,
    /// The lookup whose list is read first; then each member is read by its key, with a request for each. What is said
    /// above of a filter and its plan is of the list.
    pub lookup: Option<&'static str>,
    /// Most items of the whole run.
    pub take: Option<u64>,
}

impl Explain {
    pub(super) fn of(spec: &Spec, select: Option<Vec<Name>>) -> Result<Self, Error> {
        let (table, filter) = spec.filter()?;
        // What a run would refuse is refused here; points are not sent as the filter that explains them.
        if spec.class != QueryClass::MultiPoint {
            filter.as_ref().map_or(Ok(()), Filter::check)?;
        }
        let plan = Plan::of(filter.as_ref());
        let select = spec.selected(select);
        let lookup = spec.list().map(|list| list.lookup);
        Ok(Self { class: spec.class, table, filter, select, plan, lookup, take: spec.take })
    }
}

/// The class and table in a line, then the filter, then the plan.
impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.class, self.table)?;
        if let Some(take) = self.take {
            write!(f, ", at most {take}")?;
        }
        if let Some(select) = &self.select {
            write!(f, ", only {}", select.join(", "))?;
        }
        match &self.filter {
            None => f.write_str("\n  all entities of the table")?,
            Some(Filter::Constant(false)) => return f.write_str("\n  no key can match: no request is sent"),
            Some(filter) => write!(f, "\n  {filter}")?,
        }
        self.plan.to_string().lines().skip(1).try_for_each(|line| write!(f, "\n  {line}"))?;
        if let Some(lookup) = self.lookup {
            write!(f, "\n  this is the list of `{lookup}`; then each member by its key, a point query each")?;
        }
        Ok(())
    }
}
