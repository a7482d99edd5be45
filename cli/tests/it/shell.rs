//! Completion scripts, manual pages, and messages on a terminal.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    process::{Command, Stdio},
};

fn tables(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tables")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands in the help.
fn commands() -> BTreeSet<String> {
    let help = tables(&["--help"]);
    let list = help.split_once("Commands:\n").unwrap().1;
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn each_shell_gets_a_script_that_knows_every_command() {
    let commands = commands();
    assert!(commands.contains("serve") && commands.contains("completions"), "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = tables(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn bash_loads_its_script() {
    let mut bash = match Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() {
        Ok(bash) => bash,
        Err(error) => return eprintln!("left out: bash cannot be started: {error}"),
    };
    bash.stdin.take().unwrap().write_all(tables(&["completions", "bash"]).as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn every_command_has_a_page_with_its_examples() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    tables(&["man", "-o", pages.to_str().unwrap()]);
    let names = fs::read_dir(&pages).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap());
    let expected = commands().into_iter().map(|command| format!("tables-{command}.1"));
    assert_eq!(
        names.collect::<BTreeSet<_>>(),
        expected.chain(["tables.1".to_owned()]).collect::<BTreeSet<_>>()
    );
    for command in commands() {
        let page = fs::read_to_string(pages.join(format!("tables-{command}.1"))).unwrap();
        assert!(page.contains("Examples:"), "{command}");
        assert!(page.contains(&format!("\\fBtables {command}\\fR")), "{command}: {page}");
    }
    assert_eq!(tables(&["man"]), fs::read_to_string(pages.join("tables.1")).unwrap());
}

/// `script` runs a command on a pseudo terminal.
#[cfg(target_os = "linux")]
#[test]
fn an_error_is_broken_at_the_width_of_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("missing.tables");
    let command = format!("'{}' stats --store '{}'", env!("CARGO_BIN_EXE_tables"), store.display());
    let lines = |width: usize| {
        let on_terminal = format!("stty cols {width} rows 24; {command}");
        let output =
            Command::new("script").args(["-qec", &on_terminal, "/dev/null"]).stdin(Stdio::null()).output();
        match output {
            Ok(output) => {
                Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
            }
            Err(error) => {
                eprintln!("left out: script cannot be started: {error}");
                None
            }
        }
    };
    let (Some(narrow), Some(wide)): (Option<Vec<String>>, _) = (lines(60), lines(5_000)) else { return };
    let wide: Vec<String> = wide;
    assert!(wide.len() == 1 && wide[0].starts_with("error: ") && wide[0].len() > 60, "{wide:?}");
    assert!(
        narrow.len() > 1 && narrow.iter().all(|line| line.len() <= 60 || !line.contains(' ')),
        "{narrow:?}"
    );
    assert_eq!(narrow.join(" "), wide[0]);
}

/// Returns the lines of a command on a terminal of 80 columns, or `None` if `script` cannot be started.
#[cfg(target_os = "linux")]
fn on_terminal(arguments: &str) -> Option<Vec<String>> {
    let command = format!("stty cols 80 rows 24; '{}' {arguments}", env!("CARGO_BIN_EXE_tables"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("NO_COLOR", "1").stdin(Stdio::null());
    match script.output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()),
        Err(error) => {
            eprintln!("left out: script cannot be started: {error}");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn tables_of_data_fit_the_terminal_and_do_not_control_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("long.tables");
    let (opened, table) = (table_store::Store::open(&store).unwrap().blocking(), "Rows".parse().unwrap());
    opened.create_table(&table).unwrap();
    let key = |last: char| format!("{}{last}", "0123456789".repeat(9));
    for last in ['a', 'b'] {
        let row = table_store::Entity::new(key('p'), key(last))
            .with("Text", "\u{9b}2J\u{202e}\u{200b}\u{1b}[31m")
            .with(
                "EntityType",
                "a type of a name that is much longer than a column of a terminal can be, without end",
            );
        opened.execute(&table, table_store::Operation::Insert(row)).unwrap();
    }
    opened.close().unwrap();
    let path = store.display();
    for command in ["query Rows --top 2", "stats Rows --scan", "versions"] {
        let Some(lines) = on_terminal(&format!("{command} --store '{path}'")) else { return };
        let rows: Vec<&str> =
            lines.iter().map(String::as_str).filter(|line| line.starts_with("  ")).collect();
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row.chars().count() <= 80),
            "{command}: {lines:#?}"
        );
        // The progress line uses the control sequences of the terminal itself.
        let text = rows.join("\n");
        assert!(
            !text.contains(['\u{9b}', '\u{202e}', '\u{200b}']) && !text.contains("\u{1b}[31m"),
            "{text:?}"
        );
        if command.starts_with("query") {
            let (first, second) = rows[1..].split_at(rows.len() / 2);
            assert!(first.len() > 1 && first != second, "{rows:#?}");
        }
    }
}
