//! Every kind of damage of every part of small kept logs. A restoration returns all commits or an error. Only damage that looks
//! like an incomplete last commit may be taken for one, and only if no mark follows this commit.

mod base;

use super::{super::reading::Reading, simulated_folder::SimulatedFolder, *};
use crate::{
    checksum,
    engine::{
        SECTOR_BYTES,
        logged_tests::{Dice, platter::Calls},
    },
};

type Files = BTreeMap<String, Vec<u8>>;

const LOG: LogId = [7; 16];

/// A log without a store, and what it contains.
struct Written {
    files: Files,
    base: Position,
    /// Position and changes of each commit.
    commits: Vec<(Position, Vec<u8>)>,
}

/// Creates a log with commits of these lengths.
fn written(lens: &[usize], confirmed: bool) -> Written {
    let mut dice = Dice(lens.len() as u64);
    let mut changes = |len: usize| (0..len).map(|_| u8::try_from(dice.roll(256)).unwrap()).collect();
    // A segment has at least 2 KiB in a log of several segments.
    let most_bytes = if lens == MANY { 8 << 10 } else { 64 << 10 };
    written_with(lens.iter().map(|len| changes(*len)).collect(), most_bytes, confirmed)
}

/// Creates a log with these changes of its commits.
fn written_with(all: Vec<Vec<u8>>, most_bytes: u64, confirmed: bool) -> Written {
    let folder = SimulatedFolder::new(Calls::default(), Files::new());
    let settings = KeepLog { most_bytes, ..KeepLog::in_folder("log") };
    let mut writer = Writer::create(&settings, Arc::new(folder.clone()), LOG, START).unwrap();
    let (base, mut commits) = (writer.last(), Vec::new());
    let count = all.len();
    for (changes, number) in all.into_iter().zip(1..) {
        let last = writer.append(writer.last(), START + number * SECOND, &changes).unwrap();
        if confirmed || commits.len() + 1 < count {
            writer.confirm(last);
        }
        commits.push((last, changes));
    }
    Written { files: folder.image(), base, commits }
}

impl Written {
    fn restore(&self, files: &Files, to: RestoreTo) -> Result<(Vec<Vec<u8>>, Restored), RestoreError> {
        let folder = SimulatedFolder::new(Calls::default(), files.clone());
        let log = Reading { folder: &folder, path: std::path::Path::new("log"), to };
        let mut found = Vec::new();
        let restored = log.apply(self.base, &mut |records| {
            found.extend(records.iter().map(|record| record.changes.to_vec()));
            Ok(())
        })?;
        Ok((found, restored))
    }

    /// Checks a damaged log. Returns whether the last commit was taken for an incomplete one.
    fn check(&self, files: &Files, what: &str) -> bool {
        let all: Vec<_> = self.commits.iter().map(|(_, changes)| changes.clone()).collect();
        match self.restore(files, RestoreTo::Latest) {
            Ok((found, restored)) if found == all => {
                assert_eq!(restored.commit, self.commits.len() as u64, "{what}");
                false
            }
            Ok((found, restored)) => {
                assert!(
                    found[..] == all[..all.len() - 1],
                    "{what}: {} of {} commits",
                    found.len(),
                    all.len()
                );
                assert!(matches!(restored.end, LogEnd::Incomplete | LogEnd::Unconfirmed), "{what}");
                true
            }
            Err(RestoreError::Gap { first, last, .. }) => {
                assert!(first <= last && last <= all.len() as u64, "{what}: {first} to {last}");
                // All commits before the gap can be restored, unless the first segment cannot be read.
                if first > 1 {
                    let (found, _) = self.restore(files, RestoreTo::Commit(first - 1)).expect(what);
                    assert!(found[..] == all[..found.len()] && found.len() as u64 == first - 1, "{what}");
                }
                false
            }
            Err(RestoreError::OtherLog { .. } | RestoreError::NoLog { .. }) => false,
            Err(error) => panic!("{what}: {error}"),
        }
    }

    /// Checks each change of each file. Returns the number of logs whose last commit was taken for an incomplete one.
    fn check_each(&self, mut change: impl FnMut(&str, &[u8], &mut dyn FnMut(Vec<u8>, String))) -> usize {
        let mut accepted = 0;
        for (name, content) in &self.files {
            change(name, content, &mut |changed, what| {
                if changed == *content {
                    return;
                }
                let mut files = self.files.clone();
                files.insert(name.clone(), changed);
                accepted += usize::from(self.check(&files, &format!("{name}: {what}")));
            });
        }
        accepted
    }

    /// Changes each bit before an offset, and every 16th bit after it.
    fn flips(&self, offset: usize) -> usize {
        self.check_each(|_, content, test| {
            let bits = content.len() * 8;
            let start = bits.min(offset * 8);
            for bit in (0..start).chain((start..bits).step_by(16)) {
                let mut changed = content.to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                test(changed, format!("bit {bit}"));
            }
        })
    }

    /// Replaces runs of up to `most` sectors.
    fn runs(&self, most: usize, kind: &str, mut fill: impl FnMut(&mut [u8])) -> usize {
        self.check_each(|_, content, test| {
            for start in (0..content.len()).step_by(SECTOR_BYTES) {
                for sectors in 1..=most {
                    let end = content.len().min(start + sectors * SECTOR_BYTES);
                    let mut changed = content.to_vec();
                    fill(&mut changed[start..end]);
                    test(changed, format!("{kind} from {start} to {end}"));
                }
            }
        })
    }

    fn exchanges(&self) -> usize {
        self.check_each(|_, content, test| {
            let sectors = content.len() / SECTOR_BYTES;
            for (one, other) in (0..sectors).flat_map(|one| (0..one).map(move |other| (one, other))) {
                for copied in [false, true] {
                    let mut changed = content.to_vec();
                    let from = other * SECTOR_BYTES..(other + 1) * SECTOR_BYTES;
                    changed.copy_within(from.clone(), one * SECTOR_BYTES);
                    if !copied {
                        changed[from].copy_from_slice(&content[one * SECTOR_BYTES..(one + 1) * SECTOR_BYTES]);
                    }
                    test(changed, format!("sectors {one} and {other}, copied: {copied}"));
                }
            }
        })
    }
}

const LENS: [usize; 6] = [40, 0, 700, 1_200, 30, 90];
/// The last commit has several sectors.
const LONG: [usize; 4] = [40, 700, 30, 1_500];
/// Two segments.
const MANY: [usize; 5] = [20, 600, 0, 550, 50];

#[test]
fn no_damage_of_a_confirmed_log_hides_a_commit() {
    let mut dice = Dice(3);
    for lens in [&LENS[..], &LONG, &MANY] {
        let log = written(lens, true);
        assert_eq!(log.files.len(), if lens == MANY { 2 } else { 1 });
        let (_, restored) = log.restore(&log.files, RestoreTo::Latest).unwrap();
        assert_eq!(restored.end, LogEnd::Confirmed);
        assert_eq!(log.flips(usize::MAX / 8), 0);
        assert_eq!(log.runs(1, "zeros", |run| run.fill(0)), 0);
        assert_eq!(log.runs(1, "garbage", |run| run.fill_with(|| u8::try_from(dice.roll(256)).unwrap())), 0);
        assert_eq!(log.exchanges(), 0);
    }
}

/// A record ends with its CRC32C, so the CRC32C of a commit does not show that a record replaces another one.
#[test]
fn exchanged_records_of_the_same_length_are_damage() {
    const HEAD_BYTES: usize = 32;
    let record = |text: &str| {
        let mut record = text.repeat(SECTOR_BYTES).into_bytes();
        record.truncate(SECTOR_BYTES - 3 - checksum::SUM_BYTES);
        checksum::seal(b"key", &mut record);
        [b"key".as_slice(), &record].concat()
    };
    let changes = |records: [&str; 3]| {
        [vec![7; SECTOR_BYTES - HEAD_BYTES], records.map(record).concat(), vec![9; 20]].concat()
    };
    let (one, other) = (changes(["a", "b", "a"]), changes(["c", "d", "c"]));
    assert_eq!(crc32c::crc32c(&one), crc32c::crc32c(&other));
    let log = written_with(vec![one, other.clone(), other], 64 << 10, true);
    assert_eq!(log.files.len(), 1);
    assert_eq!(log.exchanges(), 0);
}

/// The store was not closed, and the mark was lost with the power.
#[test]
fn only_the_last_commit_without_a_mark_may_look_incomplete() {
    let mut dice = Dice(5);
    // The last commit has one sector: each changed bit in it is found.
    let log = written(&LENS, false);
    assert_eq!(log.flips(usize::MAX / 8), 0);
    let last = log.runs(1, "zeros", |run| run.fill(0));
    assert_eq!(last, 1);
    let last = log.runs(1, "garbage", |run| run.fill_with(|| u8::try_from(dice.roll(256)).unwrap()));
    assert_eq!(last, 1);
    // With more sectors, a power failure may have left any content of the other ones.
    let log = written(&LONG, false);
    let last = 5 * SECTOR_BYTES;
    assert_eq!(log.files.values().next().unwrap().len(), last + 1_500 + 32);
    assert_eq!(log.flips(last), (1_500 + 32 - SECTOR_BYTES) * 8 / 16);
}

#[test]
fn damage_of_a_long_part_never_hides_commits_before_the_mark() {
    let log = written(&LENS, true);
    let sectors = log.files.values().next().unwrap().len() / SECTOR_BYTES;
    // The mark is in the last, incomplete sector.
    for most in 2..=sectors {
        let before_mark = |content: &[u8]| content.len() / SECTOR_BYTES * SECTOR_BYTES;
        log.check_each(|_, content, test| {
            for start in (0..before_mark(content)).step_by(SECTOR_BYTES) {
                let end = before_mark(content).min(start + most * SECTOR_BYTES);
                let mut changed = content.to_vec();
                changed[start..end].fill(0);
                test(changed, format!("zeros from {start} to {end}"));
            }
        });
    }
}

/// The head of a commit contains its length, so more bytes behind it belong to a later commit.
#[test]
fn zeros_from_the_middle_of_a_commit_to_the_end_are_damage() {
    let log = written(&LENS, true);
    let (name, content) = log.files.first_key_value().unwrap();
    let all = segment::Segment::read(&SimulatedFolder::new(Calls::default(), log.files.clone()), name);
    let ends: Vec<_> = all.unwrap().unwrap().records().map(|record| record.end).collect();
    // In the third commit, and in the fourth one.
    for start in [ends[2], ends[3] - SECTOR_BYTES, ends[3]].map(|end| end / SECTOR_BYTES * SECTOR_BYTES) {
        let mut changed = content.clone();
        changed[start..].fill(0);
        let files = BTreeMap::from([(name.clone(), changed)]);
        assert!(!log.check(&files, &format!("zeros from {start}")));
    }
}

/// What the log cannot know: a log without its end is an earlier log.
#[test]
fn a_log_that_was_cut_is_not_called_confirmed() {
    for lens in [&LENS[..], &LONG] {
        let log = written(lens, true);
        let (name, content) = log.files.first_key_value().unwrap();
        for cut in 0..content.len() {
            let files = BTreeMap::from([(name.clone(), content[..cut].to_vec())]);
            match log.restore(&files, RestoreTo::Latest) {
                Ok((found, restored)) => {
                    assert!(
                        found.iter().eq(log.commits.iter().map(|(_, changes)| changes).take(found.len()))
                    );
                    assert!(matches!(restored.end, LogEnd::Unconfirmed | LogEnd::Incomplete), "{cut}");
                    let to = RestoreTo::Commit(lens.len() as u64);
                    assert_eq!(log.restore(&files, to).is_ok(), found.len() == lens.len(), "{cut}");
                }
                Err(error) => {
                    assert!(cut < 64 && matches!(error, RestoreError::NoLog { .. }), "{cut}: {error}");
                }
            }
        }
    }
}

#[test]
fn missing_exchanged_and_renamed_segments_are_errors() {
    let log = written(&[9_000; 6], true);
    let names: Vec<_> = log.files.keys().cloned().collect();
    assert_eq!(names.len(), 3);
    for removed in 1..1_usize << names.len() {
        let kept = names.iter().enumerate().filter(|(at, _)| removed & (1 << at) == 0);
        let files: Files = kept.map(|(_, name)| (name.clone(), log.files[name].clone())).collect();
        let error = log.restore(&files, RestoreTo::Latest).unwrap_err();
        let is_named = match error {
            RestoreError::NoLog { .. } => files.is_empty(),
            RestoreError::Gap { first, .. } => first % 2 == 1,
            // The first segments are missing, each with two commits.
            RestoreError::Expired { first, backup, .. } => first > 1 && first % 2 == 1 && backup == 0,
            _ => false,
        };
        assert!(is_named, "{removed:b}: {error}");
    }
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let mut files = log.files.clone();
        files.insert(names[one].clone(), log.files[&names[other]].clone());
        log.restore(&files, RestoreTo::Latest).unwrap_err();
        files.insert(names[other].clone(), log.files[&names[one]].clone());
        log.restore(&files, RestoreTo::Latest).unwrap_err();
    }
    // The last commits under the name of the first ones.
    let files = BTreeMap::from([(names[0].clone(), log.files[&names[2]].clone())]);
    log.restore(&files, RestoreTo::Latest).unwrap_err();
}

/// A commit after the base of the log, which the log proves or not.
#[test]
fn a_time_is_reached_only_if_the_log_proves_it() {
    let time = |second: i64| RestoreTo::Time(Timestamp::from_ticks(START + second).unwrap());
    for confirmed in [true, false] {
        let log = written(&LENS, confirmed);
        let end = 6 * SECOND;
        for (at, commit) in [(end - 1, 5), (end, 6), (SECOND, 1), (SECOND - 1, 0)] {
            assert_eq!(log.restore(&log.files, time(at)).unwrap().1.commit, commit);
        }
        match log.restore(&log.files, time(end + 1)).unwrap_err() {
            RestoreError::NotReached { last: 6, time, .. } => assert_eq!(time.ticks(), START + end),
            error => panic!("{error}"),
        }
    }
    let place = Place::new();
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    put(&store, "a", 10);
    place.set_second(9);
    let error = place.restored("backup", time(8 * SECOND)).unwrap_err();
    assert!(matches!(error, RestoreError::NotReached { .. }), "{error}");
    store.close().unwrap();
    // The close is recorded: nothing was written until then.
    assert_eq!(place.restored("backup", time(9 * SECOND)).unwrap().0.end, LogEnd::Confirmed);
    let error = place.restored("backup", time(9 * SECOND + 1)).unwrap_err();
    assert!(matches!(error, RestoreError::NotReached { .. }), "{error}");
    // A clock that was set back does not contradict the record.
    place.set_second(3);
    let store = place.open();
    put(&store, "b", 10);
    let (restored, _) = place.restored("backup", RestoreTo::Latest).unwrap();
    assert!(restored.time.ticks() >= START + 9 * SECOND, "{restored:?}");
}

/// The store proves what its log lost, and the log what the store lost.
#[test]
fn a_store_does_not_continue_a_log_that_knows_more() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    store.close().unwrap();
    let older = place.killed();
    let store = place.open();
    put(&store, "a", 10);
    let number = position(&store).unwrap().number;
    let killed = place.killed();
    store.close().unwrap();
    // One commit behind, which the log has confirmed.
    copy_segments(&killed, &older);
    match older.keeping().open(older.path("store")).unwrap_err() {
        OpenError::KeptLog { problem: KeptLogProblem::Differs { log, store }, .. } => {
            assert_eq!((log, store), (number, number - 1));
        }
        error => panic!("{error}"),
    }
    let renamed = killed.killed();
    let path = &renamed.segments()[0].1;
    fs::rename(path, path.with_file_name(segment::name(&Position { number: 1, ..Position::default() })))
        .unwrap();
    let error = renamed.keeping().open(renamed.path("store")).unwrap_err();
    assert!(error.to_string().contains("has the damaged segment"), "{error}");
    assert!(killed.keeping().open(killed.path("store")).is_ok());
}
