//! The hint that a commit relies on.

use std::time::Duration;

use table_store::Timestamp;

use super::{
    Hint, HintReceipt, LANDS,
    recent::{Advice, Note},
};
use crate::{
    Error, Receipt, Tables,
    follow::canary::{Canary, is_broken},
};

/// How long a hint is invisible whose commit the writer follows itself.
const MEANWHILE: Duration = Duration::from_secs(10);

/// What says where to look, should the writer go no further.
#[derive(Clone, Debug, Default)]
pub(crate) enum Relied {
    /// Nothing has to: the store lists commit records.
    #[default]
    Needless,
    /// A hint of this commit alone.
    Own(HintReceipt),
    /// A hint of several commits, with this deadline.
    Shared(Timestamp),
}

impl Relied {
    /// Whether a commit that relies on it may still be sent.
    fn is_in_time(&self, tables: &Tables) -> bool {
        match self {
            Self::Needless => false,
            Self::Own(hint) => hint.is_in_time(tables),
            Self::Shared(until) => tables.now().saturating_add(LANDS / 2) <= *until,
        }
    }

    /// Takes back a hint that nobody needs any more: the commit was refused, or is followed. Where that fails, a worker
    /// finds nothing.
    pub(crate) async fn take_back(self, tables: &Tables) {
        if let Self::Own(hint) = self {
            drop(tables.drop_hint(&hint).await);
        }
    }
}

impl Tables {
    /// Sees to it that workers find a commit record that is about to be written. `before` is what an earlier try of the
    /// same write relied on: that will do, as long as it is in time.
    pub(crate) async fn rely(
        &self,
        before: Relied,
        entity: &str,
        attempt: &Receipt,
    ) -> Result<Relied, Error> {
        if self.service().capabilities().marks || is_broken(Canary::NoHint) {
            return Ok(Relied::Needless);
        }
        if before.is_in_time(self) {
            return Ok(before);
        }
        self.check_hints(entity)?;
        let now = self.now();
        let hint = Hint::of(entity, attempt, now);
        if self.leaves_to_workers() {
            return Ok(Relied::Own(self.put_hint(&hint, Duration::ZERO).await?));
        }
        match self.recent().advise(attempt, now) {
            Advice::Rely(until) => Ok(Relied::Shared(until)),
            Advice::Own => {
                let put = self.put_hint(&hint, MEANWHILE).await?;
                self.recent().note(attempt, now, Note::Once(now));
                Ok(Relied::Own(put))
            }
            Advice::Share => {
                let until = now.saturating_add(LANDS * 2);
                let token = hint.token.clone().filter(|_| is_broken(Canary::SharedDropAtOnce));
                self.put_hint(&Hint { token, until, ..hint }, MEANWHILE).await?;
                // Only now: nobody relies on what may not be there.
                self.recent().note(attempt, now, Note::Shared(until));
                Ok(Relied::Shared(until))
            }
        }
    }
}
