use serde_json::Value;
use table_advisor::{
    Model,
    simulate::{End, Kind},
    streams,
};

use super::{Differences, schema};

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
            let of = |what: &str| format!("{} {what}", stream.name);
            differences.text(&of("name"), &stream.name, &expected["name"]);
            differences.number(&of("rate"), stream.rate, &expected["rate"]);
            differences.number(&of("partitions"), stream.partitions, &expected["partitions"]);
            match stream.kind {
                Kind::Spread { zipf } => {
                    differences.text(&of("kind"), "spread", &expected["kind"]);
                    differences.number(&of("zipf"), zipf, &expected["zipf"]);
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
