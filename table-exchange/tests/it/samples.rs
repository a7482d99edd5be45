//! Files exported by other programs. The tests search for them in the directory `TABLE_PATTERNS_DATA`, then in
//! `../shared/data` next to the repository. If neither exists, the tests are skipped with a message.

use std::{fs, path::PathBuf};

use table_exchange::Format;

use crate::{Form, Table, lines, sorted};

fn folder() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data");
    let data = std::env::var_os("TABLE_PATTERNS_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let folder = data.join("azure_table_csv");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("passed over: no azure_table_csv in {}; set TABLE_PATTERNS_DATA", data.display());
    None
}

/// The number of records and of distinct keys of each file. One key of the last file occurs twice.
const SAMPLES: [(&str, usize, usize); 3] = [
    ("test_all_types.csv", 9, 9),
    ("test-batch_first500.csv", 500, 500),
    ("storage_explorer_edm_first1000.typed.csv", 990, 989),
];

#[test]
fn import_then_export_is_the_identity_on_typed_content() {
    let Some(folder) = folder() else { return };
    for (name, records, keys) in SAMPLES {
        let file = fs::read(folder.join(name)).unwrap();
        let said: Vec<_> = lines(Format::Csv, &file).into_iter().collect::<Result<_, _>>().unwrap();
        assert_eq!(said.len(), records, "{name}");
        let table = Table::of(Format::Csv, &file);
        let content = table.content();
        assert_eq!(content.len(), keys, "{name}");
        // The expected content, read independently of the import: the last line of a key wins.
        for entity in &content {
            let last = said.iter().rfind(|said| {
                (&said.partition_key, &said.row_key) == (&entity.partition_key, &entity.row_key)
            });
            assert_eq!(Some(entity), last, "{name}");
        }
        for form in Form::ALL {
            let written = table.export(form);
            let again = Table::of(form.format(), &written);
            assert_eq!(sorted(again.content()), sorted(content.clone()), "{name} as {form:?}");
        }
    }
}
