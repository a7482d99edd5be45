use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

/// A wait on any executor: a thread sleeps, then wakes the task. It is for waits that are rare, such as that for a
/// table's sweep.
#[derive(Debug)]
pub(super) struct Pause {
    length: Duration,
    state: Option<Arc<Mutex<State>>>,
}

#[derive(Debug)]
enum State {
    Waiting(Waker),
    Over,
}

impl Pause {
    pub(super) const fn new(length: Duration) -> Self {
        Self { length, state: None }
    }
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if let Some(state) = &self.state {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            return match &mut *state {
                State::Over => Poll::Ready(()),
                State::Waiting(waker) => {
                    waker.clone_from(context.waker());
                    Poll::Pending
                }
            };
        }
        let state = Arc::new(Mutex::new(State::Waiting(context.waker().clone())));
        let (length, shared) = (self.length, Arc::clone(&state));
        let sleeper = thread::Builder::new().name("table pause".to_owned()).spawn(move || {
            thread::sleep(length);
            let before =
                std::mem::replace(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner), State::Over);
            if let State::Waiting(waker) = before {
                waker.wake();
            }
        });
        // Without a thread to wait on there is no wait: what comes after is bounded by its own count.
        if sleeper.is_err() {
            return Poll::Ready(());
        }
        self.state = Some(state);
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_on_any_executor() {
        pollster::block_on(async {
            Pause::new(Duration::ZERO).await;
            Pause::new(Duration::from_millis(1)).await;
        });
    }
}
