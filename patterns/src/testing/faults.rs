use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use table_model::{ErrorCode, Result, TableError, split_mix::SplitMix64};

/// Faults of the requests of a handle on [`TestTables`](super::TestTables). Clones share the faults and the count.
///
/// The requests are counted from the call: 1 is the next request. A source can be that of tables, queues and blobs; one
/// that is used for several of them counts their requests together.
///
/// ```
/// use table_patterns::{prelude::*, testing::{Faults, TestTables}};
///
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// let faults = Faults::new();
/// let tables = TestTables::new().faults(&faults).open()?;
/// tables.insert(&employee(1)).await?;
///
/// // The write is executed, but its response is lost.
/// faults.lose_nth(1);
/// let error = tables.overwrite(&Employee { age: 31, ..employee(1) }).await.unwrap_err();
/// assert!(error.is_outcome_unknown());
/// assert_eq!(Employee::point("Sales", 1).get(&tables).await?.map(|employee| employee.age), Some(31));
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    requests: u64,
    faults: BTreeMap<u64, Fault>,
    random: Option<Random>,
}

/// Faults of requests that a seed selects.
#[derive(Debug)]
struct Random {
    one_in: u64,
    sequence: SplitMix64,
}

impl Random {
    fn draw(&mut self) -> Option<Fault> {
        let drawn = self.sequence.draw();
        let is_lost = drawn >> 32 & 1 == 0;
        drawn.is_multiple_of(self.one_in).then_some(if is_lost {
            Fault::Lost
        } else {
            Fault::Rejected(ErrorCode::ServerBusy)
        })
    }
}

/// Fault of one request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The request is not executed.
    Rejected(ErrorCode),
    /// The request is executed, and the response is lost.
    Lost,
}

impl Faults {
    /// Creates a source without faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rejects the `nth` request from now on with an error of the service. It is not executed.
    pub fn fail_nth(&self, nth: u64, code: ErrorCode) {
        self.set(nth, Fault::Rejected(code));
    }

    /// Executes the `nth` request from now on, and loses its response.
    pub fn lose_nth(&self, nth: u64) {
        self.set(nth, Fault::Lost);
    }

    /// Selects one in `n` requests by the seed, from now on: one half is rejected with `ServerBusy`, of the other half the
    /// response is lost. 0 selects none; [`clear`](Self::clear) removes the faults. A program that sends the same requests
    /// in the same order meets the same faults.
    ///
    /// ```
    /// use table_patterns::{prelude::*, testing::{Faults, TestTables}};
    ///
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let faults = Faults::new();
    /// let tables = TestTables::new().faults(&faults).open()?;
    /// faults.one_in(4, 7);
    /// let mut failed = 0;
    /// for id in 1..=40 {
    ///     failed += u32::from(tables.insert(&employee(id)).await.is_err());
    /// }
    /// faults.clear();
    /// assert!(failed > 0 && failed < 40);
    /// assert!(Employee::rows("Sales").count(&tables).await? < 40);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn one_in(&self, n: u32, seed: u64) {
        let random = (n > 0).then(|| Random { one_in: n.into(), sequence: SplitMix64(seed) });
        self.state(|state| state.random = random);
    }

    /// Removes all faults: no request fails from now on.
    pub fn clear(&self) {
        self.state(|state| (state.faults, state.random) = (BTreeMap::new(), None));
    }

    /// Returns the number of requests so far. The difference of two calls is the cost of what ran between them.
    pub fn requests(&self) -> u64 {
        self.state(|state| state.requests)
    }

    fn set(&self, nth: u64, fault: Fault) {
        self.state(|state| state.faults.insert(state.requests + nth, fault));
    }

    /// Counts a request and returns its fault.
    pub(super) fn next(&self) -> Option<Fault> {
        self.state(|state| {
            state.requests += 1;
            let random = state.random.as_mut().and_then(Random::draw);
            state.faults.remove(&state.requests).or(random)
        })
    }

    fn state<T>(&self, run: impl FnOnce(&mut State) -> T) -> T {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Fault {
    /// Returns the error of a request that is not executed.
    pub(super) fn before(fault: Option<Self>) -> Result<()> {
        match fault {
            Some(Self::Rejected(code)) => Err(TableError::new(code)),
            Some(Self::Lost) | None => Ok(()),
        }
    }

    /// Returns the error of a request that was executed.
    pub(super) fn after(fault: Option<Self>) -> Result<()> {
        match fault {
            Some(Self::Lost) => Err(TableError::no_response("a fault of the test lost the response")),
            Some(Self::Rejected(_)) | None => Ok(()),
        }
    }
}
