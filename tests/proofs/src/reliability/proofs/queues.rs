use crate::reliability::{
    platter::Medium,
    proof::{Counts, Depth, Proof, Refutation},
    queues,
};

/// Power cuts at every step of a program of the queue service.
#[derive(Debug)]
pub(super) struct Queues;

impl Proof for Queues {
    fn name(&self) -> &'static str {
        "queues"
    }

    fn promise(&self) -> &'static str {
        "after a power cut what was put is there, what was deleted is not, and receipts are good"
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let medium = if seed.is_multiple_of(2) { Medium::Tearing } else { Medium::Garbling };
        Ok(queues::search(seed, medium, &mut Err)?)
    }
}

/// The same with ignored syncs: the search must find violations.
#[derive(Debug)]
pub(super) struct Unsynced;

impl Proof for Unsynced {
    fn name(&self) -> &'static str {
        "queues-canary"
    }

    fn promise(&self) -> &'static str {
        "on a disk that ignores syncs at least half of the crashes are found to harm queues"
    }

    fn cases_with_every_change(&self) -> u64 {
        1
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(queues::search(seed, Medium::Lying, &mut |_| Ok(()))?)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let points = counts.get("crashes") - counts.get("of them inside a recovery");
        let found = counts.get("with a promise broken");
        if found * 2 >= points { Ok(()) } else { Err(format!("{found} of {points} did harm").into()) }
    }
}
