//! The tokio runtime of the connections. Futures can be polled by any executor.

use std::{future::poll_fn, sync::OnceLock};

use table_model::{Pending, Result, TableError};
use tokio::runtime::{Builder, Handle, Runtime};

/// Returns the runtime of the caller, or one that belongs to this process.
pub(crate) fn handle() -> Result<Handle> {
    static OWN: OnceLock<Runtime> = OnceLock::new();
    if let Ok(current) = Handle::try_current() {
        return Ok(current);
    }
    if let Some(own) = OWN.get() {
        return Ok(own.handle().clone());
    }
    let built =
        Builder::new_multi_thread().worker_threads(1).thread_name("table-postgres").enable_all().build();
    let built =
        built.map_err(|error| TableError::not_connected(format!("cannot start a thread: {error}")))?;
    Ok(OWN.get_or_init(|| built).handle().clone())
}

/// Polls a future in a runtime.
pub(crate) fn within<'a, T: 'a>(handle: &'a Handle, mut future: Pending<'a, T>) -> Pending<'a, T> {
    Box::pin(poll_fn(move |context| {
        let _entered = handle.enter();
        future.as_mut().poll(context)
    }))
}
