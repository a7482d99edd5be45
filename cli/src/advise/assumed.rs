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
        add("prices are those of the reference, in US dollars".to_owned(), "[prices]");
    }
    let (load, usual) = (&schema.load, Load::default());
    if load.peak <= usual.peak {
        add("the load has no peaks".to_owned(), "[load]  peak = 3");
    }
    if load.horizon == usual.horizon {
        add(
            format!("what nothing else bounds is looked at for {}", load.horizon),
            "[load]  horizon = \"90d\"",
        );
    }
    for entity in &schema.entities {
        let said = schema.load_of(&entity.name);
        if said.is_none_or(|load| load.count.is_none() && load.insert.is_none()) {
            let line = format!("[load.{}]  count = 100_000", entity.name);
            add(format!("there are 1,000 of `{}`", entity.name), &line);
        }
    }
    let (targets, usual) = (&schema.targets, Targets::default());
    let same = |one: f64, other: f64| (one - other).abs() < f64::EPSILON;
    if same(targets.examined_per_request, usual.examined_per_request) {
        let what = format!("a request looks at {} rows at most", plain(targets.examined_per_request));
        add(what, "[targets]  examined_per_request = 50_000");
    }
    if same(targets.egt_overhead, usual.egt_overhead) {
        let what = format!(
            "an operation of a transaction takes {} bytes beside its row",
            plain(targets.egt_overhead)
        );
        add(what, "[targets]  egt_overhead = 512");
    }
    let parameters = table_advisor::simulate::Parameters::default();
    add(
        format!(
            "a server serves {} entities a second; an account has no limit",
            plain(parameters.server_rate)
        ),
        "",
    );
    add(
        "values of fields are independent, but where `within` says so".to_owned(),
        "[load.Name]  values.x = { within = \"y\" }",
    );
    assumed
}
