//! The assumptions about a design: `[query]`, `[load]`, `[prices]`, `[targets]`, `[lint]`; and `[relation]` and
//! `[log]`.

use std::collections::BTreeMap;

use table_designs::{
    language::Rate,
    schema::{
        BatchUnit, CosmosPrices, EntityLoad, Flush, Lint, Load, Log, Prices, Query, Relation, RelationKind,
        Targets, Update, Values,
    },
};
use table_schema::{
    catalogue::{Code, Severity},
    language::Size,
};

use super::{
    field::{self, names},
    keys::{Keys, Text, parsed, table_of, text_of, word_of, wrong_kind},
    named::{function_name, missing, type_name},
    tree::{Entry, Kind, Table, Value},
};
use crate::diagnostic::Found;

const SHARE: (f64, f64) = (0.0, 1.0);
const POSITIVE: (f64, f64) = (0.0, f64::MAX);
const COUNT: (u64, u64) = (1, u64::MAX);

/// Reads a rate: a string, or a plain number.
fn rate(value: &Value, name: &str, found: &mut Vec<Found>) -> Option<Rate> {
    #[expect(clippy::cast_precision_loss, reason = "figures of a load are estimates")]
    let number = match value.kind {
        Kind::Text { ref text, .. } => return parsed(name, &Text { text, value }, found),
        Kind::Integer(number) => number.map(|number| number as f64),
        Kind::Float(number) => Some(number),
        _ => return wrong_kind(value, name, "a rate", &format!("{name} = \"10/s\""), found),
    };
    let number = number.filter(|number| (0.0..=f64::MAX).contains(number));
    if number.is_none() {
        found.push(
            Found::new(Code::D024, &value.spot, format!("`{name}` is out of range")).label("at least 0"),
        );
    }
    number.map(Rate::of_second)
}

pub(super) fn rate_of(keys: &mut Keys<'_>, name: &'static str, found: &mut Vec<Found>) -> Option<Rate> {
    let entry = keys.entry(name)?;
    rate(&entry.value, name, found)
}

pub(super) fn query(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Query {
    function_name(entry, "a query", found);
    missing(entry, table, "query", &[("find", "\"Employee\"")], found);
    let mut keys = Keys::of(table);
    let most = (1, u64::from(u32::MAX));
    let number = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    let query = Query {
        name: entry.name.clone(),
        about: keys.about(found),
        find: keys.text("find", "Employee", found).map(|text| text.text.to_owned()).unwrap_or_default(),
        filter: keys.parsed("where", "department = ?", found),
        select: keys.names("select", "first_name", found),
        limit: number(keys.whole("limit", most, 10, found)),
        latest: number(keys.whole("latest", most, 10, found)),
        page: number(keys.whole("page", (1, 1_000), 100, found)),
        rate: rate_of(&mut keys, "rate", found),
        fresh: keys.bool("fresh", found).unwrap_or(false),
        using: keys.text("using", "by_email", found).map(|text| text.text.to_owned()),
    };
    if let (Some(limit), Some(_)) = (table.get("limit"), table.get("latest")) {
        let mistake = Found::new(Code::D036, &limit.key, "a query cannot have both `limit` and `latest`");
        found.push(mistake.label("one too many").help("remove one of the attributes"));
    }
    keys.finish(found);
    query
}

pub(super) fn load(table: &Table, found: &mut Vec<Found>) -> Load {
    let mut keys = Keys::of(table);
    let mut load = Load::default();
    if let Some(peak) = keys.number("peak", (1.0, f64::MAX), "3.0", found) {
        load.peak = peak;
    }
    if let Some(horizon) = keys.parsed("horizon", "365d", found) {
        load.horizon = horizon;
    }
    keys.about(found);
    // Entity names start with an upper-case letter, keys do not. Other names are misspelled keys.
    let entities = |entry: &&Entry| entry.name.starts_with(char::is_uppercase) && entry.table().is_some();
    for (entry, table) in
        table.entries.iter().filter(entities).filter_map(|entry| Some((entry, entry.table()?)))
    {
        load.entities.push(entity_load(entry, table, found));
    }
    let rest: Vec<Entry> = table.entries.iter().filter(|entry| !entities(entry)).cloned().collect();
    keys.finish_in(&Table { entries: rest }, found);
    load
}

fn entity_load(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> EntityLoad {
    let mut keys = Keys::of(table);
    let load = EntityLoad {
        name: entry.name.clone(),
        about: keys.about(found),
        count: keys.whole("count", (0, u64::MAX), 100_000, found),
        insert: rate_of(&mut keys, "insert", found),
        upsert: rate_of(&mut keys, "upsert", found),
        delete: rate_of(&mut keys, "delete", found),
        archive: rate_of(&mut keys, "archive", found),
        updates: keys.entry("update").map(|entry| updates(&entry.value, found)).unwrap_or_default(),
        partitions: keys.whole("partitions", COUNT, 40, found),
        values: keys
            .tables("values", found)
            .into_iter()
            .map(|(entry, table)| values(entry, table, found))
            .collect(),
    };
    keys.finish(found);
    load
}

/// Reads a rate, a table, or a list of either.
fn updates(value: &Value, found: &mut Vec<Found>) -> Vec<Update> {
    match &value.kind {
        Kind::List(values) => values.iter().filter_map(|value| update(value, found)).collect(),
        _ => update(value, found).into_iter().collect(),
    }
}

fn update(value: &Value, found: &mut Vec<Found>) -> Option<Update> {
    let Kind::Table(table) = &value.kind else {
        return Some(Update { rate: rate(value, "update", found)?, ..Update::default() });
    };
    let mut keys = Keys::of(table);
    let rate = rate_of(&mut keys, "rate", found);
    let fields = keys.names("fields", "status", found);
    let slots = keys.whole("slots", COUNT, 1, found);
    if table.get("rate").is_none() {
        let mistake = Found::new(Code::D006, &value.spot, "an update has a `rate`");
        found.push(mistake.label("needs `rate`").help("update = { rate = \"10/s\", fields = [\"status\"] }"));
    }
    keys.finish(found);
    Some(Update { rate: rate?, fields, slots })
}

fn values(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Values {
    let mut keys = Keys::of(table);
    let values = Values {
        field: entry.name.clone(),
        distinct: keys.whole("distinct", COUNT, 40, found),
        zipf: keys.number("zipf", (0.0, 100.0), "0.8", found),
        chars: keys.number("chars", POSITIVE, "10", found),
        bytes: keys.number("bytes", POSITIVE, "60_000", found),
        present: keys.number("present", SHARE, "0.5", found),
        rising: keys.bool("rising", found),
        within: keys.text("within", "customer", found).map(|text| text.text.to_owned()),
        share: keys.entry("share").map(|entry| shares(entry, found)).unwrap_or_default(),
    };
    keys.finish(found);
    values
}

/// Reads `share = { open = 0.02 }`: the fractions of entities with certain values.
fn shares(entry: &Entry, found: &mut Vec<Found>) -> Vec<(String, f64)> {
    const EXAMPLE: &str = "share = { open = 0.02 }";
    let Some(table) = table_of(entry, EXAMPLE, found) else { return Vec::new() };
    let mut shares = Vec::new();
    for entry in &table.entries {
        #[expect(clippy::cast_precision_loss, reason = "figures of a load are estimates")]
        let number = match entry.value.kind {
            Kind::Integer(number) => number.map(|number| number as f64),
            Kind::Float(number) => Some(number),
            _ => {
                wrong_kind::<()>(&entry.value, &entry.name, "a number", EXAMPLE, found);
                continue;
            }
        };
        match number.filter(|number| (SHARE.0..=SHARE.1).contains(number)) {
            Some(number) => shares.push((entry.name.clone(), number)),
            None => found.push(
                Found::new(Code::D024, &entry.value.spot, format!("`{}` is out of range", entry.name))
                    .label("from 0 to 1"),
            ),
        }
    }
    if shares.iter().map(|(_, share)| share).sum::<f64>() > 1.0 + 1e-9 {
        let mistake = Found::new(Code::D024, &entry.value.spot, "the fractions of `share` exceed 1");
        found.push(mistake.label("at most 1 in all").help(EXAMPLE));
    }
    shares
}

const UNITS: &[(&str, BatchUnit)] = &[
    (BatchUnit::Request.as_str(), BatchUnit::Request),
    (BatchUnit::Operation.as_str(), BatchUnit::Operation),
];

pub(super) fn prices(table: &Table, found: &mut Vec<Found>) -> Prices {
    let mut keys = Keys::of(table);
    let mut prices = Prices::default();
    keys.about(found);
    prices.date = keys.text("date", "2026-11-01", found).map(|date| date.text.to_owned());
    if let Some(currency) = keys.text("currency", "USD", found) {
        currency.text.clone_into(&mut prices.currency);
    }
    let mut price =
        |name, example: f64, found: &mut Vec<Found>| keys.number(name, POSITIVE, &example.to_string(), found);
    for (name, value) in [
        ("storage_gb_month", &mut prices.storage_gb_month),
        ("blob_gb_month", &mut prices.blob_gb_month),
        ("tx_10k", &mut prices.tx_10k),
        ("queue_tx_10k", &mut prices.queue_tx_10k),
        ("blob_tx_10k", &mut prices.blob_tx_10k),
    ] {
        *value = price(name, *value, found).unwrap_or(*value);
    }
    for (name, value) in [
        ("write_10k", &mut prices.write_10k),
        ("batch_10k", &mut prices.batch_10k),
        ("read_10k", &mut prices.read_10k),
        ("scan_10k", &mut prices.scan_10k),
        ("delete_10k", &mut prices.delete_10k),
    ] {
        *value = price(name, prices.tx_10k, found);
    }
    if let Some(unit) = keys.word("batch_unit", UNITS, found) {
        prices.batch_unit = unit;
    }
    if let Some(table) = keys.table("cosmos", found) {
        prices.cosmos = cosmos(table, found);
    }
    keys.finish(found);
    prices
}

fn cosmos(table: &Table, found: &mut Vec<Found>) -> CosmosPrices {
    let mut keys = Keys::of(table);
    let mut prices = CosmosPrices::default();
    keys.about(found);
    for (name, value) in [
        ("ru_read_kib", &mut prices.ru_read_kib),
        ("ru_write_kib", &mut prices.ru_write_kib),
        ("ru_delete_kib", &mut prices.ru_delete_kib),
        ("ru_query", &mut prices.ru_query),
        ("usd_100ru_hour", &mut prices.usd_100ru_hour),
        ("storage_gb_month", &mut prices.storage_gb_month),
        ("min_ru", &mut prices.min_ru),
    ] {
        *value = keys.number(name, POSITIVE, &value.to_string(), found).unwrap_or(*value);
    }
    keys.finish(found);
    prices
}

pub(super) fn targets(table: &Table, found: &mut Vec<Found>) -> Targets {
    let mut keys = Keys::of(table);
    let mut targets = Targets::default();
    keys.about(found);
    for (name, value) in [
        ("page", &mut targets.page),
        ("partition_entities_s", &mut targets.partition_entities_s),
        ("account_requests_s", &mut targets.account_requests_s),
        ("egt_ops", &mut targets.egt_ops),
        ("egt_bytes", &mut targets.egt_bytes),
        ("entity_bytes", &mut targets.entity_bytes),
        ("value_bytes", &mut targets.value_bytes),
        ("properties", &mut targets.properties),
        ("key_chars", &mut targets.key_chars),
        ("examined_per_request", &mut targets.examined_per_request),
        ("egt_overhead", &mut targets.egt_overhead),
        ("range_gb", &mut targets.range_gb),
        ("lag", &mut targets.lag),
    ] {
        *value = target(&mut keys, name, *value, found).unwrap_or(*value);
    }
    keys.finish(found);
    targets
}

/// Reads a number. A number of bytes may also be a size.
fn target(keys: &mut Keys<'_>, name: &'static str, default: f64, found: &mut Vec<Found>) -> Option<f64> {
    let entry = keys.entry(name)?;
    if name.ends_with("_bytes") && matches!(entry.value.kind, Kind::Text { .. }) {
        let text = text_of(&entry.value, name, "", found)?;
        #[expect(clippy::cast_precision_loss, reason = "no target is near 2^53 bytes")]
        return parsed(name, &text, found).map(|size: Size| size.bytes() as f64);
    }
    // A target of zero would result in division by zero.
    keys.number(name, (f64::MIN_POSITIVE, f64::MAX), &default.to_string(), found)
}

const LEVELS: &[(&str, Severity)] =
    &[("error", Severity::Error), ("warn", Severity::Warning), ("info", Severity::Note)];

pub(super) fn lint(table: &Table, found: &mut Vec<Found>) -> Lint {
    let mut keys = Keys::of(table);
    keys.about(found);
    let allow = keys.texts("allow", "Q07", found).unwrap_or_default();
    let deny = keys.texts("deny", "table_scan", found).unwrap_or_default();
    for text in &allow {
        let code = text.text.split_once(':').map_or(text.text, |(code, _)| code);
        if !is_code(code) {
            found.push(no_code(text, "allow = [\"Q07\", \"W05:Employee.insert\"]"));
        }
    }
    for text in deny.iter().filter(|text| text.text != "table_scan" && !is_code(text.text)) {
        found.push(no_code(text, "deny = [\"table_scan\"]"));
    }
    let mut level = BTreeMap::new();
    for entry in keys.table("level", found).into_iter().flat_map(|table| &table.entries) {
        if !is_code(&entry.name) {
            let mistake =
                Found::new(Code::D004, &entry.key, format!("`{}` is no code of a finding", entry.name));
            found.push(mistake.label("a capital and two digits").help("level = { K15 = \"error\" }"));
            continue;
        }
        let text = text_of(&entry.value, &entry.name, "level = { K15 = \"error\" }", found);
        if let Some(severity) = text.and_then(|text| word_of("level", &text, LEVELS, found)) {
            level.insert(entry.name.clone(), severity);
        }
    }
    keys.finish(found);
    Lint { allow: names(&allow), deny: names(&deny), level }
}

/// Returns whether `text` is an upper-case letter and two digits. The advisor validates the codes.
fn is_code(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, tens, ones]
        if letter.is_ascii_uppercase() && tens.is_ascii_digit() && ones.is_ascii_digit())
}

fn no_code(text: &Text<'_>, help: &str) -> Found {
    let mistake =
        Found::new(Code::D004, &text.value.inner(), format!("`{}` is no code of a finding", text.text));
    mistake.label("a capital and two digits").help(help)
}

const KINDS: &[(&str, RelationKind)] = &[
    (RelationKind::OneToMany.as_str(), RelationKind::OneToMany),
    (RelationKind::OneToOne.as_str(), RelationKind::OneToOne),
    (RelationKind::Join.as_str(), RelationKind::Join),
];

pub(super) fn relation(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<Relation> {
    function_name(entry, "a relation", found);
    let needs = [
        ("kind", "\"one-to-many\""),
        ("from", "\"Department\""),
        ("to", "\"Employee\""),
        ("on", "{ name = \"department\" }"),
    ];
    missing(entry, table, "relation", &needs, found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let kind = keys.word("kind", KINDS, found);
    let from = keys.text("from", "Department", found).map(|text| text.text.to_owned());
    let to = keys.text("to", "Employee", found).map(|text| text.text.to_owned());
    let on = keys.pairs("on", "{ name = \"department\" }", found);
    let atomic = keys.bool("atomic", found).unwrap_or(false);
    let many = keys.number("many", POSITIVE, "6", found);
    let most = keys.whole("most", COUNT, 90, found);
    keys.finish(found);
    Some(Relation {
        name: entry.name.clone(),
        about,
        kind: kind?,
        from: from?,
        to: to?,
        on,
        atomic,
        many,
        most,
    })
}

pub(super) fn log(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<Log> {
    type_name(entry, found);
    missing(entry, table, "log", &[("blob", "\"{service}/{at:%Y/%m/%d/%H%M}/{seq:06}.log\"")], found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let blob = keys.text("blob", "{service}/{at:%Y/%m/%d/%H%M}/{seq:06}.log", found);
    let container = keys.text("container", "logs", found).map(|text| text.text.to_owned());
    let fields = keys.table("fields", found).map(|table| field::all(table, None, found)).unwrap_or_default();
    let flush = keys
        .entry("flush")
        .and_then(|entry| Some(flush(table_of(entry, "", found)?, found)))
        .unwrap_or_default();
    let keep = keys.parsed("keep", "90d", found);
    keys.finish(found);
    let blob = blob?.text.to_owned();
    Some(Log { name: entry.name.clone(), about, blob, container, fields, flush, keep })
}

fn flush(table: &Table, found: &mut Vec<Found>) -> Flush {
    let mut keys = Keys::of(table);
    let mut flush = Flush::default();
    flush.bytes = keys.parsed("bytes", "4MiB", found).unwrap_or(flush.bytes);
    flush.after = keys.parsed("after", "60s", found).unwrap_or(flush.after);
    keys.finish(found);
    flush
}
