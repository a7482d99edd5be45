use serde_json::Value;
use table_advisor::{
    Model,
    simulate::{End, Kind},
    streams,
};

use super::{Differences, schema};

/// The entities behind index rows are in the partitions of the entity (C4), and the busiest partition takes the load that
/// the rules compute (C1): that of `company` has the skew of its employees, not of its departments.
const CORRECTED: [(&str, &str, f64); 3] = [
    ("employees[{}]", "zipf", 0.766_650_877_734_264_2),
    ("orders[ref_{}]", "rate", 90.0),
    ("orders[{}]", "rate", 4_585.0),
];

/// The streams equal the declared loads in the vectors of the simulator.
#[test]
fn designs_give_the_traffic_of_the_simulators_vectors() {
    let path = format!("{}/tests/vectors/sim.json", env!("CARGO_MANIFEST_DIR"));
    let vectors: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("vectors")).expect("JSON");
    let mut differences = Differences::default();
    for run in vectors["declared"].as_array().expect("runs") {
        let name = run["scenario"].as_str().expect("a name");
        let schema = schema(&format!("{name}.toml"));
        let model = Model::new(&schema);
        let (is, expected) = (streams(&model), run["streams"].as_array().expect("streams"));
        assert_eq!(is.len(), expected.len(), "{name}");
        for (stream, expected) in is.iter().zip(expected) {
            let corrected = |what: &str, value: &Value| {
                let found = CORRECTED.iter().find(|(name, of, _)| *name == stream.name && *of == what);
                found.map_or_else(|| value.clone(), |(.., number)| Value::from(*number))
            };
            let of = |what: &str| format!("{} {what}", stream.name);
            differences.text(&of("name"), &stream.name, &expected["name"]);
            differences.number(&of("rate"), stream.rate, &corrected("rate", &expected["rate"]));
            differences.number(&of("partitions"), stream.partitions, &expected["partitions"]);
            match stream.kind {
                Kind::Spread { zipf } => {
                    differences.text(&of("kind"), "spread", &expected["kind"]);
                    differences.number(&of("zipf"), zipf, &corrected("zipf", &expected["zipf"]));
                }
                Kind::Rising { end, concurrent } => {
                    differences.text(&of("kind"), "rising", &expected["kind"]);
                    let end = if end == End::Append { "append" } else { "prepend" };
                    differences.text(&of("end"), end, &expected["end"]);
                    differences.number(&of("concurrent"), concurrent, &expected["concurrent"]);
                }
            }
        }
    }
    differences.end();
}
