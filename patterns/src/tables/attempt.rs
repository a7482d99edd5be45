use table_model::{TableError, TableName, Written as Answer};

use crate::{
    Error,
    apply::wakeup::{About, Hint, WakeupGuard, age::Age},
    core::error::OutcomeUnknownError,
    handle::{Tables, clock::MAX_REQUEST_AGE},
    pattern::unique::{
        self,
        reserve::{Reserved, reserve},
    },
    write::{
        Sending, Write,
        regulate::Lease,
        write_outcome::{Attempt, Outcome},
    },
};

/// Maximum number of times that operations are sent again after their responses were lost.
const RESENT: u32 = 8;

/// Result of sending operations.
#[derive(Debug)]
pub(super) enum Tried {
    /// The operations were executed. Contains one response for each.
    Done(Vec<Answer>),
    /// The operations were not executed and will not be.
    Refused(TableError),
    /// Not executed, because an abort record has taken the place of the commit record. Another attempt is possible.
    Aborted,
    /// Not executed, because the cached state of the indexes may be out of date.
    Stale,
}

impl Tables {
    /// Makes one attempt at a transaction: puts the wake-up message, reserves the required rows, and sends the
    /// operations. `relied` is the wake-up message of the previous attempt on entry and of this attempt on return, if
    /// it may be deleted. `is_hinted` is `true` if the commit already has another wake-up message.
    pub(super) async fn attempt(
        &self,
        table: &TableName,
        batch: &Sending,
        (relied, is_hinted): (&mut WakeupGuard, bool),
        lease: &Lease,
    ) -> Result<Tried, Error> {
        let age = Age::of_attempt(self);
        let Some((entity, attempt)) = batch.attempt() else {
            return self.try_once(table, batch, age, lease).await;
        };
        let claims = unique::claims(batch);
        if claims.is_empty() && is_hinted {
            return self.try_once(table, batch, age, lease).await;
        }
        if claims.is_empty() {
            *relied = self.rely(std::mem::take(relied), entity, attempt).await?;
            return self.try_once(table, batch, Age::of_attempt(self), lease).await;
        }
        // The previous attempt left nothing behind.
        std::mem::take(relied).take_back(self).await;
        let about = claims.iter().map(|(_, claim)| About::Claim(claim.hint())).collect();
        let hint = Hint::of(entity, attempt, self.now()).about(about);
        *relied = WakeupGuard::Own(self.put_hints(hint, MAX_REQUEST_AGE / 2).await?);
        let mut reserved = Reserved::NOTHING;
        let tried = match reserve(self, &claims, attempt, age, &mut reserved).await {
            Ok(true) => self.try_once(table, batch, age, lease).await,
            Ok(false) => Ok(Tried::Aborted),
            Err(error) => Err(error),
        };
        if matches!(tried, Ok(Tried::Aborted | Tried::Stale | Tried::Refused(_))) {
            reserved.free(self).await;
        }
        if !reserved.is_sure {
            // A request of this attempt may still take effect later, so the wake-up message remains until its deadline.
            *relied = WakeupGuard::default();
        }
        tried
    }

    /// Sends a transaction, and determines its outcome if no response arrives.
    async fn try_once(
        &self,
        table: &TableName,
        batch: &Sending,
        age: Age,
        lease: &Lease,
    ) -> Result<Tried, Error> {
        if !age.may_send(self) {
            return Ok(Tried::Aborted);
        }
        if lease.is_over() {
            return Ok(Tried::Stale);
        }
        match self.transact_or_create(table, batch.operations()).await {
            Ok(answers) => Ok(Tried::Done(answers)),
            Err(error) if error.is_outcome_unknown() => {
                let sent = self.find_out(batch.sent(table), error, Some(age)).await?;
                Ok(aborted_or(batch, sent))
            }
            Err(error) => Ok(aborted_or(batch, Tried::Refused(error))),
        }
    }

    /// Determines the outcome of a write that was sent alone.
    pub(super) async fn find_out_one(&self, write: &Write, error: TableError) -> Result<Answer, Error> {
        let operations = std::slice::from_ref(&write.operation);
        let attempt = Attempt { table: &write.table, operations, receipt: None, proof: None };
        match self.find_out(attempt, error.clone(), None).await? {
            Tried::Done(answers) => answers.into_iter().next().ok_or_else(|| unknown(attempt, error)),
            Tried::Refused(error) => Err(error.into()),
            Tried::Aborted | Tried::Stale => Err(unknown(attempt, error)),
        }
    }

    /// Determines the outcome of an attempt whose response was lost. Sends it again if that is safe.
    async fn find_out(
        &self,
        attempt: Attempt<'_>,
        mut error: TableError,
        transaction: Option<Age>,
    ) -> Result<Tried, Error> {
        let (age, is_alone) = (transaction.unwrap_or_else(|| Age::of_attempt(self)), transaction.is_none());
        for _ in 0..RESENT {
            match attempt.outcome(self).await {
                Ok(Outcome::Done(answers)) => return Ok(Tried::Done(answers)),
                Ok(Outcome::Never) => return Ok(Tried::Aborted),
                Ok(Outcome::Unknown) | Err(_) => return Err(unknown(attempt, error)),
                Ok(Outcome::Open) => {}
            }
            if !age.may_send(self) {
                break;
            }
            match self.resend(attempt, is_alone).await {
                Ok(answers) => return Ok(Tried::Done(answers)),
                Err(lost) if lost.is_outcome_unknown() => error = lost,
                // An earlier copy of the request may have been executed or may still be.
                Err(refused) => {
                    return match attempt.end(self).await {
                        Ok(Outcome::Done(answers)) => Ok(Tried::Done(answers)),
                        Ok(Outcome::Never) => Ok(Tried::Refused(refused)),
                        _ => Err(unknown(attempt, error)),
                    };
                }
            }
        }
        match attempt.end(self).await {
            Ok(Outcome::Done(answers)) => Ok(Tried::Done(answers)),
            Ok(Outcome::Never) => Ok(Tried::Aborted),
            _ => Err(unknown(attempt, error)),
        }
    }

    async fn resend(&self, attempt: Attempt<'_>, is_alone: bool) -> Result<Vec<Answer>, TableError> {
        match attempt.operations {
            [operation] if is_alone => {
                self.service().execute(attempt.table, operation).await.map(|answer| vec![answer])
            }
            operations => self.service().transact(attempt.table, operations).await,
        }
    }
}

/// Maps a rejection to the result of the attempt.
fn aborted_or(batch: &Sending, sent: Tried) -> Tried {
    match sent {
        Tried::Refused(error) if batch.is_aborted(&error) => Tried::Aborted,
        other => other,
    }
}

fn unknown(attempt: Attempt<'_>, error: TableError) -> Error {
    let token = attempt.token().map(str::to_owned);
    Box::new(OutcomeUnknownError { address: attempt.first(), token, error: error.without_index() }).into()
}
