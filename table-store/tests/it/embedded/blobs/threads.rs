use std::thread;

use table_store::blob::{AppendBlock, BlobETag};

use super::*;
use crate::embedded::support::{age, put as put_row, table};

/// Creates content that contains its seed at each position.
fn marked(seed: u8) -> Bytes {
    vec![seed; 2 * CHUNK + usize::from(seed)].into()
}

#[test]
fn readers_see_one_version_while_others_replace_and_delete_it() {
    let (store, _) = store();
    thread::scope(|scope| {
        for writer in 0..3_u8 {
            let store = store.clone();
            scope.spawn(move || {
                for round in 0..15 {
                    put(&store, "x", marked(1 + writer * 20 + round));
                    if round % 5 == 4 {
                        // Another thread may have deleted it.
                        let _ = store.delete_blob(&at("x"), &always());
                    }
                }
            });
        }
        for _ in 0..3 {
            let store = store.clone();
            scope.spawn(move || {
                for _ in 0..60 {
                    match store.get_blob(&at("x"), ReadBlob::new()) {
                        Ok(read) => assert!(read == marked(read[0]), "a mixture"),
                        Err(error) => assert!(error.is_not_found(), "{error}"),
                    }
                }
            });
        }
    });
    put(&store, "x", "last");
    store.swept().unwrap();
    let report = store.scrub().unwrap();
    assert!(report.is_sound() && report.chunks == 1, "{report}");
}

#[test]
fn of_those_who_change_the_version_they_read_one_wins_each_time() {
    let (store, _) = store();
    put(&store, "count", "0");
    let (threads, rounds) = (4, 25);
    thread::scope(|scope| {
        for _ in 0..threads {
            let store = store.clone();
            scope.spawn(move || {
                let mut done = 0;
                while done < rounds {
                    let reader = store.read_blob(&at("count"), ReadBlob::new()).unwrap();
                    let etag: BlobETag = reader.properties().etag.clone();
                    let text = String::from_utf8(reader.read_to_end().unwrap().to_vec()).unwrap();
                    let next = (text.parse::<u32>().unwrap() + 1).to_string();
                    match store.put_blob(&at("count"), next.into(), PutBlob::new().conditions(etag)) {
                        Ok(_) => done += 1,
                        Err(error) => assert!(error.is_conflict(), "{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(get(&store, "count"), (threads * rounds).to_string());
}

#[test]
fn appends_of_many_end_up_whole_and_each_once() {
    let (store, _) = store();
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    thread::scope(|scope| {
        for writer in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for line in 0..50 {
                    let line = format!("{writer} {line}\n");
                    store.append_block(&at("log"), line.into(), AppendBlock::new()).unwrap();
                }
            });
        }
    });
    let log = String::from_utf8(get(&store, "log").to_vec()).unwrap();
    for writer in 0..4 {
        let own: Vec<String> = log
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{writer} ")).map(str::to_owned))
            .collect();
        assert_eq!(own, (0..50).map(|line| line.to_string()).collect::<Vec<_>>());
    }
    assert_eq!(log.lines().count(), 200);
}

#[test]
fn a_large_blob_shares_its_commits_with_other_writers() {
    let (store, _) = store();
    store.create_table(&table()).unwrap();
    let mut writer = store.write_blob(&at("x"), PutBlob::new()).unwrap();
    for round in 0..10 {
        writer.write(&content(1, 9 * CHUNK)).unwrap();
        // Entity writes are executed between any two batches.
        put_row(&store, &format!("{round}"), round);
    }
    writer.finish().unwrap();
    assert_eq!(age(&store, "9"), Some(9));
    assert_eq!(get(&store, "x").len(), 90 * CHUNK);
}
