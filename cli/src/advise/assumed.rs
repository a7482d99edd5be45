use table_advisor::plain;
use table_schema::schema::{Load, Schema, Targets};

/// A number that the file does not specify.
#[derive(Debug)]
pub(crate) struct Assumed {
    /// The assumption, with the number.
    pub(crate) what: String,
    /// The line that specifies the number; empty if no line can.
    pub(crate) line: String,
}

/// Returns the assumptions of the report that the file does not specify.
pub(crate) fn assumed(schema: &Schema) -> Vec<Assumed> {
    let mut assumed = Vec::new();
    let mut add = |what: String, line: &str| assumed.push(Assumed { what, line: line.to_owned() });
    if schema.prices.is_none() {
        add("prices are the reference prices, in US dollars".to_owned(), "[prices]");
    }
    let (load, usual) = (&schema.load, Load::default());
    if load.peak <= usual.peak {
        add("the load has no peaks".to_owned(), "[load]  peak = 3");
    }
    if load.horizon == usual.horizon {
        add(
            format!("data without a lifetime is evaluated after {}", load.horizon),
            "[load]  horizon = \"90d\"",
        );
    }
    for entity in &schema.entities {
        let said = schema.load_of(&entity.name);
        if said.is_none_or(|load| load.count.is_none() && load.insert.is_none()) {
            let line = format!("[load.{}]  count = 100_000", entity.name);
            add(format!("`{}` has 1,000 entities", entity.name), &line);
        }
    }
    let (targets, usual) = (&schema.targets, Targets::default());
    let same = |one: f64, other: f64| (one - other).abs() < f64::EPSILON;
    if same(targets.examined_per_request, usual.examined_per_request) {
        let what = format!("a request examines at most {} rows", plain(targets.examined_per_request));
        add(what, "[targets]  examined_per_request = 50_000");
    }
    if same(targets.egt_overhead, usual.egt_overhead) {
        let what =
            format!("an operation of a transaction adds {} bytes to its row", plain(targets.egt_overhead));
        add(what, "[targets]  egt_overhead = 512");
    }
    let parameters = table_advisor::simulate::Parameters::default();
    add(
        format!(
            "a server serves {} entities per second; an account has no limit",
            plain(parameters.server_rate)
        ),
        "",
    );
    add(
        "field values are independent unless `within` is specified".to_owned(),
        "[load.Name]  values.x = { within = \"y\" }",
    );
    assumed
}
