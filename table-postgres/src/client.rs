//! A connection of the pool whose statements end in a bounded time.

use std::{
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use deadpool_postgres::Object;
use tokio::{runtime::Handle, time::timeout};
use tokio_postgres::{Row, Statement, ToStatement, types::ToSql};

use crate::failure::Failure;

type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// A connection. The database cancels a statement after its timeout, but not a commit that waits for a standby, and a host
/// can be silent. Then the request ends, and the connection stays in use until the database responds: requests of later
/// clients do not wait behind it, and their number is bounded by that of the connections.
pub(crate) struct Client {
    object: Option<Object>,
    /// Number of statements without a response.
    pending: AtomicUsize,
    limit: Duration,
    runtime: Handle,
}

impl Client {
    pub(crate) const fn new(object: Object, limit: Duration, runtime: Handle) -> Self {
        Self { object: Some(object), pending: AtomicUsize::new(0), limit, runtime }
    }

    async fn within<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        self.pending.fetch_add(1, Relaxed);
        let Ok(result) = timeout(self.limit, statement).await else {
            return Err(Failure::Late(format!(
                "The database did not respond in {:?}. If it has a synchronous standby, check that it is connected.",
                self.limit
            )));
        };
        self.pending.fetch_sub(1, Relaxed);
        Ok(result?)
    }

    pub(crate) async fn query<S: ToStatement + ?Sized + Sync>(
        &self,
        text: &S,
        params: Params<'_>,
    ) -> Result<Vec<Row>, Failure> {
        self.within((**self).query(text, params)).await
    }

    pub(crate) async fn query_opt<S: ToStatement + ?Sized + Sync>(
        &self,
        text: &S,
        params: Params<'_>,
    ) -> Result<Option<Row>, Failure> {
        self.within((**self).query_opt(text, params)).await
    }

    pub(crate) async fn query_one<S: ToStatement + ?Sized + Sync>(
        &self,
        text: &S,
        params: Params<'_>,
    ) -> Result<Row, Failure> {
        self.within((**self).query_one(text, params)).await
    }

    pub(crate) async fn execute<S: ToStatement + ?Sized + Sync>(
        &self,
        text: &S,
        params: Params<'_>,
    ) -> Result<u64, Failure> {
        self.within((**self).execute(text, params)).await
    }

    pub(crate) async fn batch_execute(&self, text: &str) -> Result<(), Failure> {
        self.within((**self).batch_execute(text)).await
    }

    pub(crate) async fn prepare_cached(&self, text: &str) -> Result<Statement, Failure> {
        self.within((**self).prepare_cached(text)).await
    }

    /// Closes the connection, when the database has responded.
    fn close(&mut self) {
        if let Some(object) = self.object.take() {
            self.release(object, |object| drop(Object::take(object)));
        }
    }

    /// Gives the connection away, when the database has responded.
    fn release(&self, object: Object, end: fn(Object)) {
        if self.pending.load(Relaxed) == 0 {
            return end(object);
        }
        self.runtime.spawn(async move {
            // Responses have the order of requests.
            let _ = object.simple_query("").await;
            end(object);
        });
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(object) = self.object.take() {
            self.release(object, drop);
        }
    }
}

#[expect(clippy::expect_used, reason = "only `close` and `drop` take the connection, as the last step")]
impl Deref for Client {
    type Target = Object;

    fn deref(&self) -> &Object {
        self.object.as_ref().expect("a connection")
    }
}

#[expect(clippy::expect_used, reason = "as above")]
impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Object {
        self.object.as_mut().expect("a connection")
    }
}

/// A connection with an open transaction. It is closed unless the transaction was completed.
pub(crate) struct Session(Option<Client>);

impl Session {
    pub(crate) const fn new(client: Client) -> Self {
        Self(Some(client))
    }

    /// Returns the connection to the pool, because its transaction was completed.
    pub(crate) fn finish(mut self) {
        drop(self.0.take());
    }
}

impl Deref for Session {
    type Target = Client;

    #[expect(clippy::expect_used, reason = "only `finish` takes the connection, and ends the session")]
    fn deref(&self) -> &Client {
        self.0.as_ref().expect("a connection")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(mut client) = self.0.take() {
            client.close();
        }
    }
}
