use std::io;

use crate::{error::CommandError, location::Location, signals::Signals};

/// Runs the work of a command on a separate runtime: commands are synchronous.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CommandError>>) -> Result<T, CommandError> {
    let runtime: io::Result<_> = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(CommandError::Runtime)?.block_on(work)
}

/// Runs an operation on a store and closes it, also if a signal ends the work. Operations on a file run inline in the
/// poll, so they must yield regularly for a signal to be handled.
pub(crate) fn at<T>(
    place: Location,
    work: impl AsyncFnOnce(&Location) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        let done = tokio::select! {
            done = work(&place) => done,
            () = signals.ended() => Err(CommandError::Interrupted),
        };
        let closed = place.close().await;
        let done = done?;
        closed?;
        Ok(done)
    })
}
