//! The queries of the example designs for which no function is generated.

use std::{fs, path::Path};

use table_codegen::generate::{Options, generate};

#[test]
fn queries_without_a_function_are_known() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = Vec::new();
    for folder in ["schemas", "workloads"] {
        for file in fs::read_dir(tests.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_design = folder == "schemas" || name.ends_with(".design");
            if !is_design || path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let schema =
                table_codegen::read(&text, &name).unwrap_or_else(|mistakes| panic!("{name}: {mistakes}"));
            let generated =
                generate(&schema, &Options::default()).unwrap_or_else(|refused| panic!("{name}: {refused}"));
            found.extend(generated.left_out.into_iter().map(|(query, why)| format!("{name}.{query}: {why}")));
        }
    }
    found.sort();
    assert_eq!(
        found,
        [
            "feed.design.by_handle: the index of this name has this function",
            "iot.chart_week: a wide entity is read by its complete key only",
            "logins.failures_today: `at` is only in the key, which a scan cannot filter",
            "orders.by_reference: the index of this name has this function",
            "orders.design.by_reference: the index of this name has this function",
            "tickets.design.by_reference: the index of this name has this function",
        ]
    );
}
