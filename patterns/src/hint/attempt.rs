//! The hint that a commit relies on.

use std::time::Duration;

use table_store::{ErrorCode, TableError};

use super::{
    Clock, Cover, Hint, HintReceipt,
    recent::{Advice, Note},
};
use crate::{Error, Receipt, Tables};

/// How long a hint is invisible whose commit the writer follows itself.
pub(crate) const MEANWHILE: Duration = Duration::from_secs(10);
/// How often a hint is put whose put took so long that nothing may rely on it.
const PUTS: u32 = 3;

/// What says where to look, should the writer go no further.
#[derive(Clone, Debug, Default)]
pub(crate) enum Relied {
    /// Nothing has to: the store lists commit records.
    #[default]
    Needless,
    /// A hint of this commit alone.
    Own(HintReceipt),
    /// A hint of several commits.
    Shared(Cover),
}

impl Relied {
    /// See [`Cover::covers`].
    fn covers(&self, clock: &Clock) -> bool {
        match self {
            Self::Needless => false,
            Self::Own(hint) => hint.covers(clock),
            Self::Shared(cover) => cover.covers(clock),
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
    /// same write relied on: that will do for as long as an attempt that begins now is over before its deadline.
    pub(crate) async fn rely(
        &self,
        before: Relied,
        entity: &str,
        attempt: &Receipt,
    ) -> Result<Relied, Error> {
        if self.service().capabilities().marks {
            return Ok(Relied::Needless);
        }
        self.check_hints(entity)?;
        let mut relied = before;
        for _ in 0..PUTS {
            // Asked after the put: the answer may have come late.
            if relied.covers(self.clock()) {
                return Ok(relied);
            }
            relied.take_back(self).await;
            relied = self.relied(entity, attempt).await?;
        }
        if relied.covers(self.clock()) { Ok(relied) } else { Err(too_slow()) }
    }

    async fn relied(&self, entity: &str, attempt: &Receipt) -> Result<Relied, Error> {
        let hint = Hint::of(entity, attempt, self.now());
        if self.leaves_to_workers() {
            return Ok(Relied::Own(self.put_hint(&hint, Duration::ZERO).await?));
        }
        match self.recent().advise(attempt, self.clock()) {
            Advice::Rely(cover) => Ok(Relied::Shared(cover)),
            Advice::Own => {
                let put = self.put_hint(&hint, MEANWHILE).await?;
                self.recent().note(attempt, self.clock(), Note::Once(put.cover.put));
                Ok(Relied::Own(put))
            }
            Advice::Share => {
                let cover = self.put_hint(&Hint { token: None, ..hint }, MEANWHILE).await?.cover;
                // Only now: nobody relies on what may not be there.
                self.recent().note(attempt, self.clock(), Note::Shared(cover));
                Ok(Relied::Shared(cover))
            }
        }
    }
}

fn too_slow() -> Error {
    let message = "The queue service takes a minute and more to put a message; nothing was written.";
    TableError::with_message(ErrorCode::OperationTimedOut, message).into()
}
