//! The wake-up message that a commit relies on.

use std::time::Duration;

use table_model::{ErrorCode, TableError};

use super::{Hint, HintReceipt};
use crate::{
    Error, Receipt, Tables, TaskError,
    handle::{
        clock::{Clock, Cover},
        recent::{Advice, Note},
    },
};

/// Time for which a wake-up message is invisible while the writer applies the commit.
pub(crate) const MEANWHILE: Duration = Duration::from_secs(10);
/// Maximum number of attempts to put a wake-up message, if the requests take too long.
const PUTS: u32 = 3;

/// Guarantee that workers find the commit if the writer stops.
#[derive(Clone, Debug, Default)]
pub(crate) enum WakeupGuard {
    /// None required, because the store lists commit records.
    #[default]
    Needless,
    /// Wake-up messages for this commit only, at least one.
    Own(Vec<HintReceipt>),
    /// A wake-up message shared by several commits.
    Shared(Cover),
}

impl WakeupGuard {
    /// See [`Cover::covers`].
    fn covers(&self, clock: &Clock) -> bool {
        match self {
            Self::Needless => false,
            Self::Own(hints) => !hints.is_empty() && hints.iter().all(|hint| hint.covers(clock)),
            Self::Shared(cover) => cover.covers(clock),
        }
    }

    /// Deletes a wake-up message that is no longer required, because the commit was rejected or applied. A failure is
    /// harmless: a worker then finds nothing to do.
    pub(crate) async fn take_back(self, tables: &Tables) {
        if let Self::Own(hints) = self {
            for hint in &hints {
                drop(tables.drop_hint(hint).await);
            }
        }
    }
}

impl Tables {
    /// Ensures that workers can find a commit record that is about to be written. `before` is the guarantee of an
    /// earlier attempt of the same write. It is reused if an attempt that starts now ends before its deadline.
    pub(crate) async fn rely(
        &self,
        before: WakeupGuard,
        entity: &str,
        attempt: &Receipt,
    ) -> Result<WakeupGuard, Error> {
        if self.service().capabilities().marks {
            return Ok(WakeupGuard::Needless);
        }
        self.check_hints(entity)?;
        let mut relied = before;
        for _ in 0..PUTS {
            // Checked after the put, because its response may have been late.
            if relied.covers(self.clock()) {
                return Ok(relied);
            }
            relied.take_back(self).await;
            relied = self.relied(entity, attempt).await?;
        }
        if relied.covers(self.clock()) { Ok(relied) } else { Err(too_slow()) }
    }

    /// Puts the wake-up messages of an attempt: one, or several if its work does not fit into one message. If one cannot
    /// be put, the others are deleted.
    ///
    /// # Errors
    /// Returns the errors of [`Self::put_hint`].
    pub(crate) async fn put_hints(&self, hint: Hint, hidden: Duration) -> Result<Vec<HintReceipt>, Error> {
        let mut put = Vec::with_capacity(1);
        for part in hint.parts().map_err(|reason| TaskError::args("Hint", &reason))? {
            match self.put_hint(&part, hidden).await {
                Ok(receipt) => put.push(receipt),
                Err(error) => {
                    WakeupGuard::Own(put).take_back(self).await;
                    return Err(error);
                }
            }
        }
        Ok(put)
    }

    async fn relied(&self, entity: &str, attempt: &Receipt) -> Result<WakeupGuard, Error> {
        let hint = Hint::of(entity, attempt, self.now());
        if self.leaves_to_workers() {
            return Ok(WakeupGuard::Own(vec![self.put_hint(&hint, Duration::ZERO).await?]));
        }
        match self.recent().advise(attempt, self.clock()) {
            Advice::Rely(cover) => Ok(WakeupGuard::Shared(cover)),
            Advice::Own => {
                let put = self.put_hint(&hint, MEANWHILE).await?;
                self.recent().note(attempt, self.clock(), Note::Once(put.cover.put));
                Ok(WakeupGuard::Own(vec![put]))
            }
            Advice::Share => {
                let cover = self.put_hint(&Hint { token: None, ..hint }, MEANWHILE).await?.cover;
                // Recorded only now, because other commits must not rely on a message that may not exist.
                self.recent().note(attempt, self.clock(), Note::Shared(cover));
                Ok(WakeupGuard::Shared(cover))
            }
        }
    }
}

fn too_slow() -> Error {
    let message = "The queue service did not accept a message within a minute. Nothing was written.";
    TableError::with_message(ErrorCode::OperationTimedOut, message).into()
}
