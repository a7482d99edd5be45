use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::block_in_place,
};

/// So many at a time; further ones wait. Each takes a thread, and a runtime does not have them without end.
static PLACES: Semaphore = Semaphore::const_new(64);

/// Does what may compute for seconds, such as a scan, so that other requests go on meanwhile: a store reads where its
/// future is polled, and a runtime has few threads.
///
/// On a runtime of one thread, and on none, there is nothing that could be moved away.
pub(crate) async fn aside<F: Future>(work: F) -> F::Output {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => {
            let _place = PLACES.acquire().await;
            block_in_place(|| runtime.block_on(work))
        }
        _ => work.await,
    }
}
