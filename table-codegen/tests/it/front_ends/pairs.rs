//! A design for every pair of patterns, with both patterns on one entity.

/// A pattern of the entity `Item`.
struct Pattern {
    name: &'static str,
    /// Its tables below `[entity.Item]`.
    tables: &'static str,
    fields: &'static str,
    /// Other entities. `AT` marks the position of the fields that the key of `Item` contains in addition, `MATCH` that
    /// of their pairs.
    others: &'static str,
    /// Its parts in the table name, the partition key and the row key.
    keys: [&'static str; 3],
}

const fn pattern(name: &'static str, tables: &'static str, fields: &'static str) -> Pattern {
    Pattern { name, tables, fields, others: "", keys: ["", "", ""] }
}

const PATTERNS: [Pattern; 25] = [
    pattern("near index", "index.by_a = { row = \"a_{a:06}_{id:06}AT\", copy = [\"note\"] }", "a = \"u32\""),
    pattern(
        "near unique",
        "index.by_b = { row = \"b_{b}\", unique = true, copy = [\"note\"] }",
        "b = \"string\"",
    ),
    pattern(
        "far index",
        "index.by_c = { table = \"ItemsByC\", partition = \"{c:06}\", row = \"{shop}_{id:06}AT\" }",
        "c = \"u32\"",
    ),
    pattern(
        "far unique",
        "index.by_d = { partition = \"d_{d:06}\", row = \"holder\", unique = true }",
        "d = \"u32\"",
    ),
    pattern("near lookup, rows", "lookup.by_e = { on = \"e\", place = \"partition\" }", "e = \"u32\""),
    pattern("near lookup, lists", "lookup.by_f = { on = \"f\", ids = \"Ids\" }", "f = \"u32\""),
    pattern(
        "far lookup, rows",
        "lookup.by_g = { on = \"g\", place = \"table\", table = \"ItemsByG\" }",
        "g = \"u32\"",
    ),
    pattern(
        "far lookup, lists",
        "lookup.by_h = { on = \"h\", place = \"table\", table = \"ItemsByH\", ids = \"Ids\" }",
        "h = \"u32\"",
    ),
    pattern("blob lookup", "lookup.by_k = { on = \"k\", place = \"blob\" }", "k = \"u32\""),
    Pattern {
        others: "[entity.Shop]\ntable = \"Shops\"\npartition = \"{shop}\"\nrow = \"shop\"\nfields = { shop = \"string(20)\" }\n\
                 total.value = { sum = \"Item.value\", match = { shop = \"shop\" } }\n",
        ..pattern("aggregate, source", "", "value = \"i64\"")
    },
    Pattern {
        others: "[entity.Piece]\ntable = \"Pieces\"\npartition = \"{shop}\"\nrow = \"{id:06}_{number:04}\"\n\
                 fields = { shop = \"string(20)\", id = \"u32\", number = \"u16\"AT }\n",
        ..pattern(
            "aggregate, target",
            "total.pieces = { count = \"Piece\", match = { shop = \"shop\", id = \"id\"MATCH } }",
            "",
        )
    },
    Pattern {
        others: "[entity.Window]\ntable = \"Windows\"\npartition = \"{shop}\"\nrow = \"window\"\n\
                 fields = { shop = \"string(20)\", first = \"u32\"AT }\n\
                 embed.item = { from = \"Item\", match = { shop = \"shop\", id = \"first\"MATCH }, fields = [\"title\"] }\n",
        ..pattern("copied fields, source", "", "title = \"string(20)\"")
    },
    Pattern {
        others: "[entity.Owner]\ntable = \"Owners\"\npartition = \"{name}\"\nrow = \"owner\"\n\
                 fields = { name = \"string(20)\", city = \"string(20)\" }\n",
        ..pattern(
            "copied fields, target",
            "embed.owner = { from = \"Owner\", match = { name = \"owner_name\" }, fields = [\"city\"] }",
            "owner_name = \"string(20)\"",
        )
    },
    pattern("series", "", "hours = { type = \"i32?\", series = 4 }"),
    Pattern { keys: ["", "", "_{part:02}"], ..pattern("wide", "wide = 40", "") },
    Pattern {
        keys: ["{at:%Y%m%d}", "", "_{at:inverted_ticks}"],
        ..pattern("table per period", "", "at = \"datetime\"")
    },
    Pattern { keys: ["", "_{shard:02}", ""], ..pattern("shard", "shard = { of = \"id\", count = 8 }", "") },
    pattern("blob field", "", "photo = { type = \"binary\", blob = true }"),
    pattern("encrypt", "", "secret = { type = \"string(20)\", encrypt = true }"),
    pattern("archive", "archive = { to = \"FormerItems\" }", ""),
    pattern("retention", "keep = \"90d\"", ""),
    pattern("change feed", "changes = { keep = \"30d\", old = true }", ""),
    pattern("time stamps", "", "changed = { type = \"datetime\", updated = true }"),
    pattern("expiry", "expires = \"ends\"", "ends = \"datetime?\""),
    pattern("soft delete", "soft_delete = \"deleted\"", "deleted = \"datetime?\""),
];

/// Returns the designs of all pairs, by the names of their patterns.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut designs = Vec::new();
    for (number, one) in PATTERNS.iter().enumerate() {
        for other in PATTERNS.iter().skip(number + 1) {
            designs.push((format!("{} + {}", one.name, other.name), design(&[one, other])));
        }
    }
    designs
}

fn design(patterns: &[&Pattern]) -> String {
    let [table, partition] = [0, 1].map(|place: usize| {
        let keys = patterns.iter().filter_map(|pattern| pattern.keys.get(place).copied());
        keys.collect::<String>()
    });
    // The part number must be last.
    let mut row: Vec<&str> = patterns.iter().map(|Pattern { keys: [_, _, row], .. }| *row).collect();
    row.sort_by_key(|key| key.contains("part"));
    let lines = |of: fn(&Pattern) -> &'static str| {
        let lines = patterns.iter().map(|pattern| of(pattern)).filter(|line| !line.is_empty());
        lines.flat_map(|line| [line, "\n"]).collect::<String>()
    };
    let has_period = patterns.iter().any(|pattern| pattern.name == "table per period");
    let (at, pair, in_row) =
        if has_period { (", at = \"datetime\"", ", at = \"at\"", "_{at:ticks}") } else { ("", "", "") };
    let others = lines(|pattern| pattern.others).replace("MATCH", pair).replace("AT", at);
    format!(
        "tables = 1\n[entity.Item]\ntable = \"Items{}\"\npartition = \"{{shop}}{}\"\nrow = \"i_{{id:06}}{}\"\n{}\
         [entity.Item.fields]\nshop = \"string(20)\"\nid = \"u32\"\nnote = \"string(20)\"\n{}{others}",
        table,
        partition,
        row.concat(),
        lines(|pattern| pattern.tables).replace("MATCH", pair).replace("AT", in_row),
        lines(|pattern| pattern.fields),
    )
}
