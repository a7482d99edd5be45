use super::run::ATTEMPTS;
use crate::{
    Error, OnePoint, Stored, TableEntity,
    handle::{Pending, Tables},
};

impl Tables {
    /// Reads an entity, changes it, and replaces it unless a concurrent writer changed it. In that case it retries, so
    /// `change` may run more than once. Returns the written entity.
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
    /// let raised = tables.update(Employee::point("Sales", 1), |employee| employee.age += 1).await?;
    /// assert_eq!(raised.age, 31);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the entity does not exist, [`Error::Contended`] after 64 failed attempts, and the
    /// other errors of [`Tables::replace`].
    pub fn update<'t, E: TableEntity>(
        &'t self,
        point: impl OnePoint<Out = Stored<E>>,
        mut change: impl FnMut(&mut E) + Send + 't,
    ) -> Pending<'t, Stored<E>> {
        Box::pin(async move {
            let address = point.whereabouts()?;
            for _ in 0..ATTEMPTS {
                let Some(mut stored) = point.find(self).await? else {
                    return Err(Error::NotFound(Box::new(address)));
                };
                change(&mut stored);
                match self.replace(&stored).await {
                    Ok(written) => return Ok(stored.written(&written)),
                    // Deleted concurrently. The next read returns `None`.
                    Err(error) if error.is_conflict() || error.is_not_found() => {}
                    Err(error) => return Err(error),
                }
            }
            Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS })
        })
    }
}
