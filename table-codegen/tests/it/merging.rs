//! A regenerated file preserves user additions.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on says why")]

use table_codegen::{
    generate::{FileError, Files, MergeError, Options, generate, merge},
    read,
};

const DESIGN: &str = "tables = 1\n[entity.Task]\ntable = \"Tasks\"\npartition = \"{owner}\"\nrow = \"t_{id:06}\"\n\
                      [entity.Task.fields]\nowner = \"string\"\nid = \"u32\"\nstate = \"enum(open, done)\"\n\
                      [query.mine]\nfind = \"Task\"\nwhere = \"owner = ?\"\n";

fn written(design: &str, split: bool) -> table_codegen::generate::Generated {
    let schema = read(design, "tasks.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    generate(&schema, &Options { source: "tasks.toml".to_owned(), split, ..Options::default() }).unwrap()
}

#[test]
fn what_stands_outside_of_the_region_is_not_touched() {
    let new = written(DESIGN, false).root;
    let old = format!("//! Mine.\n\nuse  std::fmt ;\n{new}\n// a note\nimpl Task {{ fn  mine( ) {{}} }}\n");
    assert_eq!(merge(&old, &new).as_deref(), Ok(old.as_str()));
}

#[test]
fn derives_and_attributes_stay_and_other_items_move_below() {
    let new = written(DESIGN, false).root;
    let old = new
        .replacen(
            "#[derive(TableEntity, Clone, Debug)]",
            "#[derive(TableEntity, Clone, Debug, Hash)]\n#[serde(x)]",
            1,
        )
        .replacen("    pub id: u32", "    #[serde(y)]\n    #[table(skip)]\n    pub id: u32", 1)
        .replacen("    Open,", "    #[default]\n    Open,", 1)
        .replacen(
            "// </tables>",
            "// why\nimpl Task {\n    // inside\n    fn mine() {}\n}\n\n// </tables>",
            1,
        );
    let design = DESIGN.replace("id = \"u32\"", "id = \"u64\"").replace("{id:06}", "{id:010}");
    let merged = merge(&old, &written(&design, false).root).unwrap();
    for kept in [
        "Debug, Hash)]",
        "#[serde(x)]",
        "#[serde(y)]\n    #[table(skip)]\n    pub id: u64",
        "#[default]\n    Open,",
    ] {
        assert!(merged.contains(kept), "{kept}\n{merged}");
    }
    let (region, below) = merged.split_once("// </tables>\n").unwrap();
    assert!(!region.contains("// inside"), "{merged}");
    assert_eq!(below, "\n// why\nimpl Task {\n    // inside\n    fn mine() {}\n}\n");
    assert_eq!(merge(&merged, &written(&design, false).root).as_deref(), Ok(merged.as_str()));
}

/// Two variants with `#[default]` do not compile.
#[test]
fn the_default_of_the_design_replaces_that_of_the_user() {
    let new = written(
        &DESIGN.replace("\"enum(open, done)\"", "{ type = \"enum(open, done)\", default = \"done\" }"),
        false,
    )
    .root;
    let own = written(DESIGN, false).root.replacen("    Open,", "    #[default]\n    Open,", 1);
    let merged = merge(&own, &new).unwrap();
    assert!(
        merged.contains("#[default]\n    Done,") && merged.matches("#[default]").count() == 1,
        "{merged}"
    );
}

#[test]
fn the_older_struct_of_a_version_is_chosen_in_the_code() {
    let versioned = |version: u32| {
        DESIGN.replace("row = \"t_{id:06}\"", &format!("row = \"t_{{id:06}}\"\nversion = {version}"))
    };
    let first = written(&versioned(1), false).root;
    assert!(first.contains("#[table(version = 1)]") && !first.contains("entity_type = none"), "{first}");
    let new = written(&versioned(2), false).root;
    assert!(new.contains("#[table(version = 2, from(TaskV1))]"), "{new}");
    assert!(!new.contains("entity_type = none"), "{new}");
    let old = new.replace("from(TaskV1)", "from(v1::Task)");
    assert_eq!(merge(&old, &new).as_deref(), Ok(old.as_str()));
    // The struct of an earlier version is outdated.
    let third = written(&versioned(3), false).root;
    assert_eq!(merge(&old, &third).as_deref(), Ok(third.as_str()));
    // A retired struct is no longer named.
    let retired = written(&versioned(2).replace("version = 2", "version = 2\noldest = 2"), false).root;
    assert_eq!(merge(&old, &retired).as_deref(), Ok(retired.as_str()));
    assert!(!retired.contains("from("), "{retired}");
    // Without a version in the design, the attribute belongs to the user.
    let plain = written(DESIGN, false).root;
    let own = plain.replacen(
        "#[derive(TableEntity, Clone, Debug)]",
        "#[derive(TableEntity, Clone, Debug)]\n#[table(version = 2, from(v1::Task))]",
        1,
    );
    assert!(merge(&own, &plain).unwrap().contains("#[table(version = 2, from(v1::Task))]"));
}

#[test]
fn what_the_design_says_no_more_goes() {
    let old = written(DESIGN, false).root;
    let design = DESIGN
        .replace("enum(open, done)", "string")
        .replace("[query.mine]\nfind = \"Task\"\nwhere = \"owner = ?\"\n", "");
    let new = written(&design, false).root;
    assert_eq!(merge(&old, &new), Ok(new));
}

#[test]
fn an_empty_design_is_written_anew_as_it_is() {
    let new = written("tables = 1\n", false).root;
    assert_eq!(merge(&new, &new), Ok(new));
}

#[test]
fn a_file_of_somebody_else_is_refused() {
    let new = written(DESIGN, false).root;
    assert_eq!(merge("fn main() {}\n", &new), Err(MergeError::NoRegion));
    assert_eq!(merge(&new.replace("// </tables>", ""), &new), Err(MergeError::NoEnd));
    assert!(matches!(merge(&new.replace("pub struct", "pub strct"), &new), Err(MergeError::NotRust(_))));
}

#[test]
fn files_are_compared_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("entities.rs");
    let generated = written(DESIGN, true);
    let files = Files::at(&root, &generated).unwrap();
    assert_eq!(files.changes().count(), 2);
    files.write().unwrap();
    assert!(folder.path().join("entities/task.rs").exists());
    assert_eq!(Files::at(&root, &generated).unwrap().changes().count(), 0);
    let plain = folder.path().join("plain.rs");
    std::fs::write(&plain, "").unwrap();
    let permissions = |path| std::fs::metadata(path).unwrap().permissions();
    assert_eq!(permissions(&root), permissions(&plain));
    let other = written(&DESIGN.replace("{id:06}", "{id:07}"), true);
    let files = Files::at(&root, &other).unwrap();
    let diffs: String = files.changes().map(table_codegen::generate::Change::diff).collect();
    assert!(
        diffs.contains("-#[table(name = \"Tasks\", partition = \"{owner}\", row = \"t_{id:06}\")]"),
        "{diffs}"
    );
    std::fs::write(&root, "fn main() {}\n").unwrap();
    assert!(matches!(Files::at(&root, &generated), Err(FileError::Merge { .. })));
}

#[test]
fn generated_imports_change_with_the_queries() {
    let between = DESIGN.replace("owner = ?", "owner = ? and id between ?").replace("mine", "some");
    let (with, without) = (written(&between, false).root, written(DESIGN, false).root);
    assert!(with.contains("use std::ops::RangeBounds;") && !without.contains("RangeBounds"), "{with}");
    let mut file = with.clone();
    for _ in 0..2 {
        file = merge(&file, &without).unwrap();
        assert_eq!(file, without);
        file = merge(&file, &with).unwrap();
        assert_eq!(file, with);
    }
    // An import of the user is moved below.
    let mine = with.replace("use std::ops::RangeBounds;", "use std::ops::{RangeBounds, Range};");
    assert!(merge(&mine, &without).unwrap().ends_with("use std::ops::{RangeBounds, Range};\n"));
}
