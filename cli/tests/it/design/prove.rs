use serde_json::Value;

use super::{file, tables};

const DESIGN: &str = r#"
tables = 1
design = "events"
[entity.Event]
table = "Events"
partition = "{device:06}"
row = "{at:inverted_ticks}"
[entity.Event.fields]
device = "u32"
at = "datetime"
picture = { type = "binary", blob = true }
[entity.Device]
table = "Devices"
partition = "{site:03}"
row = "{device:06}"
[entity.Device.fields]
site = "u16"
device = "u32"
name = "string(20)"
[query.site]
find = "Device"
where = "site = ?"
rate = "1/s"
[load.Device]
count = 300
values.site = { distinct = 10 }
values.device = { distinct = 300, within = "site" }
"#;

#[test]
fn designs_of_workloads_are_executed_as_predicted() {
    for (name, least) in [("chat", 8), ("orders", 8), ("telemetry", 7)] {
        let path = format!("../workloads/{name}.toml");
        let answer = tables(&["design", &path, "--prove", "--prove-rows", "2000", "--json"]);
        let found: Value = serde_json::from_str(&answer.out).unwrap();
        let proof = &found["proof"];
        assert_eq!((answer.code, &proof["holds"]), (0, &Value::Bool(true)), "{proof:#}");
        assert!(proof["operations"].as_array().is_some_and(|all| all.len() >= least), "{proof:#}");
    }
}

#[test]
fn parts_that_cannot_be_executed_are_listed() {
    let design = file(DESIGN);
    let path = design.path().to_str().unwrap();
    let answer = tables(&["advise", path, "--servers", "1", "--prove"]);
    assert_eq!(answer.code, 0, "{}", answer.errors);
    for text in [
        "Executed with 300 Device",
        "not executed: Event: `Event` cannot be written by its design alone",
        "are as predicted.",
    ] {
        assert!(answer.out.contains(text), "{}", answer.out);
    }
    assert_eq!(tables(&["advise", path, "--prove-rows", "500"]).code, 2);
}
