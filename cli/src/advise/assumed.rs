use table_advisor::{Assumption, FieldAssumption, Model, plain};
use table_designs::schema::{Load, Schema, Targets};
use table_schema::design::{EntityDesign, FieldDesign, FieldKind};

/// A number that the file does not specify.
#[derive(Debug)]
pub(crate) struct Assumed {
    /// The assumption, with the number.
    pub(crate) what: String,
    /// The line that specifies the number; empty if no line can.
    pub(crate) line: String,
}

/// Returns the assumptions of the report that the file does not specify.
pub(crate) fn assumed(schema: &Schema, model: &Model<'_>) -> Vec<Assumed> {
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
    assumed.extend(values(schema, model));
    let mut add = |what: String, line: &str| assumed.push(Assumed { what, line: line.to_owned() });
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

/// Returns the numbers and lengths of values that the file does not specify, for the fields on which a number depends.
fn values(schema: &Schema, model: &Model<'_>) -> Vec<Assumed> {
    let mut assumed = Vec::new();
    for Assumption { entity, fields, .. } in model.assumptions() {
        let Some(design) = schema.entity(&entity) else { continue };
        for (field, FieldAssumption { name, distinct, length, .. }) in design.fields.iter().zip(fields) {
            let said = schema.load_of(&entity).and_then(|load| load.values_of(&name));
            let mut add = |what: String, key: &str, number: f64| {
                let number = plain(number).replace(',', "_");
                let line = format!("[load.{entity}]  values.{name} = {{ {key} = {number} }}");
                assumed.push(Assumed { what: format!("`{entity}.{name}` has {what}"), line });
            };
            let is_counted = !matches!(field.kind, FieldKind::Bool | FieldKind::Enum { .. });
            if is_counted && is_used(schema, design, &name) && said.is_none_or(|said| said.distinct.is_none())
            {
                add(format!("{} values", plain(distinct.round())), "distinct", distinct.round());
            }
            let Some(length) = length.filter(|_| is_open(field)) else { continue };
            let (key, unit, is_said) = match field.kind {
                FieldKind::Text { .. } | FieldKind::Json { .. } => {
                    ("chars", "characters", said.is_some_and(|said| said.chars.is_some()))
                }
                _ => ("bytes", "bytes", said.is_some_and(|said| said.bytes.is_some())),
            };
            if !is_said {
                add(format!("{} {unit} on average", plain(length)), key, length);
            }
        }
    }
    assumed
}

/// Returns whether the length of a value is not limited by its type.
const fn is_open(field: &FieldDesign) -> bool {
    matches!(
        field.kind,
        FieldKind::Text { max: None }
            | FieldKind::Json { max: None }
            | FieldKind::Binary { max: None }
            | FieldKind::Blob
    )
}

/// Returns whether a key, a lookup or a condition contains a field.
fn is_used(schema: &Schema, entity: &EntityDesign, name: &str) -> bool {
    let kinds = entity.row_kinds();
    let mut holes = kinds
        .iter()
        .flat_map(|kind| kind.table.holes().chain(kind.partition.holes()).chain(kind.row.holes()));
    let queries = schema.queries.iter().filter(|query| query.find == entity.name);
    let mut tests = queries
        .flat_map(|query| &query.filter)
        .flat_map(|filter| &filter.alternatives)
        .flat_map(|all| &all.tests);
    holes.any(|hole| hole.field == name)
        || tests.any(|test| test.field == name)
        || entity.lookups.iter().any(|lookup| lookup.on.iter().any(|on| on == name))
}
