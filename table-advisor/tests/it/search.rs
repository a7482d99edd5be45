//! The design search on the workloads of the vectors.

use std::fs;

use serde_json::Value;
use table_advisor::{
    Model,
    search::{Designed, Options, search},
};
use table_schema::schema::Workload;

const WORKLOADS: [&str; 6] = ["chat", "feed", "orders", "rubis", "telemetry", "tickets"];

fn folder() -> String {
    format!("{}/../table-codegen/tests/workloads", env!("CARGO_MANIFEST_DIR"))
}

fn workload(name: &str) -> Workload {
    let text = fs::read_to_string(format!("{}/{name}.toml", folder())).expect("a workload");
    table_codegen::read_workload(&text, name).expect("a valid workload")
}

/// Returns the cost of the best design that the reference found.
fn reference(name: &str) -> f64 {
    let text = fs::read_to_string(format!("{}/{name}.result.json", folder())).expect("a result");
    let result: Value = serde_json::from_str(&text).expect("JSON");
    result["usd"].as_f64().expect("a cost")
}

fn designed(name: &str, slack: f64) -> Designed {
    search(&workload(name), &Options { slack, ..Options::default() }).expect("a design")
}

#[test]
fn every_workload_costs_at_most_as_much_as_the_reference() {
    for name in WORKLOADS {
        let best = reference(name);
        for (slack, most) in [(0.0, 1.01), (0.01, 1.02)] {
            let start = std::time::Instant::now();
            let designed = designed(name, slack);
            let cost = designed.cost();
            println!(
                "{name} {slack} {cost} added {} bound {} reference {best}: {} nodes {:?} {:?}",
                designed.added_up,
                designed.bound,
                designed.nodes,
                designed.reach,
                start.elapsed()
            );
            if std::env::var("SHOW").is_ok() {
                println!("{}", table_codegen::write(&designed.schema));
                for access in Model::new(&designed.schema).accesses() {
                    println!(
                        "{} {} {} requests {} read {} fetch {}",
                        access.query, access.class, access.path, access.requests, access.read, access.fetch
                    );
                }
            }
            assert!(cost <= most * best, "{name} with slack {slack}: {cost} for {best}");
        }
    }
}
