use std::sync::OnceLock;

use crate::{
    Seed,
    proof::{Counts, Depth, Proof, Refutation},
    rot::{Fate, Rot, Specimen},
};

/// A closed file of which something changes by itself.
#[derive(Debug)]
pub(super) struct Decay {
    name: &'static str,
    promise: &'static str,
    verified: bool,
    specimen: OnceLock<Specimen>,
}

impl Decay {
    pub(super) fn verified() -> Self {
        Self {
            name: "rot",
            promise: "a decayed file that is verified at opening is refused, or right and whole; a scrub finds all that matters",
            verified: true,
            specimen: OnceLock::new(),
        }
    }

    /// Without verification damage to the pages between can hide rows, as the documentation of `verify_up_to` says.
    pub(super) fn unverified() -> Self {
        Self {
            name: "rot-unverified",
            promise: "a decayed file that is not verified gives no wrong data; a scrub finds all that matters",
            verified: false,
            specimen: OnceLock::new(),
        }
    }

    fn specimen(&self) -> Result<&Specimen, Refutation> {
        if self.specimen.get().is_none() {
            let made = Specimen::new(self.verified)?;
            return Ok(self.specimen.get_or_init(|| made));
        }
        self.specimen.get().ok_or_else(|| "no specimen".into())
    }
}

impl Proof for Decay {
    fn name(&self) -> &'static str {
        self.name
    }

    fn promise(&self) -> &'static str {
        self.promise
    }

    fn cases_with_every_change(&self) -> u64 {
        300
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let specimen = self.specimen()?;
        let rot = Rot::of(&mut Seed::new(seed), specimen.size());
        let fate = specimen.suffer(rot).map_err(|violation| format!("{rot:?}: {violation}"))?;
        if self.verified && fate == Fate::Hidden {
            return Err(format!("{rot:?}: something is missing without a report").into());
        }
        let is = |other| u64::from(fate == other);
        Ok(Counts::of([
            ("files", 1),
            ("refused", is(Fate::Refused)),
            ("reported by a read", is(Fate::Reported)),
            ("harmless", is(Fate::Harmless)),
            ("with something missing", is(Fate::Hidden)),
        ]))
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let noticed = counts.get(if self.verified { "refused" } else { "reported by a read" });
        // A handful of files may all be lucky.
        if noticed > 0 || counts.get("files") < 100 { Ok(()) } else { Err("no damage was noticed".into()) }
    }
}
