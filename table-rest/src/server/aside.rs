use std::{sync::LazyLock, thread::available_parallelism};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::block_in_place,
};

/// So many at a time; further ones wait. Each takes a thread, and with it the memory that the system's allocator keeps for
/// one; more than the processors can do at once only makes all of them later.
static PLACES: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(4.max(2 * available_parallelism().map_or(1, usize::from))));

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

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    /// One thread, on which one task holds out for what another does.
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
