use serde_json::Value;
use table_advisor::{Model, Step};

use super::{DESIGNS, Differences, schema, vectors};

fn steps(of: &str, steps: &[Step], expected: &Value, differences: &mut Differences) {
    let expected = expected.as_array().expect("steps");
    let names = |steps: &[Step]| steps.iter().map(|step| step.what.clone()).collect::<Vec<_>>();
    assert_eq!(expected.len(), steps.len(), "{of}: {:?}", names(steps));
    for (step, expected) in steps.iter().zip(expected) {
        differences.text(of, &step.what, &expected["what"]);
        differences.text(&format!("{of} {}", step.what), step.effect.as_str(), &expected["op"]);
        differences.number(&format!("{of} {} bytes", step.what), step.bytes, &expected["bytes"]);
        let times = expected.get("times").cloned().unwrap_or_else(|| 1.0.into());
        differences.number(&format!("{of} {} times", step.what), step.times, &times);
    }
}

#[test]
fn every_write_takes_what_the_vectors_say() {
    let vectors = vectors("plans.json");
    let mut differences = Differences::default();
    for design in DESIGNS {
        let schema = schema(design);
        let model = Model::new(&schema);
        let expected = vectors[design].as_array().expect("plans");
        assert_eq!(expected.len(), model.plans().len(), "{design}");
        for (plan, expected) in model.plans().iter().zip(expected) {
            let of = |what: &str| format!("{design} {} {what}", plan.name());
            differences.text(&of("entity"), &plan.entity, &expected["entity"]);
            differences.text(&of("op"), plan.kind.as_str(), &expected["op"]);
            assert_eq!(expected["fields"], serde_json::json!(plan.fields), "{}", of("fields"));
            assert_eq!(expected["inside"], serde_json::json!(plan.is_inside), "{}", of("inside"));
            steps(&of("transaction"), &plan.transaction, &expected["egt"], &mut differences);
            steps(&of("follow"), &plan.follow, &expected["follow"], &mut differences);
            let usual: f64 = plan.transaction.iter().map(|step| step.times.ceil().max(1.0)).sum();
            let numbers = [
                ("egt_ops", plan.operations),
                ("egt_most", usual),
                ("egt_bytes", plan.bytes),
                ("reads", plan.reads),
                ("requests", plan.requests),
                ("queue_requests", plan.queue_requests),
                ("amplification", plan.amplification),
                ("byte_amplification", plan.byte_amplification),
                ("rate", plan.rate),
            ];
            for (what, is) in numbers {
                differences.number(&of(what), is, &expected[what]);
            }
        }
    }
    differences.end();
}
