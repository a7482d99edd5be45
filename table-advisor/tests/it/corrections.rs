//! Judgements that were wrong once, each with the numbers of a small design.

use table_advisor::{
    Access, Class, Finding, Group, Model,
    simulate::{Parameters, run},
    streams,
};
use table_codegen::Schema;
use table_schema::catalogue::{Code, Severity};

fn read(text: &str) -> Schema {
    table_codegen::read(&format!("tables = 1\n{text}"), "t.toml")
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Creates a design of one entity with these keys, fields, and additional text.
fn item(keys: &str, fields: &str, rest: &str) -> Schema {
    read(&format!("[entity.Item]\n{keys}\n[entity.Item.fields]\n{fields}\n{rest}\n"))
}

fn access<'m>(model: &'m Model<'_>, query: &str) -> &'m Access {
    model.accesses().iter().find(|access| access.query == query).expect("the query")
}

fn group<'m>(model: &'m Model<'_>, partition: &str) -> &'m Group {
    model
        .groups()
        .iter()
        .find(|group| group.name.ends_with(&format!("[{partition}]")))
        .expect("the partitions")
}

fn found(model: &Model<'_>, code: Code) -> Option<Finding> {
    model.findings().into_iter().find(|finding| finding.code == code)
}

#[track_caller]
fn assert_near(is: f64, expected: f64) {
    assert!((is - expected).abs() <= 0.005 * expected.abs().max(0.01), "{is} for {expected}");
}

/// C1: today's partitions of a sharded log, for the rules and for the simulator.
#[test]
fn inserts_reach_only_the_partitions_of_now() {
    let fields = "r = \"u32\"\nat = \"datetime\"";
    let load = |rate: &str| format!("[load.Item]\ninsert = \"{rate}/s\"");
    let keys = "table = \"Tab\"\npartition = \"{shard:02}_{at:%Y%m%d}\"\nrow = \"{r:06}\"\nshard = { of = \"r\", count = 16 }";
    for count in ["", "\ncount = 1_000_000"] {
        let schema = item(keys, fields, &(load("64_000") + count));
        let model = Model::new(&schema);
        assert_near(group(&model, "{}_{}").hot, 4_000.0);
        assert!(found(&model, Code::K01).is_some());
        let parameters = Parameters { servers: 100, ..Parameters::default() };
        assert_near(run(&streams(&model), &parameters).tail.served_percent(), 50.0);
    }

    let keys = |partition: &str| format!("table = \"Tab\"\npartition = \"{partition}\"\nrow = \"{{r:06}}\"");
    let schema = item(&keys("{at:ticks}"), fields, &load("5_000"));
    let model = Model::new(&schema);
    assert_near(group(&model, "{}").hot, 1.0);
    assert_eq!(found(&model, Code::K03).map(|finding| finding.severity), Some(Severity::Error));
    assert_eq!(found(&model, Code::K01), None);

    let schema = item(&keys("{at:%Y%m%d}"), fields, &load("5_000"));
    let model = Model::new(&schema);
    assert_near(group(&model, "{}").hot, 5_000.0);
    assert!(found(&model, Code::K01).is_some() && found(&model, Code::K03).is_some());
}

/// C1: a shard of a field that the partition contains or determines distributes nothing.
#[test]
fn a_shard_of_the_partition_is_an_error() {
    let fields = "[entity.Item.fields]\np = \"string(20)\"\nq = \"string(20)\"\nr = \"u32\"";
    let query = "[query.get]\nfind = \"Item\"\nwhere = \"p = ? and r = ?\"\nrate = \"30_000/s\"\n[load.Item]\ncount = 1_000_000\nvalues.p = { distinct = 1000, zipf = 1.0 }";
    let text = |partition: &str, of: &str| {
        let row = if of == "q" { "{r:06}_{q}" } else { "{r:06}" };
        let shard =
            if of.is_empty() { String::new() } else { format!("shard = {{ of = \"{of}\", count = 16 }}\n") };
        format!(
            "tables = 1\n[entity.Item]\ntable = \"Tab\"\npartition = \"{partition}\"\n{shard}row = \"{row}\"\n{fields}\n{query}"
        )
    };
    for (of, within) in [("p", ""), ("q", ", within = \"q\"")] {
        let text = text("{p}_{shard:02}", of).replace("zipf = 1.0", &format!("zipf = 1.0{within}"));
        let mistakes = table_codegen::read(&text, "t.toml").expect_err("an error").0;
        assert_eq!(mistakes.iter().map(|mistake| mistake.code).collect::<Vec<_>>(), [Code::D046], "{of}");
    }
    let schema = table_codegen::read(&text("{p}", ""), "t.toml").expect("a valid design");
    assert_near(group(&Model::new(&schema), "{}").hot, 4_007.76);
}

/// C3: a window of time binds the periods of a partition that it meets.
#[test]
fn a_window_binds_periods_of_the_partition() {
    let keys = |row: &str| {
        format!(
            "table = \"Readings\"\npartition = \"{{device:05}}_{{at:%Y%m%d}}\"\nrow = \"{row}\"\nkeep = \"90d\""
        )
    };
    let fields = "device = \"u32\"\nat = \"datetime\"\nnumber = \"u32\"";
    let rest = "[query.day]\nfind = \"Item\"\nwhere = \"device = ? and at within 1d\"\n[load.Item]\ncount = 648_000_000\nvalues.device = { distinct = 5_000 }";
    let schema = item(&keys("{at:ticks}"), fields, rest);
    let model = Model::new(&schema);
    let day = access(&model, "day");
    assert_eq!(day.class, Class::FanOut);
    assert_near(day.partitions, 2.0);
    assert_near(day.requests, 2.0);
    assert_near(day.read, 1_440.0);

    // Without the time in the row, both days are read, and each row is tested.
    let schema = item(&keys("{number:08}"), fields, rest);
    let model = Model::new(&schema);
    let day = access(&model, "day");
    assert_eq!((day.class, &*day.residual), (Class::FanOutScan, &["at".to_owned()][..]));
    assert_near(day.read, 2_880.0);
    assert_near(day.matching, 1_440.0);
}

/// C4: the entities behind index rows are read in their own partitions.
#[test]
fn refetches_load_the_partitions_of_the_entity() {
    let schema = item(
        "table = \"Items\"\npartition = \"{p}\"\nrow = \"{r:07}\"\nindex.by_a = { partition = \"a_{a}\", row = \"{p}_{r:07}\", copy = [] }",
        "p = \"string(20)\"\nr = \"u32\"\na = \"string(20)\"\nnote = \"string(100)\"",
        "[query.by_a]\nfind = \"Item\"\nwhere = \"a = ?\"\nrate = \"100/s\"\n[load]\npeak = 2.0\n[load.Item]\ncount = 1_000_000\nvalues.p = { distinct = 1_000 }\nvalues.a = { distinct = 10_000, zipf = 1.0 }",
    );
    let model = Model::new(&schema);
    assert_near(group(&model, "a_{}").hot, 2_043.40);
    assert_near(group(&model, "{}").hot, 20.0);
}

/// C5: table scans are not load of the target of a partition, and the parts of the load are named.
#[test]
fn scans_are_apart_from_the_load_of_a_partition() {
    let schema = item(
        "table = \"Items\"\npartition = \"{p}\"\nrow = \"{r:07}\"",
        "p = \"string(20)\"\nr = \"u32\"",
        "[query.get]\nfind = \"Item\"\nwhere = \"p = ? and r = ?\"\nrate = \"500/s\"\n[query.export]\nfind = \"Item\"\nrate = \"1/min\"\n[load.Item]\ncount = 1_000_000\ninsert = \"50/s\"\nvalues.p = { distinct = 100 }",
    );
    let model = Model::new(&schema);
    let items = group(&model, "{}");
    assert_near(items.hot, 5.5);
    assert_near(items.scans, 166.67);
    let names: Vec<&str> = items.by.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["export", "get", "Item.insert"]);
    for ((_, is), expected) in items.by.iter().zip([166.67, 5.0, 0.5]) {
        assert_near(*is, expected);
    }
}

/// C8: rows that are too old are deleted one by one, or in transactions where time orders them.
#[test]
fn retention_without_periods_costs() {
    let month = |row: &str| {
        let schema = item(
            &format!(
                "table = \"Items\"\npartition = \"{{p}}\"\nrow = \"{row}\"\nkeep = \"30d\"\nindex.by_a = {{ row = \"a_{{a}}_{row}\" }}"
            ),
            "p = \"string(20)\"\nr = \"u32\"\na = \"string(20)\"\nat = \"datetime\"",
            "[load.Item]\ncount = 1_000_000\ninsert = \"3_000/s\"\nvalues.p = { distinct = 1_000 }",
        );
        let costs = Model::new(&schema).costs();
        let kept =
            costs.operations.iter().find(|operation| operation.name == "Item.keep").expect("deletions");
        assert_near(kept.per_month, 7.884e9);
        kept.month
    };
    assert_near(month("i_{at:ticks}_{r:07}"), 5.68 + 0.28);
    assert_near(month("i_{r:07}"), 283.82);
}

/// C10: the newest rows of period tables are read from the newest tables.
#[test]
fn the_newest_of_period_tables_are_in_the_newest_tables() {
    let of = |count: &str| {
        let schema = item(
            "table = \"X{at:%Y%m}\"\npartition = \"{p}\"\nrow = \"{at:inverted_ticks}\"\nkeep = \"400d\"",
            "p = \"string(20)\"\nat = \"datetime\"",
            &format!(
                "[query.newest]\nfind = \"Item\"\nwhere = \"p = ?\"\nlatest = 50\n[load.Item]\ncount = {count}\nvalues.p = {{ distinct = 1_000 }}"
            ),
        );
        access(&Model::new(&schema), "newest").clone()
    };
    let many = of("4_000_000");
    assert_eq!(many.class, Class::RowRange);
    assert_near(many.requests, 1.0);
    assert_near(many.read, 50.0);
    let few = of("400_000");
    assert_eq!(few.class, Class::FanOut);
    assert_near(few.tables, 2.0);
    assert_near(few.requests, 2.0);
    assert_near(few.read, 50.0);
}

/// C11: a query that is called again before it ends cannot finish.
#[test]
fn a_scan_longer_than_its_interval_cannot_finish() {
    let of = |rate: &str| {
        let schema = item(
            "table = \"Items\"\npartition = \"{p}\"\nrow = \"{r:07}\"",
            "p = \"string(20)\"\nr = \"u32\"",
            &format!(
                "[query.export]\nfind = \"Item\"\nrate = \"{rate}\"\n[load.Item]\ncount = 778_324_000\nvalues.p = {{ distinct = 100 }}"
            ),
        );
        let model = Model::new(&schema);
        assert!(access(&model, "export").rounds >= 778_324.0);
        found(&model, Code::Q17).map(|finding| (finding.severity, finding.message))
    };
    let (severity, message) = of("24/day").expect("a finding");
    assert_eq!(severity, Severity::Error);
    assert!(message.contains("takes about 2.16 h") && message.contains("a day take 51.9 h"), "{message}");
    assert_eq!(of("1/day").map(|(severity, _)| severity), Some(Severity::Warning));
    let schema = read(
        "[entity.Item]\ntable = \"Items\"\npartition = \"{p:08}\"\nrow = \"item\"\n[entity.Item.fields]\np = \"u32\"\n[query.get]\nfind = \"Item\"\nwhere = \"p = ?\"\nrate = \"90_000_000/s\"",
    );
    let model = Model::new(&schema);
    assert_eq!(found(&model, Code::Q17), None, "concurrent point queries finish");
    assert!(!model.costs().cosmos.is_feasible());
}

/// C12: a test of a field that the copy lacks is applied to the entities, and no query is without a cost.
#[test]
fn entities_are_read_before_a_test_that_the_copy_lacks() {
    let keys = "table = \"Items\"\npartition = \"{id:08}\"\nrow = \"item\"\nindex.by_seller = { partition = \"seller_{seller:06}\", row = \"{id:08}\", copy = [] }\nlookup.by_note = { on = [\"note\"], place = \"table\" }";
    let fields = "id = \"u32\"\nseller = \"u32\"\nend_date = \"datetime\"\nnote = \"string(100)\"";
    let rest = |using: &str| {
        format!(
            "[query.ending]\nfind = \"Item\"\nwhere = \"seller = ? and end_date >= 10%\"\nusing = \"{using}\"\nrate = \"17.1/s\"\n[load.Item]\ncount = 2_000_000\nvalues.seller = {{ distinct = 200_000 }}"
        )
    };
    let schema = item(keys, fields, &rest("by_seller"));
    let model = Model::new(&schema);
    let ending = access(&model, "ending");
    assert_near(ending.requests, 11.0);
    assert_near(ending.fetch, 10.0);
    assert_near(model.costs().operations[0].month, 17.80);
    assert!(
        !model
            .findings()
            .iter()
            .any(|finding| finding.code == Code::Q11 && finding.subject == "Item.by_seller")
    );

    let schema = item(keys, fields, &rest("by_note"));
    let model = Model::new(&schema);
    assert_eq!(access(&model, "ending").path, "primary");
    assert_eq!(found(&model, Code::Q18).map(|finding| finding.severity), Some(Severity::Error));
}

/// C13: the copies of a child in other partitions are not written by the transaction of its parent.
#[test]
fn copies_of_a_child_elsewhere_are_billed() {
    let text = |index: &str, select: &str| {
        format!(
            "[entity.Order]\ntable = \"Orders\"\npartition = \"{{customer:08}}\"\nrow = \"o_{{number:010}}\"\n[entity.Order.fields]\ncustomer = \"u32\"\nnumber = \"u64\"\n\
             [entity.Line]\ntable = \"Orders\"\npartition = \"{{customer:08}}\"\nrow = \"l_{{number:010}}_{{line:03}}\"\n{index}\n[entity.Line.fields]\ncustomer = \"u32\"\nnumber = \"u64\"\nline = \"u8\"\nsku = \"string(20)\"\n\
             [relation.lines]\nkind = \"one-to-many\"\nfrom = \"Order\"\nto = \"Line\"\non = {{ customer = \"customer\", number = \"number\" }}\natomic = true\nmany = 4\n{select}\
             [load.Order]\ncount = 1000\ninsert = \"10/s\"\n[load.Line]\ncount = 4000\ninsert = \"40/s\"\n"
        )
    };
    let month = |index: &str| {
        let schema = read(&text(index, ""));
        let costs = Model::new(&schema).costs();
        costs.money.requests.write + costs.money.requests.queue + costs.money.requests.batch
    };
    let far = "index.by_sku = { partition = \"sku_{sku}\", row = \"{customer:08}_{number:010}_{line:03}\" }";
    // One write at 0.00036 and three queue requests at 0.0004 per 10,000.
    assert_near(month(far) - month(""), 40.0 * 2_628_000.0 * (0.00036 + 3.0 * 0.0004) / 10_000.0);
    let near = "index.by_sku = { row = \"s_{sku}_{number:010}_{line:03}\" }";
    let schema = read(&text(near, ""));
    let model = Model::new(&schema);
    let insert = model.plans().iter().find(|plan| plan.entity == "Order").expect("the plan");
    assert_near(insert.operations, 9.0);
    assert_near(month(near), month(""));
}

/// C13: the design that the reference found for `orders`, with an index that its search rejects.
#[test]
fn an_index_of_the_lines_of_orders_costs_what_the_reference_says() {
    let path = format!("{}/../table-codegen/tests/workloads/orders.design.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a design");
    let month = |text: &str| {
        let schema = table_codegen::read(text, "t.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
        Model::new(&schema).costs().total()
    };
    let index = "[entity.Line.index.by_sku]\npartition = \"c_{sku}\"\nrow = \"{customer:07}_{order:08}_{line:03}\"\ncopy = [\"quantity\", \"price\"]\n";
    let sold = "[query.sold]\nfind = \"Line\"\nrate = \"0.000231481481481/s\"\nusing = ";
    assert!(text.contains(sold));
    let with =
        format!("{}\n{index}", text.replace(&format!("{sold}\"primary\""), &format!("{sold}\"by_sku\"")));
    let more = month(&with) - month(&text);
    assert!((more - 19.86).abs() < 0.01, "{more}");
}

/// An aggregate with a condition is written for the entities that satisfy it, and by updates of its fields.
#[test]
fn conditional_aggregates_are_written_for_the_selected_entities() {
    let schema = |when: &str| {
        read(&format!(
            "[entity.Team]\ntable = \"Teams\"\npartition = \"{{team:04}}\"\nrow = \"team\"\nfields.team = \"u16\"\n\
             total.open = {{ count = \"Ticket\", match = {{ team = \"team\" }}{when} }}\n\
             [entity.Ticket]\ntable = \"Tickets\"\npartition = \"{{team:04}}\"\nrow = \"{{id:06}}\"\n\
             [entity.Ticket.fields]\nteam = \"u16\"\nid = \"u32\"\nstatus = \"enum(open, waiting, solved, closed)\"\nnote = \"string(9)\"\n\
             [load.Ticket]\ncount = 1000\ninsert = \"1/s\"\nupdate = [{{ rate = \"1/s\", fields = [\"status\"] }}, {{ rate = \"1/s\", fields = [\"note\"] }}]\n"
        ))
    };
    let writes = |when: &str| {
        let schema = schema(when);
        let model = Model::new(&schema);
        let of = |plan: &table_advisor::Plan| plan.follow.iter().map(|step| step.times).sum::<f64>();
        model.plans().iter().map(of).collect::<Vec<_>>()
    };
    // The insert, the update of the condition, the update of another field.
    assert_eq!(writes(""), [1.0, 0.0, 0.0]);
    // A quarter of the updates of open tickets writes `open` again; as many tickets are opened as closed.
    assert_eq!(writes(", when = \"status = open\""), [0.25, 2.0 * 0.25 * 0.75, 0.0]);
}

/// A field with another value in each entity determines all others: an entity that exists is found, and read.
#[test]
fn query_for_a_unique_value_among_others_finds_one_entity() {
    let keys = "table = \"Tab\"\npartition = \"{room:06}\"\nrow = \"{sender:06}_{id:08}\"\n\
                index.by_id = { row = \"id_{id:08}_{sender:06}\", copy = [] }";
    let fields = "room = \"u32\"\nsender = \"u32\"\nid = \"u32\"\ntext = \"string(20)\"\nat = \"datetime\"";
    let query =
        |filter: &str| format!("find = \"Item\"\nwhere = \"{filter}\"\nusing = \"by_id\"\nrate = \"10/s\"\n");
    let rest = format!(
        "[query.one]\n{}[load.Item]\ncount = 400_000\nvalues.room = {{ distinct = 500 }}\nvalues.id = {{ distinct = 400_000 }}",
        query("room = ? and id = ?")
    );
    let schema = item(keys, fields, &rest);
    let model = Model::new(&schema);
    let one = access(&model, "one");
    assert_eq!((one.class, one.requests, one.read, one.returned), (Class::RowRange, 2.0, 2.0, 1.0));
}

/// The execution of `tables design --prove` sends these requests.
#[test]
fn requests_of_executed_designs_are_predicted() {
    let fields = "p = \"u32\"\nat = \"datetime\"\nkind = \"u32\"";
    let query = |filter: &str| {
        format!(
            "[query.get]\nfind = \"Item\"\nwhere = \"{filter}\"\nrate = \"1/s\"\n[load.Item]\ncount = 20_000\n\
             values.p = {{ distinct = 10 }}\nvalues.kind = {{ distinct = 20 }}"
        )
    };
    let requests = |keys: &str, filter: &str| {
        let schema = item(keys, fields, &query(filter));
        let model = Model::new(&schema);
        let access = access(&model, "get");
        (access.class, access.requests)
    };

    // A field that only keys contain is tested after all rows were returned, 1,000 in a request.
    let keys = "table = \"Tab\"\npartition = \"{p:02}\"\nrow = \"{at:ticks}_{kind:06}\"";
    assert_eq!(requests(keys, "kind = ?"), (Class::TableScan, 20.0));
    // The leading field of a key is tested by a range of keys.
    assert_eq!(requests(keys, "at within 1h"), (Class::TableScan, 1.0));

    // Each value of a leading field is a range.
    let keys = "table = \"Tab\"\npartition = \"{p:02}\"\nrow = \"{kind:06}_{at:ticks}\"";
    assert_eq!(requests(keys, "p = ? and kind in 5"), (Class::FanOut, 5.0));
    assert_eq!(requests(keys, "p = ? and kind = ?"), (Class::RowRange, 1.0));

    // A range of times is in some of the tables: a tenth of 30 days, and the day in which it starts.
    let keys =
        "table = \"Tab{at:%Y%m%d}\"\npartition = \"{p:02}\"\nrow = \"{at:ticks}_{kind:06}\"\nkeep = \"30d\"";
    assert_eq!(requests(keys, "p = ? and at >= 10%"), (Class::FanOut, 4.0));
}
