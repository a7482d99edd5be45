use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use crate::reliability::{
    proof::{Counts, Depth, Proof, Refutation},
    rot::{Fate, Specimen},
};

/// A closed file with random damage, verified when it is opened.
#[derive(Debug, Default)]
pub(super) struct Verified {
    specimen: OnceLock<Specimen>,
}

impl Verified {
    fn specimen(&self) -> Result<&Specimen, Refutation> {
        if self.specimen.get().is_none() {
            let made = Specimen::new(true)?;
            return Ok(self.specimen.get_or_init(|| made));
        }
        self.specimen.get().ok_or_else(|| "no specimen".into())
    }
}

impl Proof for Verified {
    fn name(&self) -> &'static str {
        "rot"
    }

    fn promise(&self) -> &'static str {
        "a decayed file that is verified at opening is refused, or right and whole; a scrub finds all that matters"
    }

    fn cases_with_every_change(&self) -> u64 {
        300
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let fate = self.specimen()?.decay(seed)?;
        if fate == Fate::Hidden {
            return Err("something is missing without a report".into());
        }
        Ok(counts(fate))
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        noticed(counts, "refused")
    }
}

/// Number of files per case of [`Unverified`].
const FILES: u64 = 50;

/// The same without verification. Damage to the pages between can then hide rows, as the documentation of
/// `verify_up_to` states, and for some of it the engine ends the process when it writes. A child process therefore
/// opens the files.
#[derive(Debug)]
pub(super) struct Unverified {
    prove: PathBuf,
}

impl Unverified {
    pub(super) fn new(prove: &Path) -> Self {
        Self { prove: prove.to_owned() }
    }
}

impl Proof for Unverified {
    fn name(&self) -> &'static str {
        "rot-unverified"
    }

    fn promise(&self) -> &'static str {
        "a decayed file that is not verified gives no wrong data; a scrub finds all that matters"
    }

    fn cases_with_every_change(&self) -> u64 {
        6
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let mut all = Counts::default();
        let first = seed.wrapping_mul(FILES);
        let mut done = 0;
        while done < FILES {
            let (from, count) = (first.wrapping_add(done), FILES - done);
            let mut command = Command::new(&self.prove);
            command.args(["decayed-files", &from.to_string(), &count.to_string()]);
            let output = command.stderr(Stdio::null()).output()?;
            for line in String::from_utf8(output.stdout)?.lines() {
                done += 1;
                all += counts(line.parse()?);
            }
            // On other systems an abort has an exit code too.
            if cfg!(unix) && output.status.code().is_some_and(|code| code != 0) {
                return Err(format!("the other process ended with {}", output.status).into());
            }
            if !output.status.success() {
                done += 1;
                all += Counts::of([("files", 1), ("where a write ended the process", 1)]);
            }
        }
        Ok(all)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        noticed(counts, "reported by a read")
    }
}

fn counts(fate: Fate) -> Counts {
    let is = |other| u64::from(fate == other);
    Counts::of([
        ("files", 1),
        ("refused", is(Fate::Refused)),
        ("reported by a read", is(Fate::Reported)),
        ("harmless", is(Fate::Harmless)),
        ("with something missing", is(Fate::Hidden)),
    ])
}

/// A few files may all be undamaged by chance.
fn noticed(counts: &Counts, how: &str) -> Result<(), Refutation> {
    if counts.get(how) > 0 || counts.get("files") < 100 {
        Ok(())
    } else {
        Err("no damage was noticed".into())
    }
}
