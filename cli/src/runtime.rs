use std::io;

use crate::{error::CommandError, place::Place, signals::Signals};

/// Runs what a command does, on a runtime of its own: commands are synchronous outside.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CommandError>>) -> Result<T, CommandError> {
    let runtime: io::Result<_> = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(CommandError::Runtime)?.block_on(work)
}

/// Does something at a place and closes it, also when a signal ends the work. Work on a file is done where it is polled,
/// so it gives way now and then, or no signal is seen.
pub(crate) fn at<T>(
    place: Place,
    work: impl AsyncFnOnce(&Place) -> Result<T, CommandError>,
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
