use std::{future::Future, pin::Pin};

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
        self.try_update(point, move |entity| {
            change(entity);
            Ok(())
        })
    }

    /// Updates an entity like [`update`](Self::update), with a `change` that can fail. Then nothing is written, and its
    /// error is returned as it is.
    ///
    /// The error type of the program receives the errors of the library by `From`; a derive of the crate `thiserror`
    /// implements it with `#[from]`.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Accounts", partition = "{owner}", row = "account")]
    /// struct Account { owner: String, balance: i64 }
    ///
    /// #[derive(Debug)]
    /// enum PaymentError { Insufficient { balance: i64 }, Tables(Error) }
    ///
    /// impl From<Error> for PaymentError {
    ///     fn from(error: Error) -> Self { Self::Tables(error) }
    /// }
    ///
    /// async fn pay(tables: &Tables, owner: &str, amount: i64) -> Result<i64, PaymentError> {
    ///     let paid = tables.try_update(Account::point(owner), |account| {
    ///         if account.balance < amount {
    ///             return Err(PaymentError::Insufficient { balance: account.balance });
    ///         }
    ///         account.balance -= amount;
    ///         Ok(())
    ///     });
    ///     Ok(paid.await?.balance)
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.insert(&Account { owner: "Jo".into(), balance: 100 }).await?;
    /// assert!(matches!(pay(&tables, "Jo", 70).await, Ok(30)));
    /// assert!(matches!(pay(&tables, "Jo", 70).await, Err(PaymentError::Insufficient { balance: 30 })));
    /// assert!(matches!(pay(&tables, "Mo", 70).await, Err(PaymentError::Tables(Error::NotFound(_)))));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the error of `change`, and the errors of [`update`](Self::update), converted.
    pub fn try_update<'t, E: TableEntity, X: From<Error> + Send + 't>(
        &'t self,
        point: impl OnePoint<Out = Stored<E>>,
        mut change: impl FnMut(&mut E) -> Result<(), X> + Send + 't,
    ) -> Pin<Box<dyn Future<Output = Result<Stored<E>, X>> + Send + 't>> {
        self.change_if(point, move |entity| change(entity).map(|()| true))
    }

    /// Reads an entity, passes it to `change`, and replaces it if `change` returns `true`.
    pub(super) fn change_if<'t, E: TableEntity, X: From<Error> + Send + 't>(
        &'t self,
        point: impl OnePoint<Out = Stored<E>>,
        mut change: impl FnMut(&mut E) -> Result<bool, X> + Send + 't,
    ) -> Pin<Box<dyn Future<Output = Result<Stored<E>, X>> + Send + 't>> {
        Box::pin(async move {
            let address = point.whereabouts()?;
            for _ in 0..ATTEMPTS {
                let Some(mut stored) = point.find(self).await? else {
                    return Err(Error::NotFound(Box::new(address)).into());
                };
                if !change(&mut stored)? {
                    return Ok(stored);
                }
                match self.replace(&stored).await {
                    Ok(written) => return Ok(stored.written(&written)),
                    // Deleted concurrently. The next read returns `None`.
                    Err(error) if error.is_conflict() || error.is_not_found() => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS }.into())
        })
    }
}
