//! A bridge to tokio for callers on other executors.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::OnceLock,
    task::{Context, Poll},
};

use table_model::{Pending, Result, StorageFault};
use tokio::runtime::{Builder, Handle, Runtime};

use super::hidden::hidden;
use crate::redacted;

/// Wraps a future of this module so that any executor can poll it. Inside a tokio runtime, it uses that runtime;
/// elsewhere, it uses the timers and sockets of one background thread. Removes credentials from every error of the
/// client.
pub(super) fn driven<'a, T: 'a>(future: impl Future<Output = Result<T>> + Send + 'a) -> Pending<'a, T> {
    Box::pin(Driven(Box::pin(future)))
}

struct Driven<'a, T>(Pending<'a, T>);

impl<T> Future for Driven<'_, T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = if Handle::try_current().is_ok() {
            self.0.as_mut().poll(context)
        } else {
            match own() {
                Ok(runtime) => {
                    let _entered = runtime.enter();
                    self.0.as_mut().poll(context)
                }
                Err(error) => Poll::Ready(Err(error)),
            }
        };
        // Servers and the layers below repeat parts of the request, credentials included.
        polled.map_err(|error| hidden(error, redacted))
    }
}

/// The runtime of the client: one per process, created on first use.
fn own() -> Result<&'static Runtime> {
    static OWN: OnceLock<io::Result<Runtime>> = OnceLock::new();
    let made = OWN.get_or_init(|| {
        Builder::new_multi_thread().worker_threads(1).thread_name("tables-client").enable_all().build()
    });
    let failed = |error: &io::Error| {
        let what = format!("cannot start the client's thread: {error}");
        StorageFault::Bug { what }.into()
    };
    made.as_ref().map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn timers_go_without_a_runtime_and_within_one() {
        let wait = || {
            driven(async {
                tokio::time::sleep(Duration::from_millis(1)).await;
                Ok(7)
            })
        };
        // Without a runtime, the waiting thread polls only the future itself.
        let outside = std::thread::spawn(move || block_on(wait())).join().unwrap();
        assert_eq!(outside.unwrap(), 7);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(wait()).unwrap(), 7);
    }

    /// A minimal executor without tokio.
    fn block_on<F: Future + Unpin>(mut future: F) -> F::Output {
        struct Unpark(std::thread::Thread);
        impl std::task::Wake for Unpark {
            fn wake(self: std::sync::Arc<Self>) {
                self.0.unpark();
            }
        }
        let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(output) = Pin::new(&mut future).poll(&mut context) {
                return output;
            }
            std::thread::park();
        }
    }
}
