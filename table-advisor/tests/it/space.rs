//! What the design search considers beyond keys: indexes of some entities, bounds of age and storage.

use table_advisor::{
    Model,
    search::{Options, Variant, front, search},
};
use table_designs::schema::{Value, Workload};
use table_schema::{
    design::{FieldKind, TemplateText},
    language::Comparison,
};

use crate::search::{WORKLOADS, check, found, next, read, text_of};

/// Jobs, of which few are open. A request costs a dollar, and storage nothing.
const JOBS: &str = "tables = 1\nworkload = \"jobs\"\n\
    [entity.Job]\nid = [\"number\"]\n[entity.Job.fields]\nnumber = \"u32\"\nstate = \"enum(open, done)\"\n\
    [query.job]\nfind = \"Job\"\nwhere = \"number = ?\"\nrate = \"5/s\"\n\
    [query.open]\nfind = \"Job\"\nwhere = \"state = open\"\nselect = [\"number\"]\nrate = \"1/min\"\n\
    [load.Job]\ncount = 1_000_000\nupdate = { rate = \"10/s\", fields = [\"state\"] }\n\
    values.number = { distinct = 1_000_000 }\nvalues.state = { share = { open = 0.001 } }\n\
    [prices]\nstorage_gb_month = 0\ntx_10k = 10_000\nqueue_tx_10k = 10_000\n";

fn jobs(replaced: &str, with: &str) -> Workload {
    assert!(JOBS.contains(replaced), "{replaced}");
    read(&JOBS.replace(replaced, with))
}

#[test]
fn few_entities_with_a_value_have_an_index_of_their_own() {
    let workload = read(JOBS);
    let designed = found(&workload, 0.0);
    check("jobs", &workload, &designed);
    let [index] = designed.schema.entities[0].indexes.as_slice() else { panic!("{:?}", designed.schema) };
    let partition = index.partition.as_ref().map(TemplateText::text);
    assert_eq!((index.name.as_str(), partition), ("by_open", Some("open")));
    assert_eq!(index.when.as_ref().map(|when| when.text.as_str()), Some("state = open"));
    // Of the updates, 0.001 × 0.999 remove a row and as many add one, each with 3 requests to the queue: 10/s × (1 + 8 ×
    // 0.000999). The open jobs are 1,000 rows, a page a minute; and 5 point queries a second.
    let requests = 10.0 * 8.0_f64.mul_add(0.000_999, 1.0) + 1.0 / 60.0 + 5.0;
    let expected = requests * 730.0 * 3_600.0;
    assert!((designed.figures.usd / expected - 1.0).abs() < 1e-9, "{} for {expected}", designed.figures.usd);
    assert!((designed.added_up / expected - 1.0).abs() < 1e-9, "{} for {expected}", designed.added_up);
    // A read of all open jobs meets one partition: 1,000 rows a minute, and each second 2 × 0.000999 × 10 written rows.
    let model = Model::new(&designed.schema);
    let group = model.groups().iter().find(|group| group.name == "jobs[open]").expect("a group");
    assert!((group.hot - (1_000.0 / 60.0 + 0.019_98)).abs() < 1e-9, "{group:?}");
}

#[test]
fn an_index_of_some_entities_serves_only_their_queries() {
    let workload =
        jobs("[load.Job]", "[query.any]\nfind = \"Job\"\nwhere = \"state = ?\"\nrate = \"1/h\"\n[load.Job]");
    let designed = found(&workload, 0.0);
    check("jobs", &workload, &designed);
    let model = Model::new(&designed.schema);
    let path = |query: &str| {
        let access = model.accesses().iter().find(|access| access.query == query).expect("a query");
        (access.path.clone(), access.matching)
    };
    assert_eq!(path("open"), ("by_open".to_owned(), 1_000.0));
    assert_eq!(path("any"), ("primary".to_owned(), 500_000.0));
    // Nor does the advisor choose it.
    let mut schema = designed.schema.clone();
    schema.queries.iter_mut().for_each(|query| query.using = None);
    let paths: Vec<String> =
        Model::new(&schema).accesses().iter().map(|access| access.path.clone()).collect();
    assert_eq!(paths, ["primary", "by_open", "primary"]);
}

#[test]
fn an_index_of_some_entities_grows_by_their_share() {
    let grown = |share: &str| {
        let mut text = JOBS.replace("update =", "insert = \"10/s\"\nupdate =").replace("open = 0.001", share);
        text = text.replace("1_000_000 }\n", "1_000_000, rising = true }\n");
        let designed = found(&read(&text), 0.0);
        let findings = Model::new(&designed.schema).findings();
        findings.iter().any(|finding| finding.code.as_str() == "K07" && finding.subject == "Job.by_open")
    };
    // Of ten new jobs a second, 315,360 a year are open, or ten times as many.
    assert_eq!([grown("open = 0.001"), grown("open = 0.01")], [false, true]);
}

#[test]
fn a_busiest_partition_by_a_value_has_its_share() {
    let text = "tables = 1\ndesign = \"jobs\"\n\
        [entity.Job]\ntable = \"Jobs\"\npartition = \"{number:08}\"\nrow = \"job\"\n\
        [entity.Job.fields]\nnumber = \"u32\"\nstate = \"enum(open, done)\"\n\
        [entity.Job.index.by_state]\npartition = \"s_{state}\"\nrow = \"{number:08}\"\ncopy = []\n\
        [query.done]\nfind = \"Job\"\nwhere = \"state = done\"\nselect = [\"number\"]\nrate = \"1/h\"\n\
        [load.Job]\ncount = 1_000_000\nupdate = { rate = \"10/s\", fields = [\"state\"] }\n\
        values.number = { distinct = 1_000_000 }\nvalues.state = { share = { done = 0.9 } }\n";
    let schema = table_codegen::read(text, "jobs.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let model = Model::new(&schema);
    let group = model.groups().iter().find(|group| group.name == "jobs[s_{}]").expect("a group");
    // 10 updates a second move a row each, and the query reads all that are done.
    let expected = 10.0 * 2.0 * 0.9 + 900_000.0 / 3_600.0;
    assert!((group.hot / expected - 1.0).abs() < 1e-9, "{group:?}");
    // A share changes the fraction of this value only.
    let text = text.replace("= done", "= open");
    let schema = table_codegen::read(&text, "jobs.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(Model::new(&schema).accesses()[0].matching.to_string(), "500000");
}

#[test]
fn a_bound_of_the_age_excludes_copies_that_follow_later() {
    for (late, is_late) in [("80s", true), ("79s", false), ("0", false)] {
        let late = if late == "0" { "late = 0".to_owned() } else { format!("late = \"{late}\"") };
        let workload = jobs("rate = \"1/min\"", &format!("rate = \"1/min\"\n{late}"));
        assert_eq!(search(&workload, &Options::default()).is_ok(), is_late, "{late}");
    }
    let mut workload = jobs("rate = \"1/min\"", "rate = \"1/min\"\nlate = \"10s\"");
    workload.content.targets.lag = 10.0;
    check("jobs", &workload, &found(&workload, 0.0));
}

/// Texts that two queries read: a copy for each of them is most of the storage.
const NOTES: &str = "tables = 1\nworkload = \"notes\"\n\
    [entity.Note]\nid = [\"number\"]\n[entity.Note.fields]\nnumber = \"u32\"\nowner = \"u32\"\n\
    topic = \"u32\"\ntext = \"string(4000)\"\n\
    [query.note]\nfind = \"Note\"\nwhere = \"number = ?\"\nrate = \"20/s\"\n\
    [query.of_owner]\nfind = \"Note\"\nwhere = \"owner = ?\"\nlimit = 10\nrate = \"50/s\"\n\
    [query.of_topic]\nfind = \"Note\"\nwhere = \"topic = ?\"\nlimit = 10\nrate = \"20/s\"\n\
    [load.Note]\ncount = 1_000_000\nvalues.number = { distinct = 1_000_000 }\n\
    values.owner = { distinct = 50_000 }\nvalues.topic = { distinct = 50_000 }\nvalues.text = { chars = 2_000 }\n";

#[test]
fn less_storage_costs_more() {
    let workload = read(NOTES);
    let designed = found(&workload, 0.01);
    let whole = designed.figures.storage_gib;
    let with = |limit: f64| {
        let mut workload = read(NOTES);
        workload.limits.storage_gib = Some(limit);
        search(&workload, &Options::default())
    };
    let fetched = |schema: &table_designs::schema::Schema| {
        let model = Model::new(schema);
        let all = model.accesses().iter().filter(|access| access.fetch > 0.0);
        all.map(|access| access.query.clone()).collect::<Vec<_>>()
    };
    assert_eq!(fetched(&designed.schema).len(), 0);
    // One copy less is enough for two thirds: notes are read after their keys.
    let one = with(whole * 0.7).expect("a design");
    assert_eq!(fetched(&one.schema), ["note"]);
    let points = front(&workload, &Options::default(), &designed);
    let small = points.iter().find_map(|point| match point.variant {
        Variant::Storage(limit) => Some((limit, &point.designed)),
        _ => None,
    });
    let (limit, both) = small.expect("a design with half of the storage");
    assert_eq!(fetched(&both.schema), ["note", "of_topic"]);
    for (limit, small) in [(whole * 0.7, &one), (limit, both)] {
        assert!(small.figures.storage_gib <= limit && small.figures.usd > designed.cheapest, "{limit}");
        assert!(small.bound <= small.cheapest && small.bound > designed.bound, "{}", small.bound);
        check("small", &workload, small);
        let mine: f64 = small
            .alternatives(&workload, &Options::default())
            .iter()
            .filter_map(|one| one.more)
            .fold(0.0, f64::min);
        assert!(mine >= 0.0, "{mine}");
    }
    assert!(with(whole * 0.1).is_err());
}

/// Votes, which are counted by poll: 10,000 votes are 10 pages. A request costs a dollar, and storage nothing.
const VOTES: &str = "tables = 1\nworkload = \"votes\"\n\
    [entity.Vote]\nid = [\"poll\", \"voter\"]\n[entity.Vote.fields]\npoll = \"u32\"\nvoter = \"u32\"\nweight = \"u16\"\n\
    [query.vote]\nfind = \"Vote\"\nwhere = \"poll = ? and voter = ?\"\nrate = \"1/s\"\n\
    [query.votes]\nfind = \"Vote\"\nwhere = \"poll = ?\"\nvalue = \"count\"\nrate = \"2/s\"\n\
    [limits]\nhottest = 100_000\n\
    [load.Vote]\ncount = 10_000_000\ninsert = \"5/s\"\n\
    values.poll = { distinct = 1_000 }\nvalues.voter = { distinct = 10_000_000 }\n\
    [prices]\nstorage_gb_month = 0\ntx_10k = 10_000\nqueue_tx_10k = 10_000\n";

/// Checks the requests per second of the design of a workload, and returns the totals with their entities and keys.
fn totals(text: &str, requests: f64) -> Vec<[String; 3]> {
    let workload = read(text);
    let designed = found(&workload, 0.0);
    check("votes", &workload, &designed);
    let expected = requests * 730.0 * 3_600.0;
    assert!((designed.figures.usd / expected - 1.0).abs() < 1e-9, "{} for {expected}", designed.figures.usd);
    assert!(
        (designed.added_up / expected - 1.0).abs() < 1e-9 && designed.gap() <= 0.0,
        "{}",
        designed.added_up
    );
    let owners = designed.schema.entities.iter().filter(|entity| !entity.totals.is_empty());
    let text = |template: &Option<TemplateText>| template.as_ref().map_or("", TemplateText::text).to_owned();
    owners.map(|owner| [owner.name.clone(), text(&owner.partition), text(&owner.row)]).collect()
}

#[test]
fn a_total_in_the_partition_is_read_in_place_of_all_rows() {
    // An insert is a transaction and reads the total, 5/s each; a count is a point query.
    let owners = totals(VOTES, 5.0 * 2.0 + 2.0 + 1.0);
    assert_eq!(owners, [["Votes".to_owned(), "{poll:05}".to_owned(), "votes".to_owned()]]);
    let sum = VOTES
        .replace("\"count\"", "\"sum(weight)\"")
        .replace("rate = \"2/s\"", "rate = \"2/s\"\nfresh = true");
    assert_eq!(totals(&sum, 5.0 * 2.0 + 2.0 + 1.0).len(), 1);
}

#[test]
fn a_total_of_a_value_has_a_condition() {
    let text = VOTES
        .replace("weight = \"u16\"", "weight = \"u16\"\nside = \"enum(up, down)\"")
        .replace("where = \"poll = ?\"", "where = \"poll = ? and side = up\"")
        .replace("values.voter", "values.side = { share = { up = 0.2 } }\nvalues.voter");
    // One insert of five reads the total.
    let owners = totals(&text, 5.0 * 1.2 + 2.0 + 1.0);
    assert_eq!(owners, [["Votes".to_owned(), "{poll:05}".to_owned(), "votes".to_owned()]]);
    let designed = found(&read(&text), 0.0);
    let when =
        designed.schema.entities.iter().flat_map(|entity| &entity.totals).map(|total| total.when.as_ref());
    let when: Vec<_> = when.flatten().map(|when| when.text.as_str()).collect();
    assert_eq!(when, ["side = up"]);
}

#[test]
fn totals_of_the_same_fields_are_in_one_entity() {
    let more = "[query.weight]\nfind = \"Vote\"\nwhere = \"poll = ?\"\nvalue = \"sum(weight)\"\nrate = \"2/s\"\n\
                [query.again]\nfind = \"Vote\"\nwhere = \"poll = ?\"\nvalue = \"count\"\nrate = \"2/s\"\n\
                [query.up]\nfind = \"Vote\"\nwhere = \"poll = ? and side = up\"\nvalue = \"count\"\nrate = \"2/s\"\n";
    let text = VOTES
        .replace("weight = \"u16\"", "weight = \"u16\"\nside = \"enum(up, down)\"")
        .replace("[limits]", &format!("{more}[limits]"));
    // An insert reads the entity with the totals once, and four queries read it.
    let owners = totals(&text, 5.0 * 2.0 + 4.0 * 2.0 + 1.0);
    assert_eq!(owners, [["Votes".to_owned(), "{poll:05}".to_owned(), "votes".to_owned()]]);
    let designed = found(&read(&text), 0.0);
    let totals = designed.schema.entities.iter().flat_map(|entity| &entity.totals);
    assert_eq!(totals.map(|total| total.name.as_str()).collect::<Vec<_>>(), ["count", "sum", "up"]);
}

#[test]
fn a_limit_of_the_cost_ends_the_slack() {
    let mut workload = read(NOTES);
    let cheapest = found(&workload, 0.0).cheapest;
    workload.limits.usd = Some(cheapest * (1.0 + 1e-9));
    for slack in [0.0, 0.5] {
        let designed = search(&workload, &Options { slack, ..Options::default() }).expect("a design");
        assert!(designed.figures.usd <= cheapest * (1.0 + 1e-9), "{slack}: {}", designed.figures.usd);
    }
}

#[test]
fn many_conditions_end_soon() {
    let names: Vec<String> = (0..20).map(|number| format!("f{number}")).collect();
    let fields = names.iter().map(|name| format!("{name} = \"u32\"\n")).collect::<Vec<_>>().concat();
    let tests = names.iter().map(|name| format!("{name} = ?")).collect::<Vec<_>>().join(" and ");
    let workload = read(&format!(
        "tables = 1\n[entity.Wide]\nid = [\"f0\"]\n[entity.Wide.fields]\n{fields}\
         [query.all]\nfind = \"Wide\"\nwhere = \"{tests}\"\nrate = \"1/s\"\n\
         [load.Wide]\ncount = 1_000_000\nvalues.f0 = {{ distinct = 1_000_000 }}\n"
    ));
    let designed = found(&workload, 0.01);
    check("wide", &workload, &designed);
    assert!(designed.nodes < 10_000, "{}", designed.nodes);
}

#[test]
fn rare_counts_read_all_rows() {
    let text = VOTES.replace("rate = \"2/s\"", "rate = \"1/h\"");
    assert_eq!(totals(&text, 5.0 + 10.0 / 3_600.0 + 1.0).len(), 0);
    // More than ten writes of one total in a second would wait for each other.
    let busy = VOTES
        .replace("distinct = 1_000 }", "distinct = 1 }")
        .replace("\"5/s\"", "\"11/s\"")
        .replace("count = 10_000_000", "count = 100_000")
        .replace("[limits]\nhottest = 100_000", "[targets]\npartition_entities_s = 1_000_000");
    assert_eq!(totals(&busy, 11.0 + 2.0 * 100.0 + 1.0).len(), 0);
}

#[test]
fn a_total_elsewhere_follows_moved_entities() {
    let text = VOTES
        .replace("id = [\"poll\", \"voter\"]", "id = [\"voter\"]")
        .replace("poll = ? and voter = ?", "voter = ?")
        .replace("insert = \"5/s\"", "update = { rate = \"1/s\", fields = [\"poll\"] }")
        .replace("rate = \"1/s\"\n[query.votes]", "rate = \"50/s\"\n[query.votes]");
    // A moved vote: one write, a merge in the old and in the new total, and three requests to the queue.
    let owners = totals(&text, 50.0 + (1.0 + 2.0 + 3.0) + 2.0);
    assert_eq!(owners, [["Votes".to_owned(), "{poll:05}".to_owned(), "votes".to_owned()]]);
    let late = found(&read(&text), 0.0).figures.late;
    assert!((late - 2.0).abs() < 1e-12, "{late}");
}

/// Compares a field of some conditions with a value, and asks for the number of some results.
fn with_values(workload: &mut Workload, state: &mut u64) {
    let Workload { content, identities, requirements, .. } = workload;
    for (query, requirement) in content.queries.iter_mut().zip(requirements) {
        let entities = content.entities.iter().zip(identities.iter());
        let Some((entity, identity)) = entities.clone().find(|(entity, _)| entity.name == query.find) else {
            continue;
        };
        let filter = query.filter.clone();
        let Some([only]) = filter.as_ref().map(|filter| filter.alternatives.as_slice()) else { continue };
        let tests = only.tests.iter().filter(|test| test.comparison == Comparison::Equal);
        let tests: Vec<_> = tests.filter_map(|test| Some((test, entity.field(&test.field)?))).collect();
        let at = usize::try_from(next(state)).expect("a number") % tests.len().max(1);
        if let Some((test, field)) = tests.get(at).filter(|_| next(state).is_multiple_of(2)) {
            let value = match &field.kind {
                FieldKind::Enum { variants } => variants.first().cloned().unwrap_or_default(),
                FieldKind::Int { .. } => "3".to_owned(),
                FieldKind::Text { .. } => "'x'".to_owned(),
                _ => continue,
            };
            let mut text = filter.as_ref().map(|filter| filter.text.clone()).unwrap_or_default();
            text.replace_range(test.span.end - 1..test.span.end, &value);
            query.filter = Some(text.parse().expect("a condition"));
            let load = content.load.entities.iter_mut().find(|load| load.name == query.find);
            let values = load.and_then(|load| load.values.iter_mut().find(|one| one.field == test.field));
            if let Some(values) = values {
                values.share = vec![(value.trim_matches('\'').to_owned(), 0.01)];
            }
        }
        if next(state).is_multiple_of(3) && query.select.iter().flatten().all(|name| !name.contains('.')) {
            (requirement.value, requirement.order, query.limit) = (Some(Value::Count), None, None);
            query.select = Some(identity.id.iter().take(1).cloned().collect());
        }
    }
}

#[test]
fn values_and_counts_have_valid_designs_at_the_same_cost() {
    let (mut found, mut sparse, mut totals) = (0, 0, 0);
    for seed in 0..36_u64 {
        let mut state = seed;
        let name = WORKLOADS[usize::try_from(seed).expect("a number") % WORKLOADS.len()];
        let mut workload = read(&text_of(name));
        with_values(&mut workload, &mut state);
        // A value is often in one partition.
        (workload.limits.hottest, workload.limits.partition_gib) = (None, None);
        let targets = &mut workload.content.targets;
        (targets.partition_entities_s, targets.account_requests_s) = (1e9, 1e9);
        let Ok(designed) = search(&workload, &Options::default()) else { continue };
        check(&format!("{name}, seed {seed}"), &workload, &designed);
        assert!(designed.bound <= designed.cheapest * (1.0 + 1e-12), "{name}, seed {seed}");
        found += 1;
        let indexes = designed.schema.entities.iter().flat_map(|entity| &entity.indexes);
        sparse += indexes.filter(|index| index.when.is_some()).count();
        totals += designed.schema.entities.iter().filter(|entity| !entity.totals.is_empty()).count();
    }
    assert!(found > 15 && sparse > 4 && totals > 4, "{found} designs, {sparse} indexes, {totals} totals");
}

#[test]
fn keys_have_digits_for_all_values_of_conditions() {
    let of = |ty: &str, value: &str| {
        let text = format!(
            "tables = 1\n[entity.E]\nid = [\"k\"]\n[entity.E.fields]\nk = \"u32\"\nf = \"{ty}\"\nat = \"datetime\"\n\
             [query.q]\nfind = \"E\"\nwhere = \"f = {value} and at > ?\"\nrate = \"10/s\"\n\
             [load.E]\ncount = 5000\ninsert = \"3/s\"\nvalues.f = {{ distinct = 10 }}\n"
        );
        let designed = found(&read(&text), 0.0);
        let entity = &designed.schema.entities[0];
        let partition = entity.partition.as_ref().map(|template| template.text().to_owned());
        (entity.table.as_ref().map(|table| table.text().to_owned()), partition)
    };
    let expected = |partition: &str| (Some("ETable".to_owned()), Some(partition.to_owned()));
    assert_eq!(of("u32", "7"), expected("{f:03}"));
    assert_eq!(of("u32", "4294967295"), expected("{f:010}"));
    assert_eq!(of("i64", "-7"), expected("{f:ord}"));
}

/// Returns a workload of one entity with many fields and some queries.
fn many(fields: usize, queries: impl Iterator<Item = String>) -> Workload {
    let fields: Vec<String> = (0..fields).map(|number| format!("f{number} = \"u32\"\n")).collect();
    let query = |(number, tests)| {
        format!("[query.q{number}]\nfind = \"Item\"\nwhere = \"{tests}\"\nrate = \"1/s\"\n")
    };
    let (fields, queries) = (fields.concat(), queries.enumerate().map(query).collect::<Vec<_>>().concat());
    read(&format!(
        "tables = 1\n[entity.Item]\nid = [\"k\"]\n[entity.Item.fields]\nk = \"u32\"\n{fields}{queries}\
         [load.Item]\ncount = 100_000\n"
    ))
}

#[test]
fn the_effort_includes_the_measurement_of_paths() {
    let alternatives: Vec<String> = (0..60).map(|number| format!("f{number} = ?")).collect();
    let either = many(60, std::iter::once(alternatives.join(" or ")));
    let both = (0..150).map(|number| format!("f{} = ? and f{} = ?", number % 60, (7 * number + 1) % 60));
    let both = many(60, both);
    // The keys of the smallest effort suffice for a design.
    let most = |workload: &Workload, nodes: u64| {
        let designed = search(workload, &Options { slack: 0.01, nodes }).expect("a design");
        check("many", workload, &designed);
        assert!(
            designed.bound <= designed.cheapest * (1.0 + 1e-12) && designed.gap() < 0.5,
            "{}",
            designed.gap()
        );
        designed.nodes
    };
    for workload in [&either, &both] {
        let least = most(workload, 1);
        for nodes in [2 * least, 4 * least] {
            let examined = most(workload, nodes);
            assert!(examined <= nodes + least, "{examined} of {nodes}, {least}");
        }
    }
}

/// Events of a few tenants, of which each inserts more than one partition accepts.
const EVENTS: &str = "tables = 1\n[entity.Event]\nid = [\"tenant\", \"number\"]\n[entity.Event.fields]\n\
    tenant = \"u32\"\nnumber = \"u32\"\nkind = \"u32\"\n\
    [query.event]\nfind = \"Event\"\nwhere = \"tenant = ? and number = ?\"\nrate = \"5/s\"\n\
    [query.of_tenant]\nfind = \"Event\"\nwhere = \"tenant = ?\"\norder = \"-number\"\nlimit = 10\nrate = \"1/s\"\n\
    [limits]\nhottest = 1000\ncopies = 0\n\
    [load.Event]\ncount = 100_000_000\ninsert = \"5_000/s\"\nvalues.tenant = { distinct = 2 }\n\
    values.number = { distinct = 100_000_000 }\n";

#[test]
fn a_busiest_partition_is_divided_into_the_fewest_shards() {
    let workload = read(EVENTS);
    let designed = found(&workload, 0.0);
    check("events", &workload, &designed);
    // Each of two partitions has 2,500 inserts a second and few reads.
    let event = &designed.schema.entities[0];
    let shard = event.shard.as_ref().map(|shard| (shard.of.as_str(), shard.count));
    assert_eq!(shard, Some(("number", 4)));
    let model = Model::new(&designed.schema);
    let requests: Vec<f64> = model.accesses().iter().map(|access| access.requests).collect();
    assert_eq!(requests, [1.0, 4.0]);
    assert!(
        designed.figures.hottest > 500.0 && designed.figures.hottest <= 1_000.0,
        "{:?}",
        designed.figures
    );
    assert!(designed.unsorted().next().is_none(), "shards are merged by their row keys");
    // All numbers of shards of both templates: fewer exceed the limit, more cost more.
    let mut least = f64::INFINITY;
    for count in 1..=16 {
        let mut schema = designed.schema.clone();
        let one = &mut schema.entities[0];
        one.shard.as_mut().expect("shards").count = count;
        let model = Model::new(&schema);
        if model.groups().iter().all(|group| group.hot <= 1_000.0) {
            least = least.min(model.costs().total());
        }
    }
    let usd = designed.figures.usd;
    assert!(usd <= least * 1.1 && usd >= least * (1.0 - 1e-9), "{usd} for {least}");
    let cool = read(&EVENTS.replace("5_000/s", "500/s"));
    assert_eq!(found(&cool, 0.0).schema.entities[0].shard, None);
}

#[test]
fn alternatives_in_order_are_merged_by_the_program() {
    let workload = read(
        "tables = 1\n[entity.Note]\nid = [\"owner\", \"number\"]\n[entity.Note.fields]\nowner = \"u32\"\n\
         reader = \"u32\"\nnumber = \"u32\"\nat = \"datetime\"\n[query.mine]\nfind = \"Note\"\n\
         where = \"owner = ? or reader = ?\"\norder = \"-at\"\nlimit = 20\nrate = \"50/s\"\n\
         [load.Note]\ncount = 10_000_000\nvalues.owner = { distinct = 1_000 }\nvalues.reader = { distinct = 1_000 }\n",
    );
    let designed = found(&workload, 0.0);
    check("notes", &workload, &designed);
    let words = "The alternatives are not in the order `-at`: merge the results of all alternatives, sort them and \
                 take the first 20.";
    assert_eq!(designed.unsorted().collect::<Vec<_>>(), [("mine_1", words), ("mine_2", words)]);
    assert!(designed.schema.queries.iter().all(|query| query.latest == Some(20)));
}

#[test]
fn at_equal_cost_a_result_is_in_order() {
    let workload = read(
        "tables = 1\n[entity.Task]\nid = [\"owner\", \"number\"]\n[entity.Task.fields]\nowner = \"u32\"\n\
         number = \"u32\"\nstate = \"u32\"\ndue = \"u32\"\n[query.next]\nfind = \"Task\"\nwhere = \"owner = ?\"\n\
         order = \"due\"\nrate = \"5/s\"\n[load.Task]\ncount = 100_000\nvalues.owner = { distinct = 1_000 }\n\
         values.number = { distinct = 100_000 }\nvalues.due = { distinct = 100_000 }\n",
    );
    let designed = found(&workload, 0.01);
    check("tasks", &workload, &designed);
    assert_eq!(designed.unsorted().next(), None, "{:?}", designed.schema.entities[0]);
}

/// Entities in tables per period, and in shards, have no indexes in other partitions.
#[test]
fn no_index_is_proposed_that_the_rules_reject() {
    let periods = "tables = 1\n[entity.Event]\nid = [\"number\"]\nkeep = \"30d\"\n[entity.Event.fields]\n\
        number = \"u64\"\nat = \"datetime\"\ndev = \"u32\"\n[query.event]\nfind = \"Event\"\nwhere = \"number = ?\"\n\
        rate = \"1/s\"\n[query.win]\nfind = \"Event\"\nwhere = \"dev = ? and at > ?\"\norder = \"-at\"\nlimit = 10\n\
        rate = \"1/s\"\n[load.Event]\ncount = 2_000_000\ninsert = \"100/s\"\nvalues.dev = { distinct = 1_000 }\n";
    let shards = EVENTS.replace(
        "[limits]\nhottest = 1000\ncopies = 0",
        "[query.of_kind]\nfind = \"Event\"\n\
        where = \"kind = ?\"\nlimit = 10\nrate = \"1/s\"\n[limits]\nhottest = 1000",
    );
    for text in [periods, &shards] {
        let workload = read(text);
        if let Ok(designed) = search(&workload, &Options::default()) {
            check("spread", &workload, &designed);
        }
    }
}
