//! Long work, outside of the threads of the runtime.

use std::{
    future::poll_fn,
    pin::pin,
    task::{Context, Poll},
};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::block_in_place,
};

use super::Share;

impl Share {
    /// Executes work that computes for a long time, such as a scan, in turns of the account. A store reads while its
    /// future is polled, and a runtime has few threads. Each poll is a turn; while the work waits, for example for a
    /// commit, it has none.
    ///
    /// Without a multi-threaded runtime, the work is executed in place.
    pub(in crate::server) async fn aside<F: Future>(&self, work: F) -> F::Output {
        self.in_turns(work, true).await
    }

    /// Executes work of less than a millisecond in turns of the account, on the threads of the runtime. The turns limit
    /// the number of these threads that it occupies; moving their other tasks to another thread would take longer.
    pub(in crate::server) async fn shortly<F: Future>(&self, work: F) -> F::Output {
        self.in_turns(work, false).await
    }

    async fn in_turns<F: Future>(&self, work: F, is_long: bool) -> F::Output {
        let mut work = pin!(work);
        loop {
            let turn = self.queues.turn(self.account).await;
            let polled = poll_fn(|context| {
                let mut poll = || work.as_mut().poll(context);
                Poll::Ready(if is_long { in_place(poll) } else { poll() })
            });
            let polled = polled.await;
            drop(turn);
            if let Poll::Ready(output) = polled {
                return output;
            }
            // The work wakes this task.
            let mut is_woken = false;
            poll_fn(
                |_: &mut Context<'_>| {
                    if std::mem::replace(&mut is_woken, true) { Poll::Ready(()) } else { Poll::Pending }
                },
            )
            .await;
        }
    }
}

/// Computes while another thread executes the other tasks of this thread.
fn in_place<T>(compute: impl FnOnce() -> T) -> T {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => block_in_place(compute),
        _ => compute(),
    }
}
