//! The patterns that one entity can combine. Every pair, as decided by the derive, is compared with the table in the
//! book (`docs/guide/combinations.md`) and with the recorded diagnostics (`snapshots/combinations.snap.txt`).

use proc_macro2::TokenStream;

/// A pattern, in the form of its arguments on an entity.
struct Pattern {
    name: &'static str,
    /// The argument of the entity; `COPY` marks the position where an index lists its copied fields.
    word: &'static str,
    fields: &'static str,
    /// The parts that it requires in the table name, the partition key and the row key.
    keys: [&'static str; 3],
}

const fn pattern(name: &'static str, word: &'static str, fields: &'static str) -> Pattern {
    Pattern { name, word, fields, keys: ["", "", ""] }
}

const PATTERNS: [Pattern; 26] = [
    pattern("near index", "index(by_a, row = \"a_{a:06}_{id:06}\" COPY)", "a: u32,"),
    pattern("near unique", "index(by_b, row = \"b_{b}\", unique COPY)", "b: String,"),
    pattern(
        "far index",
        "index(by_c, table = \"ItemsByC\", partition = \"{c:06}\", row = \"{shop}_{id:06}\" COPY)",
        "c: u32,",
    ),
    pattern("far unique", "index(by_d, partition = \"d_{d:06}\", row = \"holder\", unique COPY)", "d: u32,"),
    pattern("near lookup, rows", "lookup(by_e, on = e, place = partition)", "e: u32,"),
    pattern("near lookup, lists", "lookup(by_f, on = f, place = partition, ids = \"Ids\")", "f: u32,"),
    pattern("far lookup, rows", "lookup(by_g, on = g, place = table, table = \"ItemsByG\")", "g: u32,"),
    pattern(
        "far lookup, lists",
        "lookup(by_h, on = h, place = table, table = \"ItemsByH\", ids = \"Ids\")",
        "h: u32,",
    ),
    pattern("blob lookup", "lookup(by_k, on = k, place = blob)", "k: u32,"),
    pattern("total, source", "summed_in(Shop::value, of = value)", "value: i64,"),
    pattern("total, target", "", "#[table(from_source)] count: i64,"),
    pattern("copied fields, source", "copied_to(Shop::item)", "title: String,"),
    pattern("copied fields, target", "", "#[table(from_source)] owner: Option<Owner>,"),
    pattern("series", "", "#[table(series)] hours: [Option<i32>; 4],"),
    Pattern { keys: ["", "", "_{part:02}"], ..pattern("wide", "wide = 2", "") },
    Pattern {
        keys: ["{at:%Y%m%d}", "", "_{at:inverted_ticks}"],
        ..pattern("table for each period", "", "at: Timestamp,")
    },
    Pattern { keys: ["", "_{shard:02}", ""], ..pattern("shard", "shard(of = id, count = 8)", "") },
    pattern("blob field", "", "#[table(blob)] photo: Blob,"),
    pattern("encrypt", "", "#[table(encrypt)] secret: String,"),
    pattern("archive", "archive = \"FormerItems\"", ""),
    pattern("version", "version = 2, from(ItemV1)", ""),
    pattern("change feed", "changes", ""),
    pattern("nested struct", "", "#[table(flatten)] address: Address,"),
    pattern("expiry", "expires = ends", "ends: Timestamp,"),
    pattern(
        "time stamps",
        "",
        "#[table(created)] made: Timestamp, #[table(updated)] changed: Option<Timestamp>,",
    ),
    pattern("soft delete", "soft_delete = deleted", "deleted: Option<Timestamp>,"),
];

/// The result for a pair of patterns.
enum Verdict {
    Compiles,
    /// Allowed if the index lists its copied fields.
    NeedsCopy,
    Refused(String),
}

/// Returns the diagnostic for an entity with these patterns: the one that names both patterns, if there are several.
fn refusal(patterns: &[&Pattern], copy: &str) -> Option<String> {
    let key = |place: usize| patterns.iter().map(|pattern| pattern.keys[place]).collect::<String>();
    // The part number must be last.
    let mut row: Vec<&str> = patterns.iter().map(|pattern| pattern.keys[2]).collect();
    row.sort_by_key(|key| key.contains("part"));
    let words = patterns.iter().filter(|pattern| !pattern.word.is_empty());
    let words = words.map(|pattern| format!("#[table({})]", pattern.word)).collect::<Vec<_>>().concat();
    let fields: String = patterns.iter().map(|pattern| pattern.fields).collect();
    let entity = format!(
        "#[table(name = \"Items{}\", partition = \"{{shop}}{}\", row = \"i_{{id:06}}{}\")] {} \
         struct Item {{ shop: String, id: u32, note: String, rest: Option<String>, {fields} }}",
        key(0),
        key(1),
        row.concat(),
        words.replace("COPY", copy),
    );
    let tokens: TokenStream = entity.parse().expect("Rust");
    let expansion = crate::entity_impl(tokens).to_string();
    let messages = expansion.split("compile_error").skip(1).map(|message| {
        let (_, message) = message.split_once('"').expect("a text");
        let end = message.find("\\n").or(message.find('"')).expect("a text ends");
        message.split_at(end).0.to_owned()
    });
    let messages: Vec<String> = messages.collect();
    let of_pair = messages.iter().find(|message| message.contains("not supported yet"));
    of_pair.or(messages.first()).cloned()
}

fn verdict(one: &Pattern, other: &Pattern) -> Verdict {
    if let Some(message) = refusal(&[one, other], ", copy(note)") {
        return Verdict::Refused(message);
    }
    match refusal(&[one, other], "") {
        Some(_) => Verdict::NeedsCopy,
        None => Verdict::Compiles,
    }
}

/// Returns the table of the book, and the diagnostics.
fn table() -> (String, String) {
    let header: Vec<String> = (1..=PATTERNS.len()).map(|number| number.to_string()).collect();
    let mut table =
        format!("| | pattern | {} |\n|---|---|{}\n", header.join(" | "), "---|".repeat(PATTERNS.len()));
    let mut refusals = String::new();
    for (row, one) in PATTERNS.iter().enumerate() {
        table.extend([format!("| {} | {} |", row + 1, one.name)]);
        for (column, other) in PATTERNS.iter().enumerate() {
            let cell = match (row == column, verdict(one, other)) {
                (true, _) => "",
                (false, Verdict::Compiles) => "✓",
                (false, Verdict::NeedsCopy) => "c",
                (false, Verdict::Refused(message)) => {
                    if row < column {
                        refusals.extend([format!("{} + {}: {message}\n", one.name, other.name)]);
                    }
                    "–"
                }
            };
            table.extend([" ", cell, " |"]);
        }
        table += "\n";
    }
    (table, refusals)
}

#[test]
fn book_lists_every_pair() {
    let (table, refusals) = table();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_binary_snapshot!("combinations.txt", refusals.into_bytes());
    });
    let book = include_str!("../../docs/combinations.md");
    assert!(book.contains(&table), "the table in docs/guide/combinations.md must be:\n{table}");
}

#[test]
fn each_pattern_compiles_alone() {
    for pattern in &PATTERNS {
        assert_eq!(refusal(&[pattern], ""), None, "{}", pattern.name);
    }
}
