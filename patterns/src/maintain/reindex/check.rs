use std::collections::HashMap;

use super::{MOST_LISTED, index_of};
use crate::{
    Address, Difference, DifferenceKind, Error, Job, Pending, RepairStatus, Sweep, TableEntity, Tables,
    core::{derived_row::DerivedRow, entity_types::EntityInfo, error::may_pass, rule::Rule, table::table_of},
    maintain::sweep::{Sort, Walk, WalkPage, address_of, of_design},
};

/// Job of [`Tables::check_index`].
#[derive(Clone, Copy, Debug)]
pub struct CheckIndex {
    kind: EntityInfo,
    /// The index of the newest version. `None` if there is no such index.
    rule: Option<Rule>,
}

/// Result of [`Tables::check_index`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct IndexCheck {
    /// Number of entities.
    pub entities: u64,
    /// Number of entities that the index contains.
    pub included: u64,
    /// Entities that cannot have a row of their own, at most 1,000: another entity has the same value of a unique
    /// index, or the entity cannot be decoded.
    pub without: Vec<Difference>,
    /// Number of such entities, also of those that are not listed.
    pub without_count: u64,
    /// The first entity with each row of a unique index, until a second one is found.
    first: HashMap<Address, Option<Address>>,
    /// Rows of a page, with their entities.
    page: Vec<(Address, Address)>,
    index: Option<&'static str>,
}

impl Tables {
    /// Creates a sweep that reads all entities, and finds those that cannot have a row in a unique index that does not
    /// exist yet. It writes nothing. The report contains all values of a unique index, so it requires memory for each
    /// entity.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # mod before {
    /// #     #[derive(table_patterns::TableEntity, Clone, Debug)]
    /// #     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #     pub struct Employee { pub department: String, pub id: u32, pub email: String }
    /// # }
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_email, row = "email_{email}", unique))] // new
    /// struct Employee { department: String, id: u32, email: String }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # for id in 1..=2 {
    /// #     let email = "jo@contoso.com".into();
    /// #     tables.insert(&before::Employee { department: "Sales".into(), id, email }).await?;
    /// # }
    /// let report = tables.check_index::<Employee>("by_email").run().await?;
    /// assert_eq!((report.entities, report.without.len()), (2, 2));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn check_index<E: TableEntity>(&self, index: &str) -> Sweep<CheckIndex> {
        CheckIndex::of(self, EntityInfo::of::<E>(), index)
    }
}

impl CheckIndex {
    /// Creates a sweep for an index of an entity type.
    pub(crate) fn of(tables: &Tables, kind: EntityInfo, index: &str) -> Sweep<Self> {
        let found = index_of(kind.newest(), index);
        let rule = found.as_ref().ok().map(|(rule, _)| *rule);
        let walk = found.and_then(|(_, found)| {
            let (job, design) = (format!("check {}", found.name), kind.newest());
            Ok(Walk::new(&job, design.name, vec![table_of(design)?], of_design(design)))
        });
        Sweep::new(tables, Self { kind, rule }, walk)
    }

    /// Adds an entity to the result of a page.
    fn look(
        &self,
        tables: &Tables,
        page: &WalkPage,
        at: usize,
        report: &mut IndexCheck,
    ) -> Result<(), Error> {
        let Some(row) = page.rows.get(at) else { return Ok(()) };
        let Some(address) = address_of(&page.table, row) else { return Ok(()) };
        let source = tables.source(&page.table);
        let derived = match Sort::of(self.kind, source, row) {
            Sort::Entity => self.kind.derived(source, row),
            Sort::Unreadable(error) => Err(error),
            _ => return Ok(()),
        };
        report.entities += 1;
        let index = self.rule.and_then(Rule::index);
        match derived {
            Ok(rows) => {
                let is_of = |row: &DerivedRow| self.rule.is_some_and(|rule| rule.is_version_of(row.rule));
                let own = rows.into_iter().find(is_of);
                report.included += u64::from(own.is_some());
                let is_unique = index.is_some_and(|index| index.unique);
                report.page.extend(own.filter(|_| is_unique).map(|row| (row.address, address)));
            }
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => {
                let what = DifferenceKind::Unreadable;
                let (entity, repair) = (Some(address.clone()), RepairStatus::NotTried);
                let (index, cause) = (index.map(|index| index.name), Some(error));
                report.list(Difference { what, index, address, entity, repair, cause });
            }
        }
        Ok(())
    }
}

impl IndexCheck {
    fn list(&mut self, difference: Difference) {
        self.without_count += 1;
        if self.without.len() < MOST_LISTED {
            self.without.push(difference);
        }
    }

    /// Adds an entity with this row of a unique index.
    fn claim(&mut self, row: Address, entity: Address) {
        let index = self.index;
        let taken = |address: &Address, entity: Address| Difference {
            what: DifferenceKind::Taken,
            index,
            address: address.clone(),
            entity: Some(entity),
            repair: RepairStatus::NotTried,
            cause: None,
        };
        match self.first.get_mut(&row) {
            None => _ = self.first.insert(row, Some(entity)),
            Some(first) => {
                let first = first.take().map(|first| taken(&row, first));
                let both = first.into_iter().chain([taken(&row, entity)]);
                both.for_each(|one| self.list(one));
            }
        }
    }
}

impl Job for CheckIndex {
    type Report = IndexCheck;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, IndexCheck> {
        Box::pin(async move {
            let index = self.rule.map(Rule::name);
            let mut report = IndexCheck { index, ..IndexCheck::default() };
            (0..page.rows.len()).try_for_each(|at| self.look(tables, page, at, &mut report))?;
            Ok(report)
        })
    }

    fn add(report: &mut IndexCheck, page: IndexCheck) {
        report.index = page.index;
        report.entities += page.entities;
        report.included += page.included;
        // A page lists only entities that cannot be decoded.
        page.without.into_iter().for_each(|one| report.list(one));
        page.page.into_iter().for_each(|(row, entity)| report.claim(row, entity));
    }
}
