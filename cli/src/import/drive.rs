//! The import itself: a separate thread reads windows of the file while others are written.

use std::{io::BufRead, thread};

use table_exchange::{Broken, Import, Place, Sent, Window, Windows};
use tokio::sync::mpsc;

use super::{counts::Counts, state::State};
use crate::{error::CommandError, progress::Progress, signals::Signals, text::plain};

/// An import in progress.
pub(super) struct Drive<'d> {
    pub(super) import: Import<'d>,
    pub(super) progress: &'d Progress,
    pub(super) signals: Signals,
    pub(super) counts: Counts,
    /// The stored progress, if the input can be read again.
    pub(super) state: Option<State>,
    /// Maximum number of invalid or rejected lines; `None` for no limit.
    pub(super) allowed: Option<u64>,
}

/// The end of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All lines were read.
    Whole,
    /// The number of invalid or rejected lines exceeds the limit.
    Stopped,
    /// Ended by a signal.
    Interrupted,
}

/// Number of windows that are read ahead.
const AHEAD: usize = 1;

impl Drive<'_> {
    /// Writes windows from a position on.
    pub(super) async fn run<R: BufRead + Send + 'static>(
        &mut self,
        start: Place,
        mut windows: Windows<R>,
    ) -> Result<End, CommandError> {
        self.import.prepare().await?;
        if let Err(error) = self.keep(start) {
            // The directory of the input may not be writable.
            self.progress.note(format_args!("note: {error}; this import cannot be resumed"));
            self.state = None;
        }
        let (give, mut take) = mpsc::channel(AHEAD);
        thread::spawn(move || {
            // The receiver is closed when the import has ended.
            while windows.next().is_some_and(|window| give.blocking_send(window).is_ok()) {}
        });
        loop {
            let window = tokio::select! {
                biased;
                () = self.signals.ended() => return Ok(End::Interrupted),
                window = take.recv() => window,
            };
            let Some(window) = window.transpose()? else { break };
            let is_last = self.window(window).await?;
            if is_last {
                return Ok(End::Interrupted);
            }
            if self.allowed.is_some_and(|allowed| self.counts.wrong() > allowed) {
                return Ok(End::Stopped);
            }
        }
        if let Some(state) = &self.state {
            state.forget();
        }
        Ok(End::Whole)
    }

    /// Writes a window, and returns whether it is the last.
    async fn window(&mut self, mut window: Window) -> Result<bool, CommandError> {
        let (broken, end) = (std::mem::take(&mut window.broken), window.end);
        let mut writing = self.import.send(window);
        let mut is_last = false;
        let sent = loop {
            tokio::select! {
                sent = &mut writing => break sent?,
                () = self.signals.ended() => {
                    if is_last {
                        return Ok(true);
                    }
                    is_last = true;
                    self.progress.note("completing pending writes; interrupt again to stop immediately");
                }
            }
        };
        self.counts.add(broken.len(), &sent);
        self.tell(&broken, &sent);
        self.progress.at(end.offset);
        self.progress.count(self.counts.entities, "entities");
        self.keep(end)?;
        Ok(is_last)
    }

    /// Reports the lines that were not written, in order.
    fn tell(&self, broken: &[Broken], sent: &Sent) {
        let broken = broken.iter().map(|broken| (broken.line, broken.to_string()));
        let refused = sent.refused.iter().map(|refused| (refused.line, refused.to_string()));
        let mut lines: Vec<_> = broken.chain(refused).collect();
        lines.sort();
        for (_, line) in lines {
            self.progress.note(plain(&line));
        }
    }

    fn keep(&mut self, place: Place) -> Result<(), CommandError> {
        self.state.as_mut().map_or(Ok(()), |state| state.keep(place, self.counts))
    }
}
