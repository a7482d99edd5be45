//! Compares the workspace layout with the manifests: the allowed dependencies between crates, and the excluded
//! packages.

#![expect(clippy::expect_used, reason = "a test that cannot go on says why")]

mod designs;
mod layers;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The crates of the workspace that a crate may depend on, dev-dependencies aside. `table-schema` and `table-model` are
/// the base crates and do not depend on each other.
const MAY_USE: &[(&str, &[&str])] = &[
    ("xtask", &[]),
    ("table-schema", &[]),
    ("table-model", &[]),
    ("table-store", &["table-model"]),
    ("table-designs", &["table-schema"]),
    ("table-advisor", &["table-designs", "table-schema"]),
    ("table-derive", &["table-grammar", "table-schema"]),
    ("table-grammar", &["table-schema"]),
    ("table-codegen", &["table-designs", "table-grammar", "table-schema"]),
    ("table-rest", &["table-model"]),
    ("table-postgres", &["table-model"]),
    ("table-exchange", &["table-model", "table-rest"]),
    (
        "table-explorer",
        &[
            "table-advisor",
            "table-codegen",
            "table-designs",
            "table-exchange",
            "table-model",
            "table-patterns",
            "table-rest",
            "table-schema",
            "table-store",
        ],
    ),
    (
        "table-patterns",
        &[
            "table-derive",
            "table-designs",
            "table-model",
            "table-postgres",
            "table-rest",
            "table-schema",
            "table-store",
        ],
    ),
    (
        "table-cli",
        &[
            "table-advisor",
            "table-codegen",
            "table-designs",
            "table-exchange",
            "table-explorer",
            "table-model",
            "table-patterns",
            "table-postgres",
            "table-rest",
            "table-schema",
            "table-store",
        ],
    ),
    ("table-examples", &["table-patterns"]),
    ("helpdesk", &["table-patterns"]),
    ("table-tests", &["table-codegen", "table-patterns", "table-schema", "table-store"]),
];

/// Maximum length of a source file in lines. Most have about a hundred.
const MOST_LINES: usize = 450;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's root").to_path_buf()
}

/// Returns the platform of this toolchain.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("rustc prints text");
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

/// Returns `cargo metadata` of the workspace, with resolved dependencies and default features. Offline and for this
/// platform: the packages are those of the build.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &host()])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// Returns the crates of the workspace by name.
fn members(metadata: &Value) -> BTreeMap<&str, &Value> {
    let ids: BTreeSet<&str> = items(metadata, "workspace_members").filter_map(Value::as_str).collect();
    items(metadata, "packages")
        .filter(|package| ids.contains(text(package, "id")))
        .map(|package| (text(package, "name"), package))
        .collect()
}

#[test]
fn dependencies_point_down_only() {
    let metadata = metadata();
    let members = members(&metadata);
    for (name, package) in &members {
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            assert!(
                text(package, "manifest_path").contains("/tests/"),
                "`{name}` has no place in the house plan"
            );
            continue;
        };
        for dependency in items(package, "dependencies") {
            let used = text(dependency, "name");
            if dependency["kind"].as_str() == Some("dev") || !members.contains_key(used) {
                continue;
            }
            assert!(allowed.contains(&used), "`{name}` may not use `{used}`");
        }
    }
}

/// Returns all packages that a separate build of `name` with default features needs. `cargo metadata` is unsuitable,
/// because it unifies the features of all members.
fn normal_tree(name: &str, options: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", name, "--edges", "normal", "--target", &host()])
        .args(["--prefix", "none", "--format", "{lib} {p}"])
        .args(options)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo prints text");
    // The name of the library, the name of the package, its version.
    text.lines().filter_map(|line| line.rsplit_once(" v")?.0.rsplit(' ').next().map(str::to_owned)).collect()
}

#[test]
fn no_runtime_and_no_c_comes_with_the_library() {
    for name in ["table-store", "table-patterns"] {
        let tree = normal_tree(name, &[]);
        assert!(tree.contains("redb"), "the walk must see the engine");
        for unwanted in
            ["tokio", "async-std", "smol", "openssl-sys", "cc", "cmake", "azure_core", "table-rest"]
        {
            assert!(!tree.contains(unwanted), "`{name}` drags in `{unwanted}`");
        }
    }
    let tree = normal_tree("table-patterns", &["--features", "azure"]);
    assert!(tree.contains("azure_core"), "the walk must see the pipeline");
    for unwanted in ["openssl-sys", "aws-lc-sys", "cmake"] {
        assert!(!tree.contains(unwanted), "the client drags in `{unwanted}`");
    }
}

#[test]
fn no_engine_comes_without_the_store() {
    let crates: [(&str, &[&str]); 6] = [
        ("table-model", &[]),
        ("table-rest", &["--all-features"]),
        ("table-exchange", &[]),
        ("table-codegen", &[]),
        ("table-derive", &[]),
        ("table-patterns", &["--no-default-features"]),
    ];
    for (name, options) in crates {
        let tree = normal_tree(name, options);
        assert!(tree.contains("thiserror"), "the walk must see the dependencies of `{name}`");
        for unwanted in ["redb", "table-store"] {
            assert!(!tree.contains(unwanted), "`{name}` drags in `{unwanted}`");
        }
    }
}

/// `cargo run --example tour` enables the features that any default member uses.
#[test]
fn the_tour_compiles_no_client_and_no_tools() {
    let metadata = metadata();
    let defaults: BTreeSet<&str> =
        items(&metadata, "workspace_default_members").filter_map(Value::as_str).collect();
    let members = members(&metadata);
    let chosen = members.iter().filter(|(_, package)| defaults.contains(text(package, "id")));
    let chosen: Vec<&str> = chosen.map(|(name, _)| *name).collect();
    assert_eq!(chosen, ["table-examples", "table-patterns"]);
    let tree = normal_tree("table-examples", &[]);
    assert!(tree.contains("redb"), "the walk must see the engine");
    for unwanted in [
        "reqwest",
        "hyper",
        "azure_core",
        "rustls",
        "tokio",
        "table-rest",
        "table-designs",
        "aes-gcm",
        "toml",
    ] {
        assert!(!tree.contains(unwanted), "the tour drags in `{unwanted}`");
    }
}

/// The engine is replaceable: everything else uses the traits of `table-store/src/engine.rs`.
#[test]
fn one_place_names_the_engine() {
    let metadata = metadata();
    let members = members(&metadata);
    for (name, package) in &members {
        let uses = items(package, "dependencies").any(|dependency| text(dependency, "name") == "redb");
        assert_eq!(uses, *name == "table-store", "`{name}`");
    }
    let store = root().join("table-store/src");
    let engine = store.join("engine");
    let mut files = Vec::new();
    sources(&store, &mut files);
    let names = |file: &&PathBuf| std::fs::read_to_string(file).expect("a source file").contains("redb::");
    let others: Vec<_> = files
        .iter()
        .filter(names)
        .filter(|file| {
            **file != store.join("engine.rs")
                && **file != engine.join("redb.rs")
                && !file.starts_with(engine.join("redb"))
        })
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    for (name, package) in members(&metadata()) {
        let manifest = std::fs::read_to_string(text(package, "manifest_path")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let inherited = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(inherited.and_then(toml::Value::as_bool), Some(true), "`{name}`");
    }
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, into);
        } else if entry.extension().is_some_and(|extension| extension == "rs")
            // Generated files.
            && !entry.to_string_lossy().ends_with(".snap.rs")
        {
            into.push(entry);
        }
    }
}

#[test]
fn rooms_are_small() {
    let mut lengths = Vec::new();
    for crate_folder in [
        "table-schema",
        "table-designs",
        "table-model",
        "table-store",
        "table-grammar",
        "table-derive",
        "table-codegen",
        "table-rest",
        "cli",
        "patterns",
        "examples",
    ] {
        let mut files = Vec::new();
        sources(&root().join(crate_folder).join("src"), &mut files);
        for file in files {
            let lines = std::fs::read_to_string(&file).expect("a source file").lines().count();
            assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
            lengths.push(lines);
        }
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 150, "the median file has {median} lines");
}
