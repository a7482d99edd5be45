//! A scrub counts the rows around damaged pages, as a salvage copies them.

use std::{collections::BTreeSet, fs, path::Path};

use table_store::{BlockingStore, DamagePlace, Entity, LogMode, OpenOptions, Operation, ScrubReport};

const BLOCK: usize = 4096;
const TABLES: [&str; 2] = ["Employees", "Orders"];
const ROWS: usize = 3_000;

fn options() -> OpenOptions {
    OpenOptions::new().log_mode(LogMode::Inline)
}

fn put(store: &BlockingStore, table: &str, rows: impl Iterator<Item = usize>) {
    let row =
        |row| Operation::InsertOrReplace(Entity::new("Sales", format!("{row:05}")).with("Table", table));
    for rows in rows.collect::<Vec<_>>().chunks(100) {
        store.transact(&table.parse().unwrap(), rows.iter().map(row).collect::<Vec<_>>()).unwrap();
    }
}

/// Creates a store at `path`, closed or with its last rows in the log.
fn specimen(path: &Path, closed: bool) {
    let used = path.with_extension("used");
    let store = options().open(&used).unwrap().blocking();
    for table in TABLES {
        store.create_table(&table.parse().unwrap()).unwrap();
        put(&store, table, 0..ROWS);
    }
    store.close().unwrap();
    let store = options().open(&used).unwrap().blocking();
    for table in TABLES {
        put(&store, table, (0..ROWS + 200).step_by(20));
    }
    if closed {
        store.close().unwrap();
    }
    fs::copy(&used, path).unwrap();
    let log = |path: &Path| path.with_file_name(format!("{}-log", path.file_name().unwrap().display()));
    assert_eq!(fs::copy(log(&used), log(path)).is_ok(), !closed);
}

/// Changes a bit in each page with the key of one of these rows. Returns the number of pages.
fn damage(path: &Path, rows: &[&str]) -> usize {
    let mut bytes = fs::read(path).unwrap();
    let mut pages = BTreeSet::new();
    for row in rows {
        let key = [b"Sales\0", row.as_bytes()].concat();
        let found: Vec<_> = bytes.windows(key.len()).enumerate().filter(|(_, bytes)| *bytes == key).collect();
        let places: Vec<_> = found.into_iter().map(|(at, _)| at).collect();
        assert!(places.len() >= TABLES.len(), "{row}");
        for at in places {
            if pages.insert(at / BLOCK) {
                bytes[at + 8] ^= 4;
            }
        }
    }
    fs::write(path, bytes).unwrap();
    pages.len()
}

fn pages(report: &ScrubReport) -> usize {
    let pages = report.damage.iter().filter(|damage| damage.place == DamagePlace::Engine);
    let named: Vec<_> = pages.map(|damage| &damage.what).collect();
    assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len(), "{report}");
    named.len()
}

#[test]
fn rows_around_damaged_pages_are_counted() {
    let last = format!("{:05}", ROWS - 1);
    for closed in [true, false] {
        for rows in
            [&["00100"][..], &["00100", "00101", "01500"], &["00000", &last, "03180"], &["02000", &last]]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.tables");
            specimen(&path, closed);
            let whole = options().scrub(&path).unwrap();
            assert!(whole.is_sound() && whole.entities > 2 * ROWS as u64, "{whole}");
            let rows: Vec<_> = rows.iter().copied().filter(|row| closed || *row <= last.as_str()).collect();
            let damaged = damage(&path, &rows);

            let report = options().scrub(&path).unwrap();
            let sound = folder.path().join("sound.tables");
            options().salvage(&path, &sound).unwrap();
            let copied = options().scrub(&sound).unwrap();
            let what = format!("{rows:?}, closed: {closed}: {report}");
            assert!((1..=damaged).contains(&pages(&report)), "{what}");
            assert_eq!(report.entities, copied.entities, "{what}");
            let missing = whole.entities - report.entities;
            assert!(missing > 0 && missing < 400 * rows.len() as u64, "{missing} lost, {what}");

            // The first row is in the page with the names of the tables.
            assert_eq!(report.tables == 0, rows.contains(&"00000"), "{what}");
            if report.tables == 0 {
                continue;
            }
            assert_eq!(report.entities_by_table, copied.entities_by_table, "{what}");
            assert_eq!(report.entities_by_table.values().sum::<u64>(), report.entities);
            let store = options().read_only(true).open(&path).unwrap().blocking();
            let running = store.scrub().unwrap();
            assert_eq!(running.entities_by_table, report.entities_by_table, "{what}: {running}");
            assert!(pages(&running) >= 1);
        }
    }
}
