use serde_json::Value;

use super::{file, tables};

fn run(arguments: &[&str]) -> Value {
    let answer = tables(&[&["simulate", "logins.toml", "--format", "json"], arguments].concat());
    assert_eq!(answer.code, 0, "{}", answer.errors);
    serde_json::from_str(&answer.out).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let arguments = ["simulate", "company.toml", "--servers", "20", "--rate", "100_000", "--minutes", "3"];
    assert_eq!(tables(&arguments), tables(&arguments));
}

#[test]
fn more_servers_serve_more_until_the_keys_do_not_allow_it() {
    let served =
        |servers| run(&["--rate", "70_000", "--servers", servers])["run"]["tail"]["served"].as_f64().unwrap();
    let (one, ten) = (served("1"), served("10"));
    assert!(one < 10_000.1 && ten > 2.0 * one, "{one} {ten}");
}

#[test]
fn a_run_is_as_long_as_asked() {
    assert_eq!(run(&["--minutes", "2"])["seconds"], 120);
    let answer = tables(&["simulate", "company.toml", "--minutes", "1", "--rate", "50000"]);
    assert!(answer.out.contains("10 servers, 60 s; results of the last 60 s:"), "{}", answer.out);
    let heat = answer.out.lines().filter(|line| line.contains('▕')).count();
    assert!((2..=15).contains(&heat), "{}", answer.out);
}

#[test]
fn a_design_that_is_asked_for_nothing_is_refused() {
    let design = file(
        "tables = 1\n[entity.Day]\ntable = \"Days\"\npartition = \"{site}\"\nrow = \"day\"\n\
         [entity.Day.fields]\nsite = \"string(40)\"\n",
    );
    let answer = tables(&["simulate", design.path().to_str().unwrap()]);
    assert_eq!(answer.code, 1);
    assert!(answer.errors.contains("specifies no load"), "{}", answer.errors);
}
