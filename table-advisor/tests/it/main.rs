//! Comparison of the advisor with reference vectors.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod advice;
mod changes;
mod classes;
mod corrections;
mod costs;
mod explanations;
mod findings;
mod improve;
mod plans;
mod search;
mod simulator;
mod space;
mod streams;
mod suggestions;
mod trace;

use serde_json::Value;
use table_codegen::Schema;

const DESIGNS: [&str; 4] = ["company.toml", "iot.toml", "logins.toml", "orders.toml"];

fn schema(name: &str) -> Schema {
    let path = format!("{}/../table-codegen/tests/schemas/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a schema");
    table_codegen::read(&text, name).expect("a valid schema")
}

fn vectors(name: &str) -> Value {
    let path = format!("{}/tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("vectors")).expect("JSON")
}

/// Numbers that differ from the expected numbers.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn number(&mut self, what: &str, is: f64, expected: &Value) {
        let wanted = expected.as_f64().unwrap_or_else(|| panic!("{what}: {expected} is no number"));
        if (is - wanted).abs() > 1e-9 * wanted.abs().max(1e-9) {
            self.0.push(format!("{what}: {is} for {wanted}"));
        }
    }

    fn text(&mut self, what: &str, is: &str, expected: &Value) {
        if Some(is) != expected.as_str() {
            self.0.push(format!("{what}: {is} for {expected}"));
        }
    }

    fn end(self) {
        assert!(self.0.is_empty(), "{} differ:\n{}", self.0.len(), self.0.join("\n"));
    }
}
