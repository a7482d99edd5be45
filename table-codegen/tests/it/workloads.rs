//! Reading of workload files.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

use table_codegen::{read_workload, write_workload};
use table_designs::schema::Workload;

const TICKETS: &str = r#"tables = 1
workload = "tickets"
[entity.Ticket]
id = ["tenant", "number"]
unique = [["reference"]]
keep = "400d"
[entity.Ticket.fields]
tenant = "u32"
number = "u32"
reference = "string(16)"
assignee = "u32"
note = "string(40)?"
[entity.User]
id = ["user"]
[entity.User.fields]
user = "u32"
name = "string(60)"
[relation.assignee]
kind = "one-to-many"
from = "User"
to = "Ticket"
on = { user = "assignee" }
"#;

fn good(rest: &str) -> Workload {
    read_workload(&format!("{TICKETS}{rest}"), "tickets.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Returns the codes, messages, labels and helps for the text after `TICKETS`.
fn told(rest: &str) -> Vec<String> {
    let mistakes = read_workload(&format!("{TICKETS}{rest}"), "tickets.toml").expect_err("a mistake");
    let text = |one: &table_codegen::Diagnostic| {
        format!("{} {}: {} ({})", one.code, one.message, one.label, one.help)
    };
    mistakes.iter().map(text).collect()
}

#[test]
fn every_workload_of_the_vectors_is_read() {
    for name in ["chat", "feed", "orders", "rubis", "telemetry", "tickets"] {
        let path = format!("{}/tests/workloads/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a workload");
        let workload = read_workload(&text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(workload.content.name, name);
        assert_eq!(workload.identities.len(), workload.content.entities.len());
        assert_eq!(workload.requirements.len(), workload.content.queries.len());
    }
}

#[test]
fn queries_reach_over_references() {
    let workload = good(
        "[query.q]\nfind = \"Ticket\"\nwhere = \"tenant = ? and assignee.name = ?\"\norder = \"-number\"\n\
         select = [\"*\", \"assignee.*\"]\ndeadline = \"2s\"\n[limits]\nhottest = \"50%\"\nyield = 5\n\
         [load.Ticket]\nknows = [\"assignee\"]\ninsert = \"1/s\"\n",
    );
    let (relation, user) = workload.reference("Ticket", "assignee").expect("a reference");
    assert_eq!((relation.name.as_str(), user.name.as_str()), ("assignee", "User"));
    assert!(workload.reference("Ticket", "tenant").is_none());
    assert_eq!(workload.identity("Ticket").expect("an identity").knows, ["assignee"]);
    assert_eq!(workload.limits.hottest, Some(1_000.0));
    let requirement = &workload.requirements[0];
    assert_eq!(requirement.deadline.expect("a deadline").to_string(), "2000ms");
    assert_eq!(requirement.order.as_ref().map(|order| order.field.as_str()), Some("number"));
}

#[test]
fn keys_belong_to_the_search() {
    let text = TICKETS.replace("keep =", "partition = \"{tenant}\"\nkeep =");
    let mistakes = read_workload(&text, "tickets.toml").unwrap_err().to_string();
    assert!(mistakes.contains("error[D004]: a workload does not declare `partition`"), "{mistakes}");
    assert!(mistakes.contains("^ chosen by the search"), "{mistakes}");
    assert_eq!(
        told("[query.q]\nfind = \"Ticket\"\nlatest = 3\n"),
        ["D004 a workload has no `latest`: belongs to a design (order = \"-opened\" and limit = 20)"]
    );
    let mistakes = read_workload("tables = 1\ndesign = \"a\"\n", "a").unwrap_err().to_string();
    assert!(mistakes.contains("error[D004]: this file is a design, not a workload"), "{mistakes}");
}

#[test]
fn unknown_names_are_told_with_the_nearest_name() {
    for (rest, expected) in [
        ("[query.q]\nfind = \"Tiket\"\n", "D014 no entity `Tiket`: did you mean `Ticket`? ()"),
        (
            "[query.q]\nfind = \"Ticket\"\nwhere = \"asignee.name = ?\"\n",
            "D014 `asignee` is no reference of `Ticket`: did you mean `assignee`? ()",
        ),
        (
            "[query.q]\nfind = \"Ticket\"\nselect = [\"assignee.nam\"]\n",
            "D021 `User` has no field `nam`: did you mean `name`? ()",
        ),
        (
            "[query.q]\nfind = \"Ticket\"\norder = \"-numbr\"\n",
            "D021 `Ticket` has no field `numbr`: did you mean `number`? ()",
        ),
        (
            "[load.Ticket]\nknows = [\"assigne\"]\n",
            "D021 `Ticket` has no field `assigne`: did you mean `assignee`? ()",
        ),
        ("[limits]\nhotest = 3\n", "D004 unknown key `hotest`: did you mean `hottest`? ()"),
        (
            "[query.q]\nfind = \"Ticket\"\ndeadline = \"3months\"\n",
            "D018 cannot read this time: expected a number above 0 and a unit (deadline = \"100ms\"; units: ms, s, min, h, d, w, y)",
        ),
        (
            "[limits]\nhottest = \"many\"\n",
            "D005 `hottest` must be a number or a percentage: expected entities per second, or `50%` of the target \
             (hottest = 1_000)",
        ),
    ] {
        assert_eq!(told(rest), [expected], "{rest}");
    }
}

#[test]
fn an_identity_is_complete() {
    let text = TICKETS.replace("id = [\"user\"]", "id = []").replace("\"reference\"]]", "\"note\"]]");
    let mistakes = read_workload(&text, "tickets.toml").unwrap_err();
    let codes: Vec<(&str, usize)> = mistakes.iter().map(|one| (one.code.as_str(), one.line)).collect();
    assert_eq!(codes, [("D033", 5), ("D006", 14)]);
    let text = TICKETS.replace("id = [\"user\"]\n", "");
    assert_eq!(read_workload(&text, "tickets.toml").unwrap_err()[0].message, "entity `User` has no `id`");
}

#[test]
fn a_workload_without_entities_or_queries_is_incomplete() {
    assert_eq!(
        told("[load.Ticket]\ninsert = 3\n"),
        [
            "D006 this workload has no queries: nothing determines the keys (add [query.ticket] with `find`, `where` and `rate`)"
        ]
    );
    let mistakes = read_workload("tables = 1\nworkload = \"x\"\n", "x.toml").expect_err("a mistake");
    let lines: Vec<(&str, usize)> = mistakes.iter().map(|one| (one.message.as_str(), one.line)).collect();
    assert_eq!(lines, [("this workload has no entities", 2), ("this workload has no queries", 2)]);
}

#[test]
fn conditions_compare_fields_with_values() {
    let query = |test: &str| format!("[query.q]\nfind = \"Ticket\"\nwhere = \"{test}\"\n");
    let workload = good(&format!(
        "{}late = \"10s\"\n[query.r]\nfind = \"Ticket\"\nlate = 0\n[limits]\nstorage_gib = 3\n\
         [load.Ticket]\nvalues.number = {{ share = {{ 3 = 0.5, 4 = 0.5 }} }}\n",
        query("tenant = ? and number = 3 and assignee.name = 'Jo'")
    ));
    let tests = &workload.content.queries[0].filter.as_ref().expect("a condition").alternatives[0].tests;
    let values: Vec<Option<String>> =
        tests.iter().map(|test| Some(test.value.as_ref()?.to_string())).collect();
    assert_eq!(values, [None, Some("3".to_owned()), Some("'Jo'".to_owned())]);
    let share = workload.content.load_of("Ticket").and_then(|load| load.values_of("number"));
    assert_eq!(share.expect("values").share, [("3".to_owned(), 0.5), ("4".to_owned(), 0.5)]);
    assert_eq!(workload.requirements[0].late.expect("an age").to_string(), "10000ms");
    assert!(workload.content.queries[1].fresh && workload.requirements[1].late.is_none());
    assert_eq!(workload.limits.storage_gib, Some(3.0));
    for (rest, expected) in [
        (query("number = open"), "D016 `number` cannot have this value: not for this type (number = 3)"),
        (query("assignee.name = 4"), "D016 `name` cannot have this value: not for this type (name = 'text')"),
        (
            query("number = 3x"),
            "D016 cannot read this condition: expected a word, a number or a text in single quotes (number = ?)",
        ),
        (
            format!(
                "{}[load.Ticket]\nvalues.number = {{ share = {{ 3 = 0.7, 4 = 0.5 }} }}\n",
                query("number = 3")
            ),
            "D024 the fractions of `share` exceed 1: at most 1 in all (share = { open = 0.02 })",
        ),
        (
            format!("{}[load.Ticket]\nvalues.number = {{ share = {{ 3 = -1 }} }}\n", query("number = 3")),
            "D024 `3` is out of range: from 0 to 1 ()",
        ),
        (
            format!("{}[load.Ticket]\nvalues.number = {{ share = {{ open = 0.1 }} }}\n", query("number = 3")),
            "D023 `number` cannot have this value: not for this type (number = 3)",
        ),
        (
            query("number = 4294967296"),
            "D016 `number` cannot have this value: not for this type (number = 3)",
        ),
    ] {
        assert_eq!(told(&rest), [expected], "{rest}");
    }
}

#[test]
fn a_written_workload_is_read_again() {
    for name in ["chat", "feed", "orders", "rubis", "telemetry", "tickets"] {
        let path = format!("{}/tests/workloads/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a workload");
        let workload = read_workload(&text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let written = write_workload(&workload);
        let again = read_workload(&written, name).unwrap_or_else(|mistakes| panic!("{mistakes}\n{written}"));
        assert_eq!(write_workload(&again), written, "{name}");
        assert_eq!(again.requirements, workload.requirements, "{name}");
        assert_eq!((again.identities, again.limits), (workload.identities, workload.limits), "{name}");
        assert_eq!(again.content.load, workload.content.load, "{name}");
    }
}

#[test]
fn values_of_queries_are_written_and_read_again() {
    let text = "tables = 1\n[entity.A]\nid = [\"a\"]\n[entity.A.fields]\na = \"u32\"\nb = \"u32\"\nc = \"string(9)\"\n\
                [load.A]\nvalues.c = { share = { \"it's <b>\" = 0.25 } }\n[query.q]\nfind = \"A\"\nwhere = \"b = ?\"\nvalue = \"count\"\nlate = \"2min\"\n\
                [query.r]\nfind = \"A\"\nwhere = \"b = ?\"\nvalue = \"sum(a)\"\n";
    let workload = read_workload(text, "a.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let written = write_workload(&workload);
    let again = read_workload(&written, "a.toml").unwrap_or_else(|mistakes| panic!("{mistakes}\n{written}"));
    assert_eq!(
        (again.requirements, again.content.queries),
        (workload.requirements, workload.content.queries)
    );
}

#[test]
fn fields_that_identify_are_distinct() {
    let of = |keys: &str| {
        format!(
            "tables = 1\n[entity.A]\n{keys}\n[entity.A.fields]\na = \"u32\"\n[query.q]\nfind = \"A\"\nwhere = \"a = ?\"\nrate = \"1/s\"\n"
        )
    };
    assert!(read_workload(&of("id = [\"a\"]"), "a.toml").is_ok());
    for keys in ["id = [\"a\", \"a\"]", "id = [\"a\"]\nunique = [[]]"] {
        let mistakes = read_workload(&of(keys), "a.toml").expect_err("a rejected workload");
        assert!(mistakes.to_string().contains("at least one field, and each field once"), "{mistakes}");
    }
}

#[test]
fn an_entity_is_not_a_part_of_itself() {
    let entity = |name: &str| {
        format!("[entity.{name}]\nid = [\"k\"]\n[entity.{name}.fields]\nk = \"u32\"\nof = \"u32\"\n")
    };
    let relation = |from: &str, to: &str| {
        format!(
            "[relation.{to}_of]\nkind = \"one-to-many\"\nfrom = \"{from}\"\nto = \"{to}\"\natomic = true\n\
             on = {{ k = \"of\" }}\n"
        )
        .replace(&format!("{to}_of"), &format!("{}_of", to.to_lowercase()))
    };
    let text = |relations: &str| {
        let entities: String = ["A", "B"].map(entity).concat();
        let query = "[query.q]\nfind = \"A\"\nwhere = \"k = ?\"\nrate = \"1/s\"\n";
        format!("tables = 1\nworkload = \"x\"\n{entities}{relations}{query}")
    };
    let one = relation("A", "B");
    assert!(read_workload(&text(&one), "x.toml").is_ok());
    let both = read_workload(&text(&format!("{one}{}", relation("B", "A"))), "x.toml").expect_err("a cycle");
    let told = both.to_string();
    assert!(told.contains("atomic relations lead from `B` back to `A`"), "{told}");
    let own = read_workload(&text(&relation("A", "A")), "x.toml").expect_err("a cycle");
    assert!(own.to_string().contains("an entity would be a part of itself"), "{own}");
}
