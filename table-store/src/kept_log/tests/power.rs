//! Power failures and errors at every call of the folder, and of the files of the store.

mod doubt;

use std::io::ErrorKind;

use super::{
    super::{segment::Segment, tail::Tail},
    simulated_folder::{Event, FolderPlatter, SimulatedFolder},
    *,
};
use crate::{
    checksum,
    engine::{
        LoggedEngine, decode_changes,
        logged_tests::{
            self, Dice, Rows, SMALL, apply,
            platter::{Call, Chances, Failure, On, Platter, Recorder},
            rows, write,
        },
    },
    refusal::Refusal,
};

type Images = ([Vec<u8>; 2], BTreeMap<String, Vec<u8>>);
type Changes = Vec<(Vec<u8>, Option<Vec<u8>>)>;

/// A store and its kept log on simulated disks.
struct Simulation {
    disk: Recorder,
    folder: SimulatedFolder,
    most_bytes: u64,
}

impl Simulation {
    fn new((files, folder): Images, most_bytes: u64) -> Self {
        let disk = Recorder::new(files);
        let folder = SimulatedFolder::new(Arc::clone(&disk.calls), folder);
        Self { disk, folder, most_bytes }
    }

    /// Starts with an empty store that was closed.
    fn start(most_bytes: u64) -> Self {
        let disk = Recorder::new([Vec::new(), Vec::new()]);
        logged_tests::create(disk.clone(), SMALL).unwrap().close().unwrap();
        Self::new((disk.images(), BTreeMap::new()), most_bytes)
    }

    fn open(&self) -> Result<KeepingEngine<LoggedEngine>, Refusal> {
        let engine = logged_tests::open(self.disk.clone(), SMALL)?;
        let mut found = Ok(None);
        engine.read(&mut |read| found = position::read(read))?;
        let settings = KeepLog { most_bytes: self.most_bytes, ..KeepLog::in_folder("simulated") };
        let folder = Arc::new(self.folder.clone());
        let writer = match found? {
            Some(position) => Writer::open(&settings, folder, position)?,
            None => Writer::create(&settings, folder, [1; 16], START)?,
        };
        let clock = Arc::new(Simulated(Arc::new(AtomicI64::new(START))));
        Ok(KeepingEngine::keep(engine, Box::new(writer), clock)?)
    }

    fn images(&self) -> Images {
        (self.disk.images(), self.folder.image())
    }

    /// Returns the number of calls of all disks.
    fn calls(&self) -> usize {
        self.disk.calls.lock().unwrap().len() + self.folder.events().len()
    }

    /// Checks that no segment is called damaged, and that no missing segment is named.
    fn check_ends(&self, what: &str) {
        let mut listed = segment::list(&self.folder).unwrap();
        let _ = listed.pop_if(|(_, name)| segment::is_unborn(&self.folder, name));
        for (at, (_, name)) in listed.iter().enumerate() {
            let tail = tail(&Segment::read(&self.folder, name).unwrap().expect(what));
            assert!(!matches!(tail, Tail::Damaged(_)), "{what}: {name}: {tail:?}");
            assert!(tail != Tail::Continued || at + 1 < listed.len(), "{what}: {name}: {tail:?}");
        }
    }

    /// Checks that the folder contains all commits of an open store, and no other ones.
    fn check_log(&self, engine: &KeepingEngine<LoggedEngine>, what: &str) {
        let (mut replayed, mut last, mut base): (_, Option<Position>, _) = (Rows::new(), None, false);
        for (number, name) in segment::list(&self.folder).unwrap() {
            let segment = Segment::read(&self.folder, &name).unwrap().expect(what);
            assert!(last.is_none_or(|last| last == segment.before), "{what}: {name} does not continue");
            base = number == 1 || base && last == Some(segment.before);
            for record in segment.records() {
                let each = |key: &[u8], value: Option<&[u8]>| match value {
                    Some(value) => {
                        drop(replayed.insert(key.to_vec(), checksum::unseal(key, value).unwrap().to_vec()));
                    }
                    None => drop(replayed.remove(key)),
                };
                decode_changes(record.changes, each).expect(what);
            }
            last = Some(segment.end().1);
        }
        let mut found = Ok(None);
        engine.read(&mut |read| found = position::read(read)).unwrap();
        assert_eq!(last, found.unwrap(), "{what}: the end of the log");
        assert!(!base || replayed == content(engine), "{what}: the commits of the log");
    }
}

fn tail(segment: &Segment) -> Tail {
    let (end, last) = segment.end();
    segment.tail(end, last)
}

/// Returns the rows without the position in the kept log.
fn content(engine: &KeepingEngine<LoggedEngine>) -> Rows {
    let mut rows = rows(engine).unwrap();
    rows.remove(&TableId::META.key(meta::KEPT_LOG)[..]);
    rows
}

/// The recorded use of a store with a kept log.
struct Recorded {
    start: Images,
    calls: Vec<(usize, Call)>,
    events: Vec<(usize, Event)>,
    /// Number of calls of all disks when commit `n` was started, and when it was acknowledged.
    commits: Vec<(usize, usize)>,
    /// Content after each number of commits.
    contents: Vec<Rows>,
    most_bytes: u64,
}

fn record(seed: u64, commits: u64, most_bytes: u64) -> (Recorded, Dice) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let simulation = Simulation::start(most_bytes);
    let start = simulation.images();
    let mut engine = simulation.open().unwrap();
    let (mut done, mut contents) = (Vec::new(), vec![Rows::new()]);
    for number in 0..commits {
        let changes = dice.changes(number);
        let started = simulation.calls();
        write(&engine, &changes, if number % 3 == 0 { Persist::Later } else { Persist::Now }).unwrap();
        done.push((started, simulation.calls()));
        let mut content = contents.last().cloned().unwrap_or_default();
        apply(&mut content, &changes);
        contents.push(content);
        match dice.roll(12) {
            0 => {
                engine.close().unwrap();
                engine = simulation.open().unwrap();
            }
            1 => {
                drop(engine);
                engine = simulation.open().unwrap();
            }
            _ => {}
        }
    }
    simulation.check_log(&engine, "recorded");
    drop(engine);
    let calls = simulation.disk.calls.lock().unwrap().clone();
    (Recorded { start, calls, events: simulation.folder.events(), commits: done, contents, most_bytes }, dice)
}

/// Cuts the power before calls, and checks what is left. Returns the number of points.
fn cut(recorded: &Recorded, chances: &[Chances], every: usize, dice: &mut Dice) -> usize {
    let mut files = Platter::new(recorded.start.0.clone());
    let mut folder = FolderPlatter::default();
    let mut events = recorded.events.iter().peekable();
    let (mut points, mut at) = (0, 0);
    for before in 0..=recorded.calls.len() {
        let mut point = |files: &Platter, folder: &FolderPlatter, dice: &mut Dice| {
            if at % every == 0 {
                for chances in chances {
                    let images = (files.cut(*chances, dice), folder.cut(*chances, dice));
                    survive(recorded, at, images, &format!("call {at}, {chances:?}"));
                    points += 1;
                }
            }
            at += 1;
        };
        while let Some((_, event)) = events.next_if(|(calls, _)| *calls == before) {
            point(&files, &folder, dice);
            folder.pass(event, dice);
        }
        if let Some((file, call)) = recorded.calls.get(before) {
            point(&files, &folder, dice);
            files.pass(*file, call, dice);
        }
    }
    points
}

fn survive(recorded: &Recorded, at: usize, images: Images, what: &str) {
    let simulation = Simulation::new(images, recorded.most_bytes);
    simulation.check_ends(what);
    let engine = simulation.open().unwrap_or_else(|refusal| panic!("{what}: {refusal:?}"));
    let mut expected = content(&engine);
    let acknowledged = recorded.commits.iter().filter(|(_, end)| *end <= at).count();
    let started = recorded.commits.iter().filter(|(start, _)| *start <= at).count();
    let found = (acknowledged..=started).any(|commits| recorded.contents[commits] == expected);
    assert!(found, "{what}: not a state from {acknowledged} to {started}");
    simulation.check_log(&engine, what);
    let changes: Changes = vec![(b"after".to_vec(), Some(b"1".to_vec()))];
    write(&engine, &changes, Persist::Now).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    apply(&mut expected, &changes);
    assert_eq!(content(&engine), expected, "{what}: after a commit");
    simulation.check_log(&engine, what);
}

const POWER: [Chances; 4] = [
    Chances { kept: 0, garbage: 0 },
    Chances { kept: 50, garbage: 0 },
    Chances { kept: 100, garbage: 0 },
    Chances { kept: 50, garbage: 30 },
];

#[test]
fn a_power_failure_leaves_all_acknowledged_commits_in_the_store_and_its_log() {
    for (seed, most_bytes) in [(1, 1 << 30), (2, 200_000), (3, 64_000)] {
        let (recorded, mut dice) = record(seed, 40, most_bytes);
        assert!(recorded.events.len() > 100);
        let points = cut(&recorded, &POWER, 5, &mut dice);
        assert!(points > 200, "{points}");
    }
}

#[test]
#[ignore = "takes minutes; run it before a release"]
fn a_power_failure_leaves_all_commits_at_many_more_points() {
    let mut points = 0;
    for seed in 4..64 {
        let (recorded, mut dice) =
            record(seed, 60, [1 << 30, 200_000, 64_000][usize::try_from(seed % 3).unwrap()]);
        points += cut(&recorded, &POWER, 1, &mut dice);
    }
    println!("{points} points");
}

fn change(len: usize) -> Changes {
    vec![
        (b"row 01".to_vec(), Some(vec![3; len])),
        (b"row 02".to_vec(), None),
        (b"new".to_vec(), Some(vec![4; 9])),
    ]
}

/// Runs a commit while call `after` of the folder fails. Returns whether a call failed.
fn fail(failure: Failure, len: usize, most_bytes: u64) -> bool {
    let what = format!("{failure:?}, {len} bytes");
    let simulation = Simulation::start(most_bytes);
    let engine = simulation.open().unwrap();
    let mut dice = Dice(9);
    for number in 0..8 {
        write(&engine, &[dice.changes(number), change(len)].concat(), Persist::Now).unwrap();
    }
    let (before, changes) = (content(&engine), change(len + 1));
    simulation.folder.fail(failure);
    let result = write(&engine, &changes, Persist::Now);
    let failed = simulation.folder.has_failed();
    simulation.folder.fail(Failure::default());
    let mut expected = before;
    match &result {
        Ok(()) => apply(&mut expected, &changes),
        Err(StorageFault::DiskFull { .. }) => {
            assert_eq!(failure.kind, Some(ErrorKind::StorageFull), "{what}");
        }
        Err(fault) => assert_eq!(failure.kind, Some(ErrorKind::Other), "{what}: {fault}"),
    }
    // The mark after a commit may fail: the log below contains the commit.
    assert!(failed || result.is_ok(), "{what}");
    assert_eq!(content(&engine), expected, "{what}");
    let check_killed = |expected: &Rows, when: &str| {
        let killed = Simulation::new(simulation.images(), most_bytes);
        let opened = killed.open().unwrap_or_else(|refusal| panic!("{what}, {when}: {refusal:?}"));
        assert_eq!(content(&opened), *expected, "{what}, {when}");
        killed.check_log(&opened, &what);
        killed.check_ends(&what);
    };
    check_killed(&expected, "the process ends after the failure");
    let later: Changes = vec![(b"later".to_vec(), Some(b"1".to_vec()))];
    write(&engine, &later, Persist::Now).unwrap();
    apply(&mut expected, &later);
    assert_eq!(content(&engine), expected, "{what}: the next commit");
    simulation.check_log(&engine, &what);
    check_killed(&expected, "the process ends after the next commit");
    engine.close().unwrap();
    let opened = simulation.open().unwrap();
    assert_eq!(content(&opened), expected, "{what}: after a close");
    failed
}

/// With small limits, each commit starts a segment and deletes another one.
#[test]
fn a_commit_is_complete_or_absent_whichever_call_of_the_folder_fails() {
    let mut calls = Vec::new();
    for (len, most_bytes) in [(10, 1 << 30), (30_000, 64_000)] {
        for kind in [ErrorKind::Other, ErrorKind::StorageFull] {
            for once in [true, false] {
                let failure = |after| Failure { after, kind: Some(kind), once, ..Failure::default() };
                let all = (0..).take_while(|after| fail(failure(*after), len, most_bytes));
                calls.push(all.count());
            }
        }
    }
    assert!(
        calls.iter().all(|calls| *calls >= 4) && calls.contains(&4) && calls.iter().max() > Some(&8),
        "{calls:?}"
    );
}

/// The log already contains the commit when the store rejects it.
#[test]
fn a_commit_that_fails_in_the_store_is_removed_from_the_log() {
    let mut removed = 0;
    for on in [On::Change, On::Sync] {
        for after in 0.. {
            let what = format!("{on:?} {after}");
            let simulation = Simulation::start(1 << 30);
            let engine = simulation.open().unwrap();
            let mut dice = Dice(9);
            (0..4).for_each(|number| write(&engine, &dice.changes(number), Persist::Now).unwrap());
            let (before, changes) = (content(&engine), change(20_000));
            let mut complete = before.clone();
            apply(&mut complete, &changes);
            *simulation.disk.failure.lock().unwrap() =
                Failure { after, kind: Some(ErrorKind::Other), once: true, on };
            let result = write(&engine, &changes, Persist::Now);
            let failed = simulation.disk.failure.lock().unwrap().kind.is_none();
            *simulation.disk.failure.lock().unwrap() = Failure::default();
            let mut expected = content(&engine);
            assert!(expected == complete || expected == before && result.is_err(), "{what}: {result:?}");
            removed += usize::from(expected == before);
            let killed = Simulation::new(simulation.images(), simulation.most_bytes);
            let opened = killed.open().unwrap_or_else(|refusal| panic!("{what}: {refusal:?}"));
            killed.check_log(&opened, &what);
            let later: Changes = vec![(b"later".to_vec(), Some(b"1".to_vec()))];
            write(&engine, &later, Persist::Now).unwrap();
            apply(&mut expected, &later);
            assert_eq!(content(&engine), expected, "{what}");
            simulation.check_log(&engine, &what);
            if !failed {
                break;
            }
        }
    }
    assert!(removed > 3, "{removed}");
}

/// The store rejects a long commit, and the power fails while a shorter one is written at its place.
#[test]
fn a_power_failure_during_a_shorter_commit_leaves_no_rest_of_a_longer_one() {
    let folder = SimulatedFolder::new(Arc::default(), BTreeMap::new());
    let settings = KeepLog::in_folder("simulated");
    let mut writer = Writer::create(&settings, Arc::new(folder.clone()), [1; 16], START).unwrap();
    let base = writer.append(writer.last(), START, b"first").unwrap();
    writer.confirm(base);
    writer.append(base, START, &[1; 3_000]).unwrap();
    let last = writer.append(base, START, &[2; 1_200]).unwrap();
    writer.confirm(last);
    let (mut dice, mut platter, events) = (Dice(8), FolderPlatter::default(), folder.events());
    for (at, (_, event)) in events.iter().enumerate() {
        platter.pass(event, &mut dice);
        for chances in POWER.into_iter().cycle().take(60) {
            let files = platter.cut(chances, &mut dice);
            let cut = Simulation::new(([Vec::new(), Vec::new()], files), 1 << 30);
            cut.check_ends(&format!("after call {at}, {chances:?}"));
        }
    }
}

#[test]
fn a_power_failure_after_the_close_leaves_the_mark() {
    let simulation = Simulation::start(1 << 30);
    let engine = simulation.open().unwrap();
    let mut dice = Dice(6);
    write(&engine, &dice.changes(0), Persist::Now).unwrap();
    engine.close().unwrap();
    let mut platter = FolderPlatter::default();
    simulation.folder.events().iter().for_each(|(_, event)| platter.pass(event, &mut dice));
    let files = platter.cut(Chances { kept: 0, garbage: 0 }, &mut dice);
    let cut = Simulation::new(([Vec::new(), Vec::new()], files), 1 << 30);
    let (_, name) = segment::list(&cut.folder).unwrap().remove(0);
    assert_eq!(tail(&Segment::read(&cut.folder, &name).unwrap().unwrap()), Tail::Confirmed(START));
}

#[test]
fn an_opening_that_fails_at_any_call_of_the_folder_changes_nothing() {
    let simulation = Simulation::start(64_000);
    let engine = simulation.open().unwrap();
    let mut dice = Dice(5);
    (0..20).for_each(|number| write(&engine, &dice.changes(number), Persist::Now).unwrap());
    let expected = content(&engine);
    drop(engine);
    // With what an interrupted creation of a segment leaves.
    let (files, mut folder) = simulation.images();
    folder.insert(segment::name(&Position { number: 90, ..Position::default() }), vec![7; 30]);
    let (mut failures, mut ignored) = (0, 0);
    for after in 0.. {
        let simulation = Simulation::new((files.clone(), folder.clone()), 64_000);
        simulation.folder.fail(Failure {
            after,
            kind: Some(ErrorKind::Other),
            once: true,
            ..Failure::default()
        });
        let opened = simulation.open();
        let failed = simulation.folder.has_failed();
        // The last call is the mark, which is not required.
        assert!(failed || opened.is_ok(), "{after}");
        ignored += usize::from(failed && opened.is_ok());
        if let Err(refusal) = opened {
            assert!(matches!(refusal, Refusal::KeptLog { .. }), "{refusal:?}");
        }
        simulation.folder.fail(Failure::default());
        let engine = simulation.open().unwrap();
        assert_eq!(content(&engine), expected, "{after}");
        simulation.check_log(&engine, &format!("{after}"));
        if !failed {
            break;
        }
        failures += 1;
    }
    assert!(failures > 4 && ignored == 1, "{failures}, {ignored}");
}
