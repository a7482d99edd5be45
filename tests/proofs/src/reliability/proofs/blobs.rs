use crate::reliability::{
    blobs,
    platter::Medium,
    proof::{Counts, Depth, Proof, Refutation},
};

/// Power cuts at every step of a program of the blob service.
#[derive(Debug)]
pub(super) struct Blobs;

impl Proof for Blobs {
    fn name(&self) -> &'static str {
        "blobs"
    }

    fn promise(&self) -> &'static str {
        "after a power cut acknowledged contents are there whole, others not at all, and no chunk is nobody's"
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let medium = if seed.is_multiple_of(2) { Medium::Tearing } else { Medium::Garbling };
        Ok(blobs::search(seed, medium, &mut Err)?)
    }
}

/// The same with ignored syncs: the search must find violations.
#[derive(Debug)]
pub(super) struct Unsynced;

impl Proof for Unsynced {
    fn name(&self) -> &'static str {
        "blobs-canary"
    }

    fn promise(&self) -> &'static str {
        "on a disk that ignores syncs at least half of the crashes are found to harm blobs"
    }

    fn cases_with_every_change(&self) -> u64 {
        1
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(blobs::search(seed, Medium::Lying, &mut |_| Ok(()))?)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let points = counts.get("crashes") - counts.get("of them inside a recovery");
        let found = counts.get("with a promise broken");
        if found * 2 >= points { Ok(()) } else { Err(format!("{found} of {points} did harm").into()) }
    }
}
