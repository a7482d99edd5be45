//! Stores that are opened without their kept log, and copies.

use super::*;

/// Returns a closed store with a backup and a commit after it, and its records.
fn closed() -> (Place, Records) {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    store.backup(place.path("backup")).unwrap();
    put(&store, "a", 10);
    store.close().unwrap();
    let last = live(&place.options().read_only(true).open(place.path("store")).unwrap().blocking());
    (place, last)
}

#[test]
fn a_store_is_not_written_without_its_kept_log() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    put(&store, "a", 10);
    store.backup(place.path("backup")).unwrap();
    let killed = place.killed();
    store.close().unwrap();
    // A closed store, one that was not closed, and a backup.
    for (place, name, last) in [(&place, "store", 5), (&killed, "store", 4), (&place, "backup", 4)] {
        let files = || ["", "-log"].map(|end| fs::read(place.path(&format!("{name}{end}"))).ok());
        let before = files();
        let error = place.options().open(place.path(name)).unwrap_err();
        let OpenError::KeptLogRequired { commit, .. } = error else { panic!("{error}") };
        assert_eq!(commit, last, "{name}");
        for remedy in ["`OpenOptions::keep_log`", "`OpenOptions::end_kept_log`"] {
            assert!(error.to_string().contains(remedy), "{error}");
        }
        let error = place.options().compact(place.path(name)).unwrap_err();
        assert!(matches!(error, OpenError::KeptLogRequired { .. }), "{error}");
        assert!(files() == before, "{name}");
        let read = place.options().read_only(true).end_kept_log();
        read.open(place.path(name)).unwrap().blocking().close().unwrap();
        place.options().scrub(place.path(name)).unwrap();
        assert!(files() == before, "{name}");
    }
    place.keeping().compact(place.path("store")).unwrap();
    let store = place.open();
    put(&store, "b", 10);
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == live(&store));
}

#[test]
fn a_kept_log_ends_on_request_only() {
    let (place, last) = closed();

    place.options().end_kept_log().open(place.path("store")).unwrap().blocking().close().unwrap();
    let plain = place.options().open(place.path("store")).unwrap().blocking();
    put(&plain, "unkept", 10);
    assert_eq!(position(&plain), None);
    plain.close().unwrap();
    // The log contains all commits before its end.
    assert!(place.restored("backup", RestoreTo::Latest).unwrap().1 == last);
    let error = place.keeping().open(place.path("store")).unwrap_err();
    assert!(error.to_string().contains("specify an empty folder"), "{error}");
    fs::remove_dir_all(place.path("log")).unwrap();
    fs::create_dir(place.path("log")).unwrap();
    let store = place.open();
    store.backup(place.path("again")).unwrap();
    put(&store, "c", 10);
    assert!(place.restored("again", RestoreTo::Latest).unwrap().1 == live(&store));
}

#[test]
fn copies_have_the_position_only_if_the_log_continues_them() {
    let (place, last) = closed();
    let to = |name: &str| place.path(name);
    place.options().restore(to("backup"), to("log"), RestoreTo::Latest, to("made")).unwrap();
    let salvage = place.options().salvage(to("store"), to("salvaged")).unwrap();
    assert!(salvage.is_complete(), "{salvage:?}");
    place.options().accept_lost_log(to("store"), to("accepted")).unwrap();
    for name in ["made", "salvaged"] {
        let store = place.options().open(to(name)).unwrap().blocking();
        assert_eq!(position(&store), None, "{name}");
        assert_eq!(live(&store).len(), last.len(), "{name}");
    }
    // Such a copy is a base for the commits that are lost with the log.
    let error = place.options().open(to("accepted")).unwrap_err();
    assert!(matches!(error, OpenError::KeptLogRequired { .. }), "{error}");
    assert!(place.restored("accepted", RestoreTo::Latest).unwrap().1 == last);
    // A restored store is a new history, so it starts in another folder.
    let error = place.keeping().open(to("made")).unwrap_err();
    assert!(matches!(error, OpenError::KeptLog { problem: KeptLogProblem::Exists, .. }), "{error}");
    fs::create_dir(to("new-log")).unwrap();
    let keep = KeepLog::in_folder(to("new-log"));
    let store = place.options().keep_log(keep).open(to("made")).unwrap().blocking();
    put(&store, "again", 10);
    assert_eq!(position(&store).unwrap().number, 1);
}
