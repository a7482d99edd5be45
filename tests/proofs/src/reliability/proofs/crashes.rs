use table_store::Durability;

use crate::reliability::{
    Campaign,
    history::RELAXED,
    platter::Medium,
    program::Style,
    proof::{Counts, Depth, Proof, Refutation},
};

/// Power cuts at every step of a program.
#[derive(Debug)]
pub(super) struct Crashes {
    name: &'static str,
    promise: &'static str,
    campaign: Campaign,
}

const SINGLE: Campaign =
    Campaign { style: Style::Single, durability: Durability::Full, medium: Medium::Tearing };
const GROUPS: Campaign = Campaign { style: Style::Grouped, ..SINGLE };
const LOOSE: Campaign = Campaign { durability: RELAXED, ..SINGLE };

impl Crashes {
    pub(super) const SINGLE: Self = Self {
        name: "crashes",
        promise: "after a power cut nothing acknowledged is lost and nothing is half there",
        campaign: SINGLE,
    };
    pub(super) const GROUPS: Self = Self {
        name: "groups",
        promise: "requests that share a commit survive a power cut in their order",
        campaign: GROUPS,
    };
    pub(super) const RELAXED: Self = Self {
        name: "relaxed",
        promise: "relaxed writes are lost from the end only, and never after a flush",
        campaign: LOOSE,
    };
}

impl Proof for Crashes {
    fn name(&self) -> &'static str {
        self.name
    }

    fn promise(&self) -> &'static str {
        self.promise
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(self.campaign.search(seed, &mut Err)?)
    }
}

/// The same with garbage in sectors that were being written.
#[derive(Debug)]
pub(super) struct Garbage;

impl Proof for Garbage {
    fn name(&self) -> &'static str {
        "garbage"
    }

    fn promise(&self) -> &'static str {
        "the same where any sectors that were being written come back as garbage"
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let campaign = match seed % 3 {
            0 => SINGLE,
            1 => GROUPS,
            _ => LOOSE,
        };
        Ok(Campaign { medium: Medium::Garbling, ..campaign }.search(seed, &mut Err)?)
    }
}

/// The same with ignored syncs: the search must find violations; otherwise its other results prove nothing.
#[derive(Debug)]
pub(super) struct Canary;

impl Proof for Canary {
    fn name(&self) -> &'static str {
        "canary"
    }

    fn promise(&self) -> &'static str {
        "on a disk that ignores syncs at least half of the crashes are found to do harm"
    }

    fn cases_with_every_change(&self) -> u64 {
        2
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        Ok(Campaign { medium: Medium::Lying, ..SINGLE }.search(seed, &mut |_| Ok(()))?)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let points = counts.get("crashes") - counts.get("of them inside a recovery");
        let found = counts.get("with a promise broken");
        if found * 2 >= points { Ok(()) } else { Err(format!("{found} of {points} did harm").into()) }
    }
}
