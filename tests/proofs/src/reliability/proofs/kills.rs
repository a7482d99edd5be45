use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use table_store::{Store, TableName};

use crate::reliability::{
    Contents, Seed,
    proof::{Counts, Depth, Proof, Refutation},
    writer::{self, Acknowledged},
};

/// Number of times per case that the process is killed and restarted on the same file.
const KILLS: u64 = 4;
/// Maximum time for which relaxed writes may stay in memory.
const AT_MOST: Duration = Duration::from_millis(5);

/// A writing process is killed at random times. The system continues, so data written to the file exists.
#[derive(Debug)]
pub(super) struct Kills {
    prove: PathBuf,
    relaxed: bool,
}

impl Kills {
    pub(super) fn durable(prove: &Path) -> Self {
        Self { prove: prove.to_owned(), relaxed: false }
    }

    pub(super) fn relaxed(prove: &Path) -> Self {
        Self { prove: prove.to_owned(), relaxed: true }
    }

    /// Runs the process from the number `next` on, and kills it. Returns its output.
    fn kill(&self, path: &Path, next: u64, seed: &mut Seed) -> Result<Vec<Acknowledged>, Refutation> {
        let mut command = Command::new(&self.prove);
        command.arg("acknowledging-writer").arg(path).arg(next.to_string()).stdout(Stdio::piped());
        if self.relaxed {
            command.arg(AT_MOST.as_millis().to_string());
        }
        let mut child = command.spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("it says nothing")?).lines();
        let mut said = Vec::new();
        // Sometimes while it creates, opens or recovers the store, otherwise at a random point of a write.
        let (waits, spins) = match (seed.chance(1, 4), self.relaxed) {
            (true, _) => (0, 8_000_000),
            (false, true) => (1 + seed.below(1_500), 150_000),
            (false, false) => (1 + seed.below(60), 150_000),
        };
        for _ in 0..waits {
            said.push(lines.next().ok_or("the writer ended by itself")??);
        }
        (0..seed.below(spins)).for_each(|_| std::hint::spin_loop());
        child.kill()?;
        // The remaining output. The last line may be truncated and is then ignored.
        said.extend(lines.map_while(Result::ok));
        child.wait()?;
        Ok(said.iter().map_while(|line| Acknowledged::parse(line)).collect())
    }

    /// Returns the last write that must exist.
    ///
    /// With relaxed durability this is each write that was acknowledged more than `AT_MOST` before the request of a
    /// later acknowledged write: the later write cannot have been acknowledged before a sync. The times are from the
    /// clock of the process, so this is valid on a machine of any speed.
    fn guaranteed(&self, said: &[Acknowledged]) -> Option<u64> {
        let last = said.last()?;
        let holds = |write: &&Acknowledged| !self.relaxed || write.answered + AT_MOST < last.asked;
        said.iter().rfind(holds).map(|write| write.number)
    }
}

impl Proof for Kills {
    fn name(&self) -> &'static str {
        if self.relaxed { "kills-relaxed" } else { "kills" }
    }

    fn promise(&self) -> &'static str {
        if self.relaxed {
            "a killed process loses no relaxed write that was acknowledged longer ago than was allowed"
        } else {
            "a killed process loses nothing that it acknowledged"
        }
    }

    fn cases_with_every_change(&self) -> u64 {
        5
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let mut seed = Seed::new(seed);
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("ledger.tables");
        let table = TableName::new(writer::TABLE)?;
        let mut counts = Counts::default();
        let mut next = 0;
        for kill in 1..=KILLS {
            let said = self.kill(&path, next, &mut seed)?;
            let last = said.last().map_or(next, |write| write.number + 1);
            let held = self.guaranteed(&said).map_or(next, |number| number + 1);
            let found = inspect(&path, &table).map_err(|what| format!("kill {kill}: {what}"))?;
            if found < held || found > last + 1 {
                let what = format!("{held} must be there of {last} that were acknowledged");
                return Err(format!("kill {kill}: {found} writes are there, {what}").into());
            }
            counts += Counts::of([("kills", 1), ("acknowledged writes", last - next)]);
            if self.relaxed {
                counts += Counts::of([
                    ("of them that had to survive", held - next),
                    ("of the others lost", last.saturating_sub(found)),
                ]);
            }
            next = found;
        }
        Ok(counts)
    }
}

/// Returns the number of existing writes. They must be the first writes, each complete.
fn inspect(path: &Path, table: &TableName) -> Result<u64, Refutation> {
    let store = Store::open(path)?.blocking();
    let contents = Contents::of(&store)?;
    let mut writes = BTreeMap::<u64, usize>::new();
    for (partition, _) in contents.rows(table).into_iter().flatten().map(|(key, _)| key) {
        *writes.entry(partition.parse()?).or_default() += 1;
    }
    for (expected, (number, rows)) in (0..).zip(&writes) {
        if *number != expected || *rows != writer::ROWS.len() {
            return Err(format!("write {number} has {rows} rows, where write {expected} should be").into());
        }
    }
    store.close()?;
    Ok(writes.len() as u64)
}
