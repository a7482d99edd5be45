use std::{sync::LazyLock, thread::available_parallelism};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::block_in_place,
};

/// Maximum number of concurrent tasks; further tasks wait. Each task uses a thread and the memory that the allocator
/// keeps per thread. More tasks than processors would only delay all of them.
static PLACES: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(4.max(2 * available_parallelism().map_or(1, usize::from))));

/// Runs work that may compute for seconds, such as a scan, without blocking other requests. A store reads while its
/// future is polled, and a runtime has few threads.
///
/// Without a multi-threaded runtime, the work runs in place.
pub(crate) async fn aside<F: Future>(work: F) -> F::Output {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => {
            let _place = PLACES.acquire().await;
            block_in_place(|| runtime.block_on(work))
        }
        _ => work.await,
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    /// Single worker thread: one task blocks until another makes progress.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn others_go_on_meanwhile() {
        let (tell, told) = mpsc::channel();
        let scan = tokio::spawn(aside(async move { told.recv_timeout(Duration::from_secs(30)) }));
        tokio::spawn(async move { tell.send(7) }).await.unwrap().unwrap();
        assert_eq!(scan.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn there_is_an_answer_on_any_runtime() {
        assert_eq!(aside(async { 7 }).await, 7);
    }
}
