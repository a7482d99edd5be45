use std::fs;

use serde_json::json;

use crate::data::{done, process::Running, run};

const PEOPLE: &str = "PartitionKey,RowKey,Name,Name@type,Age,Age@type\n\
    Sales,1,\"Jo, \"\"the\"\" Ö\",String,34,Int32\n\
    Sales,2,\"two\nlines\",String,,\n\
    Research,1,,String,9007199254740993,Int64\n";

/// Removes the columns that the service sets.
fn timeless(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let record = |record: csv::StringRecord| {
        record.iter().enumerate().filter(|(at, _)| *at != 2).map(|(_, field)| field.to_owned()).collect()
    };
    reader.records().map(|read| record(read.unwrap())).collect()
}

#[test]
fn a_table_goes_out_and_comes_in_the_same_on_a_file_and_through_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("people.csv"), PEOPLE).unwrap();
    let server = Running::start(&["--data", folder.join("served").to_str().unwrap()]);
    let mut exports = Vec::new();
    for store in ["company.tables", server.word("connect")] {
        let said = done(folder, store, &["import", "people.csv", "-t", "People", "--json"]);
        assert_eq!(
            said.object(),
            json!({ "entities": 3, "transactions": 2, "broken": 0, "refused": 0, "whole": true })
        );
        assert!(!folder.join("people.csv.progress").exists());
        let csv = done(folder, store, &["export", "People"]);
        assert_eq!(csv.err.lines().count(), 1, "{}", csv.err);
        // Exported files are imported again, in each format.
        done(folder, store, &["export", "People", "-o", "people.jsonl"]);
        done(folder, store, &["import", "people.jsonl", "--table", "Lines"]);
        done(folder, store, &["export", "Lines", "-o", "edm.csv", "--dialect", "edm"]);
        assert!(fs::read_to_string(folder.join("edm.csv")).unwrap().contains("Edm.Int64"));
        done(folder, store, &["import", "edm.csv", "--table", "Again"]);
        let again = done(folder, store, &["export", "Again", "--format", "csv"]);
        assert_eq!(timeless(&csv.out), timeless(&again.out));
        exports.push(timeless(&csv.out));
    }
    assert_eq!(exports[0], exports[1]);
    let research = ["Research", "1", "", "String", "9007199254740993", "Int64"];
    assert!(exports[0].iter().any(|record| record == &research), "{exports:?}");
    assert_eq!(server.signal("-TERM"), Some(0));

    // The server's data directory is a location, too, while no server uses it.
    let said = done(folder, "served", &["export", "People"]);
    assert_eq!(timeless(&said.out), exports[0]);
}

/// The file contains the name of a blob, not its bytes.
#[test]
fn an_export_reports_values_in_blobs() {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Photos", partition = "{team}", row = "{id:04}")]
    struct Photo {
        team: String,
        id: u32,
        #[table(blob)]
        picture: Blob,
    }

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tables = Tables::open(folder.join("photos.tables")).unwrap();
    for (id, bytes) in [(1, 3), (2, 40_000)] {
        let picture = Blob::from(vec![7; bytes]);
        tables.blocking().insert(&Photo { team: "a".into(), id, picture }).unwrap();
    }
    drop(tables);
    let note = "note: values of 1 entity are in blobs, which are not exported; copy their containers, too\n";
    for arguments in [&["export", "Photos"][..], &["export", "Photos", "-o", "photos.csv", "--json"]] {
        let said = done(folder, "photos.tables", arguments);
        assert!(said.err.contains(note) && !said.out.contains("note:"), "{} {}", said.err, said.out);
    }
    let said = done(folder, "photos.tables", &["export", "Photos", "--filter", "RowKey eq '0001'"]);
    assert!(!said.err.contains("note:"), "{}", said.err);
}

#[test]
fn a_filter_and_a_selection_say_what_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("people.csv"), PEOPLE).unwrap();
    done(folder, "company.tables", &["import", "people.csv", "-t", "People"]);
    let filter = ["export", "People", "--filter", "PartitionKey eq 'Sales'", "--select", "Age"];
    let said = done(folder, "company.tables", &filter);
    assert_eq!(
        timeless(&said.out),
        [
            &["PartitionKey", "RowKey", "Age", "Age@type"][..],
            &["Sales", "1", "34", "Int32"],
            &["Sales", "2", "", ""]
        ]
    );
    let said = run(folder, "company.tables", &["export", "People", "--filter", "Age gt"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.starts_with("error: invalid filter: "), "{}", said.err);
    let said = run(folder, "company.tables", &["export", "Nobody", "-o", "nobody.csv"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("TableNotFound"), "{}", said.err);
    assert!(!folder.join("nobody.csv").exists());
    let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with(".export")));
}

#[test]
fn broken_and_refused_lines_are_told_with_their_numbers_and_fatal_only_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file =
        "PartitionKey,RowKey,A,A@type\np,1,1,Int32\np,2,x,Int32\np,3,3,Int32\np,3,4,Int32\np,4,4,Int32\n";
    fs::write(folder.join("a.csv"), file).unwrap();
    let import = |more: &[&str], store| {
        let arguments = [&["import", "a.csv", "-t", "People", "--mode", "insert", "--json"], more].concat();
        run(folder, store, &arguments)
    };
    let said = import(&[], "all.tables");
    assert_eq!(said.code, Some(1));
    let object = said.object();
    assert_eq!(
        (&object["entities"], &object["broken"], &object["refused"]),
        (&3.into(), &1.into(), &1.into())
    );
    assert!(said.err.contains("line 3: `A`: `x` is no Int32\n"), "{}", said.err);
    assert!(said.err.contains("line 5: EntityAlreadyExists: "), "{}", said.err);

    assert_eq!(import(&["--max-errors", "2"], "two.tables").code, Some(0));
    let said = import(&["--fail-fast"], "stopped.tables");
    assert_eq!(said.code, Some(1));
    assert_eq!(said.object()["entities"], 1);
    assert_eq!(said.object()["whole"], false);
}

#[test]
fn standard_input_is_imported_where_its_form_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("people"), PEOPLE).unwrap();
    let import = |arguments: &[&str]| -> crate::data::Said {
        let input = fs::File::open(folder.join("people")).unwrap();
        let arguments = [&["import", "-t", "People"], arguments].concat();
        crate::data::tables(folder, "company.tables", &arguments).stdin(input).output().unwrap().into()
    };
    assert_eq!(import(&["-", "--format", "csv"]).code, Some(0));
    for wrong in [&["-"][..], &["people"], &["-", "--format", "csv", "--resume"]] {
        let said = import(wrong);
        assert_eq!(said.code, Some(2), "{wrong:?}: {}", said.err);
    }
    assert_eq!(import(&["no.csv"]).code, Some(1));
    // JSON is not CSV.
    assert_eq!(import(&["-", "--format", "jsonl", "--fail-fast"]).code, Some(1));
}
