//! Recorded requests of a server, and a design that is measured by them.

use std::{fs, process::Command};

use super::{
    client::Client,
    process::{self, Running},
    refused,
};

const DESIGN: &str = r#"
tables = 1
design = "people"

[entity.Person]
table = "people"
partition = "{group}"
row = "id_{id:04}"

[entity.Person.fields]
group = "string(40)"
id = "u32"
text = "string(40)"

[entity.Person.index.by_text]
row = "text_{text:esc}_{id:04}"

[query.person]
find = "Person"
where = "group = ? and id = ?"
rate = "1/day"

[load.Person]
count = 1000
insert = "1/day"
"#;

fn advise(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(process::BINARY).arg("advise").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn recorded_requests_are_the_load_of_a_design() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [design, requests, load] = ["people.toml", "requests.jsonl", "load.toml"].map(path);
    fs::write(&design, DESIGN).unwrap();
    for (options, said) in [(&["--record-design", &design][..], "canary"), (&["--record-values"], "")] {
        let running = Running::start(&[&["--in-memory", "--record", &requests], options].concat());
        let mut client = Client::new(&running);
        client.create_table("people");
        for row in 0..30 {
            client.insert("people", "canary", &format!("id_{row:04}"));
            assert!(client.has("people", "canary", &format!("id_{row:04}")));
        }
        client.insert("people", "canary", "text_canary_0001");
        client.query("people");
        assert_eq!(running.signal("-TERM"), Some(0));
        let text = fs::read_to_string(&requests).unwrap();
        assert!(said.is_empty() || !text.contains(said), "{text}");
        assert_eq!(text.lines().count(), 62, "{text}");
        let (code, out, notes) = advise(&[&design, "--trace", &requests, "--write-load", &load]);
        assert_eq!(code, Some(0), "{out}{notes}");
        assert!(notes.starts_with("note: 62 requests in "), "{notes}");
        let load = fs::read_to_string(&load).unwrap();
        // In a recording of less than a second, the rate is the number of calls.
        let seconds: f64 = notes.split(' ').nth(4).unwrap().parse().unwrap();
        let rate = 30.0 / seconds.max(1.0);
        let line = load.lines().find(|line| line.starts_with("insert")).unwrap();
        let insert: f64 = line.split(['"', '/']).nth(1).unwrap().parse().unwrap();
        assert!((insert / rate - 1.0).abs() < 0.01 && line.contains("/s"), "{load} {notes}");
        assert!(load.contains("person_all"), "{load}");
        fs::remove_file(&requests).unwrap();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        drop(Running::start(&["--in-memory", "--record", &requests]));
        assert_eq!(fs::metadata(&requests).unwrap().permissions().mode() & 0o077, 0);
    }
}

#[test]
fn a_recording_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let requests = folder.path().join("requests.jsonl");
    fs::write(&requests, "of yesterday").unwrap();
    let (code, words) = refused(&["--in-memory", "--record", requests.to_str().unwrap()]);
    assert!(code == Some(1) && words.contains("choose a new file with --record"), "{words}");
    assert_eq!(fs::read_to_string(&requests).unwrap(), "of yesterday");
}

#[test]
fn invalid_lines_are_reported_with_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [design, requests] = ["people.toml", "requests.jsonl"].map(path);
    fs::write(&design, DESIGN).unwrap();
    let right = r#"{"at":"2026-01-31T12:00:00Z","op":"get","table":"people","pk":"a","rk":"id_0001","rows":1,"bytes":9}"#;
    let long = format!("{{\"at\":\"{}\"}}", "x".repeat(17 << 20));
    for (wrong, said) in [
        ("{", "EOF while parsing"),
        ("[1]", "invalid type"),
        (r#"{"op":"get","table":"people"}"#, "`at` is missing"),
        (r#"{"at":"now","op":"get","table":"people"}"#, "`at` is not a time"),
        (r#"{"at":"2026-01-31T12:00:00Z","table":"people"}"#, "`op` is missing"),
        (r#"{"at":"2026-01-31T12:00:00Z","op":"steal","table":"people"}"#, "unknown variant"),
        (r#"{"at":"2026-01-31T12:00:00Z","op":"get","table":"people","pk":"a"}"#, "`rk` is missing"),
        (
            r#"{"at":"2026-01-31T12:00:00Z","op":"query","table":"people","filter":"A ="}"#,
            "the filter is invalid",
        ),
        (
            r#"{"at":"2026-01-31T12:00:00Z","op":"batch","table":"people","parts":[{"op":"get","pk":"a","rk":"b"}]}"#,
            "only writes",
        ),
        (long.as_str(), "EOF while parsing"),
    ] {
        fs::write(&requests, format!("{right}\n{wrong}\n{right}\n")).unwrap();
        let (code, _, words) = advise(&[&design, "--trace", &requests]);
        assert_eq!(code, Some(1), "{words}");
        let start = words.chars().take(600).collect::<String>();
        assert!(start.contains(", line 2: not a recorded request: ") && start.contains(said), "{start}");
        assert!(words.contains("remove the line"), "{start}");
    }
    // A server that was killed.
    fs::write(&requests, format!("{right}\n{}", right.split_at(40).0)).unwrap();
    let (code, _, words) = advise(&[&design, "--trace", &requests]);
    assert_eq!(code, Some(0), "{words}");
    assert!(
        words.contains("note: the last line is incomplete") && words.contains("note: 1 requests"),
        "{words}"
    );
}
