//! A process that writes is killed at random moments: all that it acknowledged is in the file.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    time::Instant,
};

use table_reliability::{Contents, Seed, seed::setting};
use table_store::{TableName, embedded::Store};

/// Rows of each write.
const ROWS: usize = 3;

#[test]
fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let (first, kills) = (setting("TABLE_SEED", 1), setting("TABLE_KILLS", 20));
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger.tables");
    let table = TableName::new("Ledger").expect("a name");
    let started = Instant::now();
    let (mut acknowledged, mut unacknowledged, mut next) = (0, 0, 0_u64);
    for number in first..first + kills {
        let mut seed = Seed::new(number);
        let mut child = Command::new(env!("CARGO_BIN_EXE_acknowledging_writer"))
            .arg(&path)
            .arg(next.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the writer starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut last = None;
        for _ in 0..=seed.below(60) {
            last = Some(lines.next().expect("the writer goes on").expect("a line"));
        }
        // Each time at another moment of the write at hand.
        (0..seed.below(150_000)).for_each(|_| std::hint::spin_loop());
        child.kill().expect("it is killed");
        // What it still had said before.
        last = lines.map_while(Result::ok).last().or(last);
        child.wait().expect("it is dead");
        let last: u64 = last.expect("one write").parse().expect("a number");

        let store = Store::open(&path).unwrap_or_else(|error| panic!("kill {number}: {error}")).blocking();
        let contents = Contents::of(&store).unwrap_or_else(|error| panic!("kill {number}: {error}"));
        let mut writes = BTreeMap::<u64, usize>::new();
        for (partition, _) in contents.rows(&table).expect("the table").keys() {
            *writes.entry(partition.parse().expect("a number")).or_default() += 1;
        }
        for number in 0..=last {
            assert_eq!(
                writes.get(&number),
                Some(&ROWS),
                "kill {number}: write {number} of {last} acknowledged"
            );
        }
        assert!(writes.values().all(|rows| *rows == ROWS), "kill {number}: a transaction is there in part");
        let found = writes.len() as u64;
        assert!(found <= last + 2, "kill {number}: {found} writes, the last acknowledged one is {last}");
        store.close().expect("it closes");
        acknowledged += last + 1 - next;
        unacknowledged += found - (last + 1);
        next = found;
    }
    println!(
        "seeds {first}.., {kills} kills, {acknowledged} acknowledged writes, 0 lost, {unacknowledged} more found whole, \
         {:.1} s",
        started.elapsed().as_secs_f64()
    );
}
