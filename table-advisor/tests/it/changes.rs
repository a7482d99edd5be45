#![expect(clippy::indexing_slicing, reason = "a place that was just found")]

use serde_json::Value;
use table_advisor::Model;
use table_designs::schema::Schema;
use table_schema::{
    catalogue::Severity,
    design::{CopiedFields, IndexDesign, Shard},
};

use super::{Differences, schema, vectors};

fn check(of: &str, schema: &Schema, query: &str, expected: &Value, differences: &mut Differences) {
    let model = Model::new(schema);
    let access = model.accesses().iter().find(|access| access.query == query).expect("the query");
    let known = &expected["query"];
    differences.text(of, access.class.as_str(), &known["class"]);
    differences.text(of, &access.path, &known["path"]);
    for (what, is) in [
        ("partitions", access.partitions),
        ("requests", access.requests),
        ("read", access.read),
        ("returned", access.returned),
        ("bytes", access.bytes),
    ] {
        differences.number(&format!("{of} {what}"), is, &known[what]);
    }
    let writes = expected["writes"].as_array().expect("writes");
    assert_eq!(writes.len(), model.plans().len(), "{of}");
    for (plan, known) in model.plans().iter().zip(writes) {
        let of = format!("{of} {}", plan.name());
        differences.number(&of, plan.operations, &known["egt_ops"]);
        differences.number(&of, plan.amplification, &known["amplification"]);
        assert_eq!(known["follow"].as_u64(), Some(plan.follow.len() as u64), "{of}");
    }
    let hot = expected["hot"].as_object().expect("partitions");
    for (name, known) in hot {
        let group = model.groups().iter().find(|group| group.name == *name).expect("the partitions");
        // The vectors count table scans as load of a partition (C5).
        differences.number(&format!("{of} {name}"), group.hot + group.scans, known);
    }
    differences.number(&format!("{of} month"), model.costs().total(), &expected["month"]);
    let word = |severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warn",
        Severity::Note => "info",
    };
    let mut found: Vec<String> = model
        .findings()
        .iter()
        .map(|finding| format!("{}:{}:{}", finding.code, word(finding.severity), finding.subject))
        .collect();
    found.sort();
    assert_eq!(expected["findings"], serde_json::json!(found), "{of}");
}

/// Applies a change of the vectors to the model.
fn change(name: &str, schema: &mut Schema) {
    let entity = |schema: &mut Schema, name: &str| {
        schema.entities.iter().position(|entity| entity.name == name).expect("the entity")
    };
    match name {
        "index elsewhere for a table scan" => {
            let place = entity(schema, "Order");
            let mut index = IndexDesign::new("by_status", "{number:010}");
            index.partition = Some("status_{status}".into());
            index.copy = CopiedFields::Only(vec!["total".to_owned()]);
            schema.entities[place].indexes.push(index);
        }
        "shards for a hot site" => {
            let place = entity(schema, "Latest");
            schema.entities[place].shard = Some(Shard { of: "device".to_owned(), count: 8 });
            schema.entities[place].partition = Some("{site}_{shard:02}".into());
        }
        _ => {
            let place = entity(schema, "Login");
            schema.entities[place].table = Some("Logins".into());
        }
    }
}

#[test]
fn changes_do_what_the_vectors_say() {
    let mut differences = Differences::default();
    for expected in vectors("whatif.json").as_array().expect("changes") {
        let (name, query) =
            (expected["name"].as_str().expect("a name"), expected["query"].as_str().expect("a query"));
        let mut schema = schema(expected["schema"].as_str().expect("a file"));
        check(&format!("{name}, before"), &schema, query, &expected["before"], &mut differences);
        change(name, &mut schema);
        check(&format!("{name}, after"), &schema, query, &expected["after"], &mut differences);
    }
    differences.end();
}
