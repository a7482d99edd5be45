//! The changes that the advisor tests automatically.

use table_advisor::{Class, Finding, Measure, Model, Suggestion};
use table_codegen::Schema;
use table_schema::catalogue::{Code, Severity};
use toml_edit::{DocumentMut, Item, Table};

use super::{DESIGNS, schema, vectors};

fn suggestions(schema: &Schema) -> Vec<Suggestion> {
    let model = Model::new(schema);
    model.suggestions(&model.findings())
}

fn read(text: &str) -> Schema {
    table_codegen::read(text, "t.toml").expect("a valid design")
}

/// Returns the source of all designs: the examples, and the valid snippets.
fn designs() -> Vec<(String, String)> {
    let example = |name: &&str| {
        let path = format!("{}/../table-codegen/tests/schemas/{name}", env!("CARGO_MANIFEST_DIR"));
        ((*name).to_owned(), std::fs::read_to_string(path).expect("a design"))
    };
    let snippets = vectors("findings.json").get("snippets").and_then(|all| all.as_array().cloned());
    let snippet = |snippet: &serde_json::Value| {
        let text = snippet["toml"].as_str().expect("a text").to_owned();
        (snippet["name"].to_string(), text)
    };
    let snippets = snippets.expect("snippets");
    let all = DESIGNS.iter().map(example).chain(snippets.iter().map(snippet));
    all.filter(|(_, text)| table_codegen::read(text, "t.toml").is_ok()).collect()
}

/// Returns the content of a file after a change was applied to it.
fn written(text: &str, suggestion: &Suggestion) -> String {
    let mut file: DocumentMut = text.parse().expect("TOML");
    for section in suggestion.change.sections() {
        let (last, above) = section.table.split_last().expect("a name");
        let mut table: &mut Table = file.as_table_mut();
        for name in above {
            let item = table.entry(name).or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            });
            table = item.as_table_mut().expect("a table");
        }
        if section.is_gone {
            assert!(table.remove(last).is_some(), "{}", suggestion.change);
            continue;
        }
        let table = table.entry(last).or_insert_with(|| Item::Table(Table::new()));
        let table = table.as_table_like_mut().expect("a table");
        for (key, value) in &section.keys {
            match value {
                Some(value) => {
                    let value: toml_edit::Value = value.parse().expect("TOML");
                    table.insert(key, toml_edit::value(value));
                }
                None => assert!(table.remove(key).is_some(), "{}", suggestion.change),
            }
        }
    }
    file.to_string()
}

#[test]
fn a_suggestion_written_into_the_file_is_the_change_that_was_tried() {
    let mut tried = 0;
    for (name, text) in designs() {
        let schema = read(&text);
        for suggestion in suggestions(&schema) {
            let mut changed = schema.clone();
            suggestion.change.apply(&mut changed);
            let file = written(&text, &suggestion);
            let again = table_codegen::read(&file, "t.toml")
                .unwrap_or_else(|mistakes| panic!("{name}\n{file}\n{mistakes}"));
            assert_eq!(again, changed, "{name}\n{}", suggestion.change);
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried}");
}

#[test]
fn a_suggestion_brings_no_error() {
    for (name, text) in designs() {
        for suggestion in suggestions(&read(&text)) {
            let mut changed = read(&text);
            let before = Model::new(&changed).findings();
            suggestion.change.apply(&mut changed);
            let after = Model::new(&changed).findings();
            for error in after.iter().filter(|finding| finding.severity == Severity::Error) {
                let same = |known: &&Finding| {
                    known.code == error.code
                        && known.subject == error.subject
                        && known.severity == error.severity
                };
                assert!(
                    before.iter().any(|known| same(&known)),
                    "{name}: {} brings {error:?}",
                    suggestion.change
                );
            }
            assert!(suggestion.come.iter().all(|finding| finding.severity > Severity::Error), "{name}");
        }
    }
}

#[test]
fn the_same_design_gives_the_same_suggestions() {
    for design in DESIGNS {
        assert_eq!(suggestions(&schema(design)), suggestions(&schema(design)), "{design}");
    }
}

/// Creates a design of one entity with these lines of its table, these fields, and additional text.
fn design(entity: &str, fields: &str, rest: &str) -> String {
    format!("tables = 1\ndesign = \"d\"\n[entity.Thing]\n{entity}\n[entity.Thing.fields]\n{fields}\n{rest}\n")
}

const KEYS: &str = "table = \"Things\"\npartition = \"{group}\"\nrow = \"thing_{id:06}\"";
const FIELDS: &str = "group = \"string(20)\"\nid = \"u32\"\nat = \"datetime\"\nsize = \"i64\"\nname = \"string(40)\"\nnote = \"string(200)\"";
const LOAD: &str =
    "[load.Thing]\ncount = 100_000\nvalues.group = { distinct = 100 }\nvalues.size = { distinct = 60 }";

#[test]
fn a_query_is_served_by_an_index_of_its_own() {
    check(&[
        // Fields with equality first, then the range, then the remaining key fields. Numbers have the width of their
        // values and one additional digit.
        (
            design(
                KEYS,
                FIELDS,
                &format!(
                    "[query.q]\nfind = \"Thing\"\nwhere = \"group = ? and name = ? and size > 5%\"\nselect = [\"at\"]\n{LOAD}"
                ),
            ),
            Code::Q02,
            "[entity.Thing.index.by_name_size]\nrow = \"name_size_{name:esc}_{size:03}_{id:06}\"\ncopy = [\"at\"]",
        ),
        // If the condition does not contain the partition, the index has separate partitions.
        (
            design(
                KEYS,
                FIELDS,
                &format!("[query.q]\nfind = \"Thing\"\nwhere = \"name = ?\"\nselect = []\n{LOAD}"),
            ),
            Code::Q01,
            "[entity.Thing.index.by_name]\npartition = \"name_{name:esc}\"\nrow = \"{group}_{id:06}\"\ncopy = []",
        ),
        // Newest entities first, by a time that is not part of a key yet.
        (
            design(
                KEYS,
                FIELDS,
                &format!("[query.q]\nfind = \"Thing\"\nwhere = \"group = ?\"\nlatest = 5\n{LOAD}"),
            ),
            Code::Q08,
            "[entity.Thing.index.by_at]\nrow = \"at_{at:inverted_ticks}_{id:06}\"",
        ),
        // A key with the correct order but the wrong direction is inverted.
        (
            design(
                &KEYS.replace("thing_", "thing_{at:ticks}_"),
                FIELDS,
                &format!("[query.q]\nfind = \"Thing\"\nwhere = \"group = ?\"\nlatest = 5\n{LOAD}"),
            ),
            Code::Q06,
            "[entity.Thing]\nrow = \"thing_{at:inverted_ticks}_{id:06}\"",
        ),
        // Fields that a query reads with separate point queries.
        (
            design(
                KEYS,
                FIELDS,
                &format!(
                    "[entity.Thing.index.by_size]\nrow = \"size_{{size:03}}_{{id:06}}\"\ncopy = [\"at\"]\n[query.q]\nfind = \"Thing\"\nwhere = \"group = ? and size = ?\"\nselect = [\"name\"]\nusing = \"by_size\"\n{LOAD}"
                ),
            ),
            Code::Q10,
            "[entity.Thing.index.by_size]\ncopy = [\"at\", \"name\"]",
        ),
        // An eventually consistent copy for a query that requires fresh data.
        (
            design(
                KEYS,
                FIELDS,
                &format!(
                    "[entity.Thing.index.by_size]\npartition = \"size_{{group}}\"\nrow = \"{{size:03}}_{{id:06}}\"\ncopy = []\n[query.q]\nfind = \"Thing\"\nwhere = \"group = ? and size = ?\"\nselect = [\"id\"]\nfresh = true\n{LOAD}"
                ),
            ),
            Code::Q16,
            "[entity.Thing.index.by_size]\nrow = \"size_{size:03}_{id:06}\"\n# without partition",
        ),
        // A lookup that no query uses.
        (
            design(KEYS, FIELDS, &format!("[entity.Thing.lookup.by_name]\non = [\"name\"]\n{LOAD}")),
            Code::Q11,
            "# without [entity.Thing.lookup.by_name]",
        ),
    ]);
}

#[test]
fn keys_are_spread_and_cut_into_periods() {
    check(&[
        // A hash after the partition: the least power of two that leaves at most 1,000 entities per second and shard.
        (
            design(KEYS, FIELDS, &format!("{LOAD}\ninsert = \"500_000/s\"")),
            Code::K01,
            "[entity.Thing]\nshard = { of = \"id\", count = 8 }\npartition = \"{group}_{shard:02}\"",
        ),
        // An existing hash with more shards.
        (
            design(
                &KEYS
                    .replace("{group}", "{group}_{shard:01}")
                    .replace("row", "shard = { of = \"id\", count = 2 }\nrow"),
                FIELDS,
                &format!("{LOAD}\ninsert = \"2_000_000/s\""),
            ),
            Code::K01,
            "[entity.Thing]\nshard = { of = \"id\", count = 16 }\npartition = \"{group}_{shard:02}\"",
        ),
        // A rising key after a hash.
        (
            design(
                &KEYS.replace("{group}", "{at:inverted_ticks}"),
                FIELDS,
                &format!("{LOAD}\ninsert = \"3000/s\""),
            ),
            Code::K04,
            "[entity.Thing]\nshard = { of = \"id\", count = 4 }\npartition = \"{shard:02}_{at:inverted_ticks}\"",
        ),
        // A period, so that the growth of partitions is bounded.
        (
            design(
                &KEYS.replace("thing_", "thing_{at:ticks}_"),
                FIELDS,
                &format!("{LOAD}\ninsert = \"300_000_000/year\""),
            ),
            Code::K07,
            "[entity.Thing]\npartition = \"{group}_{at:%Y%m}\"",
        ),
        // Tables that are dropped as a whole: the longest period that results in ten tables.
        (
            design(&format!("{KEYS}\nkeep = \"90d\""), FIELDS, &format!("{LOAD}\ninsert = \"100_000/day\"")),
            Code::T01,
            "[entity.Thing]\ntable = \"Things{at:%Y%m%d}\"\nrow = \"thing_{id:06}_{at:ticks}\"",
        ),
        (
            design(&format!("{KEYS}\nkeep = \"2y\""), FIELDS, &format!("{LOAD}\ninsert = \"100_000/day\"")),
            Code::T01,
            "[entity.Thing]\ntable = \"Things{at:%Y%m}\"\nrow = \"thing_{id:06}_{at:ticks}\"",
        ),
    ]);
}

#[test]
fn copies_hold_what_is_asked_and_what_is_steady() {
    check(&[
        // Copies that contain only the selected fields.
        (
            design(
                KEYS,
                FIELDS,
                &format!(
                    "[entity.Thing.index.by_size]\nrow = \"size_{{size:03}}_{{id:06}}\"\n[entity.Thing.index.by_at]\nrow = \"at_{{at:ticks}}_{{id:06}}\"\n[entity.Thing.index.by_name]\nrow = \"name_{{name:esc}}_{{id:06}}\"\n\
                     [query.a]\nfind = \"Thing\"\nwhere = \"group = ? and size = ?\"\nselect = [\"name\"]\n[query.b]\nfind = \"Thing\"\nwhere = \"group = ? and at within 1d\"\nselect = [\"id\"]\n[query.c]\nfind = \"Thing\"\nwhere = \"group = ? and name = ?\"\n{LOAD}"
                ),
            ),
            Code::T09,
            "[entity.Thing.index.by_size]\ncopy = [\"name\"]\n[entity.Thing.index.by_at]\ncopy = []",
        ),
        // Frequently updated fields are not copied.
        (
            design(
                KEYS,
                FIELDS,
                &format!(
                    "[entity.Thing.index.by_name]\npartition = \"name_{{name:esc}}\"\nrow = \"{{group}}_{{id:06}}\"\ncopy = [\"size\", \"at\"]\n[query.q]\nfind = \"Thing\"\nwhere = \"name = ?\"\nselect = [\"at\"]\nrate = \"1/s\"\n{LOAD}\nupdate = {{ rate = \"20/s\", fields = [\"size\"] }}"
                ),
            ),
            Code::W04,
            "[entity.Thing.index.by_name]\ncopy = [\"at\"]",
        ),
        // The number of digits that the declared number of values requires.
        (
            design(
                &KEYS.replace("06", "03"),
                FIELDS,
                "[load.Thing]\ncount = 100_000\nvalues.id = { distinct = 100_000 }",
            ),
            Code::K14,
            "[entity.Thing]\nrow = \"thing_{id:06}\"",
        ),
    ]);
}

/// Checks the only change that is tested for a design and a rule.
fn check(cases: &[(String, Code, &str)]) {
    let mut failures = Vec::new();
    for (text, code, expected) in cases {
        // A change that fixes several findings is listed under the first finding.
        let ends = |one: &&Suggestion| one.code == *code || one.gone.iter().any(|gone| gone.code == *code);
        let all = suggestions(&read(text));
        let found: Vec<String> = all.iter().filter(ends).map(|one| one.change.to_string()).collect();
        if found != [*expected] {
            failures.push(format!("{code}: {found:#?} for {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_index_for_open_orders_is_a_trade() {
    let all = suggestions(&schema("orders.toml"));
    let open = all.iter().find(|one| one.subject == "open_orders").expect("a suggestion");
    assert_eq!(
        open.change.to_string(),
        "[entity.Order.index.by_status]\npartition = \"status_{status}\"\nrow = \"{customer:08}_{number:010}\"\ncopy = [\"total\"]"
    );
    let codes = |all: &[Finding]| all.iter().map(|one| one.code).collect::<Vec<_>>();
    assert!(open.is_trade());
    assert_eq!(codes(&open.gone), [Code::Q01]);
    assert_eq!(codes(&open.come), [Code::K07, Code::W08, Code::W05]);
    let class = |measure: &Measure| {
        measure.queries.iter().map(|one| (one.query.clone(), one.class)).collect::<Vec<_>>()
    };
    assert_eq!(class(&open.before), [("open_orders".to_owned(), Class::TableScan)]);
    assert_eq!(class(&open.after), [("open_orders".to_owned(), Class::RowRange)]);
    let dearer = open.after.month / open.before.month;
    assert!((1.47..1.49).contains(&dearer), "{dearer}");
}

#[test]
fn nothing_is_suggested_where_an_error_would_come() {
    // Shards would separate an order from its lines, which are written in one transaction.
    let lines = "[entity.Line]\ntable = \"Things\"\npartition = \"{group}\"\nrow = \"line_{id:06}_{line:02}\"\n[entity.Line.fields]\ngroup = \"string(20)\"\nid = \"u32\"\nline = \"u8\"\n\
                 [relation.lines]\nkind = \"one-to-many\"\nfrom = \"Thing\"\nto = \"Line\"\non = { group = \"group\", id = \"id\" }\natomic = true\n";
    let text = design(KEYS, FIELDS, &format!("{lines}{LOAD}\ninsert = \"500_000/s\""));
    let schema = read(&text);
    assert!(Model::new(&schema).findings().iter().any(|finding| finding.code == Code::K01));
    assert!(suggestions(&schema).iter().all(|one| one.code != Code::K01));
    // Wide entities and encrypted values cannot be indexed.
    for (entity, fields) in [
        (KEYS.replace("{id:06}", "{id:06}_{part:02}") + "\nwide = 200", FIELDS.to_owned()),
        (KEYS.to_owned(), FIELDS.replace("\"string(40)\"", "{ type = \"string(40)\", encrypt = true }")),
    ] {
        let text = design(
            &entity,
            &fields,
            &format!("[query.q]\nfind = \"Thing\"\nwhere = \"group = ? and name = ?\"\n{LOAD}"),
        );
        let suggested = table_codegen::read(&text, "t.toml").map(|schema| suggestions(&schema));
        assert!(suggested.is_ok_and(|all| all.is_empty()), "{text}");
    }
}
