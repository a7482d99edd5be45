use std::fmt;

use table_model::{Filter, Name, Plan, QueryClass, TableName};

use crate::{
    Error,
    core::spec::{
        Spec, Target,
        spread::{Spread, TableSet},
    },
};

/// Plan of a query: the requests that a run would send. No store is needed to compute it.
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
    /// Query class, as determined by the type of the query.
    pub class: QueryClass,
    /// Name of the table, or the template of the table names if the entity has a table for each period.
    pub table: String,
    /// For a query on several tables, the tables it reads, in name order. They may not exist. `None` if the query lists
    /// the existing tables when it runs.
    pub tables: Option<Vec<TableName>>,
    /// Number of partitions read in each table: 1 unless the keys are sharded, 0 for scans of complete tables.
    pub partitions: usize,
    /// Filter that is sent, or `None` for the complete table. For sharded keys, the filter for the first partition.
    pub filter: Option<Filter>,
    /// Selected properties. `None` selects all.
    pub select: Option<Vec<Name>>,
    /// Key ranges of the filter, and the residual condition that is checked on each entity in them.
    pub plan: Plan,
    /// Versions of the entity whose rows are filtered after they are read, because the service cannot evaluate the
    /// filter on them.
    pub residual: Vec<u32>,
    /// Lookup whose list is read first. Each member is then read by its key in a separate request. The filter and the
    /// plan above describe the read of the list.
    pub lookup: Option<&'static str>,
    /// First blob of that list, if the lookup stores its lists in blobs. There is no filter in that case.
    pub blob: Option<String>,
    /// Maximum number of items of the run.
    pub take: Option<u64>,
    /// Rows are returned in descending order of their keys.
    pub descending: bool,
}

impl Explain {
    pub(crate) fn of(spec: &Spec, select: Option<Vec<Name>>) -> Result<Self, Error> {
        if let Ok(Target::Spread(spread)) = &spec.target {
            return Self::of_spread(spec, spread, select);
        }
        let list = spec.list();
        let blob = list.and_then(|list| list.blob.as_ref()).map(|blob| blob.name().to_owned());
        let (table, keys) = match list {
            Some(list) if blob.is_some() => (list.table.clone(), None),
            _ => spec.keys()?,
        };
        let request = spec.request(select)?;
        let filter = if blob.is_some() { None } else { request.within(keys) };
        // Reject everything that a run would reject. Points are sent individually, not as the filter shown here.
        if spec.class != QueryClass::MultiPoint {
            filter.as_ref().map_or(Ok(()), Filter::check)?;
        }
        let (class, name, tables) = (spec.class, table.to_string(), Some(vec![table]));
        Ok(Self {
            class,
            table: name,
            tables,
            partitions: usize::from(!matches!(class, QueryClass::TableScan)),
            plan: Plan::of(filter.as_ref()),
            filter,
            select: request.select,
            residual: request.residual,
            lookup: list.map(|list| list.lookup),
            blob,
            take: spec.paging.take,
            descending: spec.paging.descending,
        })
    }

    fn of_spread(spec: &Spec, spread: &Spread, select: Option<Vec<Name>>) -> Result<Self, Error> {
        let first = spread.partitions.as_ref().and_then(|partitions| partitions.first());
        let keys = spread.filter(first.map(String::as_str));
        let request = spec.request(select)?;
        let filter = if spread.is_nowhere() { Some(Filter::Constant(false)) } else { request.within(keys) };
        filter.as_ref().map_or(Ok(()), Filter::check)?;
        let tables = match &spread.tables {
            TableSet::Named(names) => Some(names.clone()),
            TableSet::Listed(..) => None,
        };
        Ok(Self {
            class: spec.class,
            table: spec.subject.table.to_owned(),
            tables,
            partitions: spread.partitions.as_ref().map_or(0, Vec::len),
            plan: Plan::of(filter.as_ref()),
            residual: request.residual,
            filter,
            select: request.select,
            lookup: None,
            blob: None,
            take: spec.paging.take,
            descending: spec.paging.descending,
        })
    }

    /// Writes the tables and partitions of a query that reads more than one of them.
    fn places(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tables.as_deref() {
            None => f.write_str(", in all its existing tables")?,
            Some([first, .., last]) => {
                write!(f, ", {} tables from {first} to {last}", self.tables.as_ref().map_or(0, Vec::len))?;
            }
            Some([only]) if only.as_str() != self.table => write!(f, ", in table {only}")?,
            Some(_) => {}
        }
        if self.partitions > 1 {
            write!(f, ", {} partitions", self.partitions)?;
        }
        Ok(())
    }
}

/// Displays the class and the table on one line, followed by the filter and the plan.
impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.class, self.table)?;
        self.places(f)?;
        if self.descending {
            f.write_str(", descending")?;
        }
        if let Some(take) = self.take {
            write!(f, ", at most {take}")?;
        }
        if let Some(select) = &self.select {
            write!(f, ", only {}", select.join(", "))?;
        }
        match &self.filter {
            None if self.blob.is_some() => {
                write!(f, "\n  blob {}", self.blob.as_deref().unwrap_or_default())?;
            }
            None => f.write_str("\n  all entities of the table")?,
            Some(Filter::Constant(false)) => return f.write_str("\n  no key can match: no request is sent"),
            Some(filter) => write!(f, "\n  {filter}")?,
        }
        if self.blob.is_none() {
            self.plan.to_string().lines().skip(1).try_for_each(|line| write!(f, "\n  {line}"))?;
        }
        if !self.residual.is_empty() {
            let versions: Vec<String> = self.residual.iter().map(u32::to_string).collect();
            write!(f, "\n  residual: versions {}, filtered after they are read", versions.join(", "))?;
        }
        if let Some(lookup) = self.lookup {
            write!(f, "\n  reads the list of `{lookup}`, then each member with a point query")?;
        }
        Ok(())
    }
}
