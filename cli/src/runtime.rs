use std::io;

use crate::error::CommandError;

/// Runs what a command does, on a runtime of its own: commands are synchronous outside.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CommandError>>) -> Result<T, CommandError> {
    let runtime: io::Result<_> = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(CommandError::Runtime)?.block_on(work)
}
