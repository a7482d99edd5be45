//! Verification of all pages of an open store, in the background.

#[cfg(test)]
mod tests;

use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use table_model::Timestamp;

use crate::{
    Clock,
    engine::{PageScrub, ScrubStep},
    spans,
};

/// Rate and interval of a background scrub, see [`OpenOptions::background_scrub`](crate::OpenOptions::background_scrub).
///
/// ```
/// use std::time::Duration;
/// use table_store::{BackgroundScrub, OpenOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("company.tables");
/// let scrub = BackgroundScrub::new(1 << 20).interval(Duration::from_secs(24 * 60 * 60));
/// let store = OpenOptions::new().background_scrub(scrub).open(&path)?;
/// if let Some(pass) = store.stats().background_scrub.and_then(|scrub| scrub.last) {
///     println!("{}: {} pages, {} damaged", pass.ended, pass.pages, pass.damaged);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackgroundScrub {
    bytes_per_second: u64,
    interval: Duration,
}

impl BackgroundScrub {
    /// Reads at most `bytes_per_second` bytes per second, at least one. A pass starts when the store is opened, and a
    /// week after the end of each pass.
    #[must_use]
    pub fn new(bytes_per_second: u64) -> Self {
        Self { bytes_per_second: bytes_per_second.max(1), interval: Duration::from_secs(7 * 24 * 60 * 60) }
    }

    /// Sets the time between the end of a pass and the start of the next one.
    #[must_use]
    pub fn interval(mut self, interval: Duration) -> Self {
        self.interval = interval;
        self
    }

    /// Returns the pause after a step. The time of the step itself is not deducted, so the rate is never exceeded.
    fn pause(&self, step: &ScrubStep) -> Duration {
        // A step without a page must not be repeated continuously.
        let nanos = u128::from(step.bytes.max(4096)) * 1_000_000_000 / u128::from(self.bytes_per_second);
        let paced = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
        if step.ended { paced.saturating_add(self.interval) } else { paced }
    }
}

/// Progress of a background scrub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScrubProgress {
    /// Number of pages that the current pass has verified.
    pub pages: u64,
    /// The last complete pass since the store was opened.
    pub last: Option<ScrubPass>,
}

/// A complete pass of a background scrub over all pages in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScrubPass {
    /// Time of the end.
    pub ended: Timestamp,
    /// Number of verified pages of 4 KiB, including those with checksums.
    pub pages: u64,
    /// Number of damaged pages that were known at the end, as in
    /// [`StoreStats::damaged_pages`](crate::StoreStats::damaged_pages).
    pub damaged: usize,
    /// Number of pages that the disk could not read. This may be temporary, so it does not stop writes.
    pub unreadable: u64,
}

impl ScrubProgress {
    fn note(&mut self, step: &ScrubStep, unreadable: &mut u64, clock: &dyn Clock) {
        self.pages += step.pages;
        *unreadable += step.unreadable;
        if step.ended {
            let (pages, unreadable) = (std::mem::take(&mut self.pages), std::mem::take(unreadable));
            self.last = Some(ScrubPass { ended: clock.now(), pages, damaged: step.damaged, unreadable });
        }
    }
}

/// The thread of a background scrub. Dropping it ends the thread.
#[derive(Debug)]
pub(crate) struct Scrubber {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    stopped: Condvar,
}

#[derive(Debug, Default)]
struct State {
    progress: ScrubProgress,
    stopped: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn progress(&self) -> ScrubProgress {
        self.state().progress
    }

    /// Verifies pages until `pause` returns `false`.
    fn run(
        &self,
        settings: BackgroundScrub,
        scrub: &mut dyn PageScrub,
        clock: &dyn Clock,
        pause: &mut dyn FnMut(Duration) -> bool,
    ) {
        let (mut unreadable, mut pass) = (0, None);
        loop {
            let span = pass.get_or_insert_with(spans::scrub);
            let step = span.in_scope(|| scrub.step());
            self.state().progress.note(&step, &mut unreadable, clock);
            if let (true, Some(last)) = (step.ended, self.progress().last) {
                span.record("tables.pages", last.pages);
                span.record("tables.unreadable", last.unreadable);
                span.record("tables.damaged", last.damaged);
                pass = None;
            }
            if !pause(settings.pause(&step)) {
                return;
            }
        }
    }

    /// Waits. Returns `false` if the scrub was stopped.
    fn pause(&self, time: Duration) -> bool {
        let waited = self.stopped.wait_timeout_while(self.state(), time, |state| !state.stopped);
        !waited.unwrap_or_else(PoisonError::into_inner).0.stopped
    }
}

impl Scrubber {
    pub(crate) fn start(
        settings: BackgroundScrub,
        mut scrub: Box<dyn PageScrub>,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let running = Arc::clone(&shared);
        let run = move || running.run(settings, &mut *scrub, &*clock, &mut |time| running.pause(time));
        let thread = thread::Builder::new().name("table-store-scrub".to_owned()).spawn(run)?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn progress(&self) -> ScrubProgress {
        self.shared.progress()
    }

    /// Ends the thread after its current step.
    pub(crate) fn stop(&self) {
        self.shared.state().stopped = true;
        self.shared.stopped.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The panic hook has reported a panic.
            let _ = thread.join();
        }
    }
}

impl Drop for Scrubber {
    fn drop(&mut self) {
        self.stop();
    }
}
