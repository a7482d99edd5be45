//! The code of the chapter is the code of this program, and its requests return what it prints.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use helpdesk::{open, tickets};

const CHAPTER: &str = include_str!("../../../../docs/guide/tutorial.md");

/// Returns the blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let blocks = CHAPTER.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[test]
fn the_code_of_the_chapter_is_in_the_program() {
    let blocks = blocks("rust,ignore");
    assert!(blocks.len() > 12, "{}", blocks.len());
    for block in blocks {
        let (file, code) = block.split_once('\n').unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file.trim_start_matches("// "));
        let program = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(program.contains(code), "{file} does not contain:\n{code}");
    }
}

#[test]
fn the_manifest_of_the_chapter_names_the_dependencies() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let names = |text: &str| -> Vec<String> {
        let names = text.lines().filter_map(|line| line.split_once(" = "));
        names.map(|(name, _)| name.trim_end_matches(".workspace").to_owned()).collect()
    };
    let told = names(blocks("toml")[0]);
    let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
    let used = names(dependencies.split_once("[lints]").unwrap().0);
    assert_eq!(told, used);
}

#[test]
fn the_requests_of_the_chapter_return_what_it_prints() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("helpdesk.tables");
    let mut program = Command::new(env!("CARGO_BIN_EXE_helpdesk"))
        .env("HELPDESK_STORE", &store)
        .env("HELPDESK_ADDRESS", "127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("listening on ").unwrap();
    let script = blocks("sh").into_iter().find(|block| block.contains("curl")).unwrap();
    let output = Command::new("sh").args(["-ec", script]).env("URL", url).output();
    program.kill().unwrap();
    program.wait().unwrap();
    let output = match output {
        Ok(output) if output.status.code() != Some(127) => output,
        _ => return eprintln!("skipped: sh or curl cannot be started"),
    };
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && printed.ends_with(blocks("json")[0]), "{printed}");
    // The process was killed. Its acknowledged writes are in the file.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let ticket = runtime.block_on(async {
        tickets::find(&open(store.to_str().unwrap()).unwrap(), "contoso", 1).await.unwrap()
    });
    assert_eq!(ticket.comments, 1);
}
