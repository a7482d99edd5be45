//! Relations, logs and assumptions.

use table_designs::{
    language::Rate,
    schema::{CosmosPrices, EntityLoad, Lint, Load, Log, Prices, Query, Relation, Targets, Update, Values},
};
use table_schema::catalogue::Severity;

use super::{
    field::value,
    lines::{Lines, inline, names, text, texts},
};

fn rate(rate: Rate) -> String {
    text(&rate.to_string())
}

pub(super) fn relation(lines: &mut Lines, relation: &Relation) {
    lines.table(&["relation", &relation.name]);
    lines.some("about", relation.about.as_deref().map(text));
    lines.key("kind", text(relation.kind.as_str()));
    lines.key("from", text(&relation.from));
    lines.key("to", text(&relation.to));
    lines.key("on", names(&relation.on));
    lines.flag("atomic", relation.atomic);
    lines.some("many", relation.many);
    lines.some("most", relation.most);
}

pub(super) fn log(lines: &mut Lines, log: &Log) {
    lines.table(&["log", &log.name]);
    lines.some("about", log.about.as_deref().map(text));
    lines.key("blob", text(&log.blob));
    lines.some("container", log.container.as_deref().map(text));
    let (bytes, after) = (log.flush.bytes.to_string(), log.flush.after.to_string());
    lines.key("flush", format!("{{ bytes = {}, after = {} }}", text(&bytes), text(&after)));
    lines.some("keep", log.keep.map(|keep| text(&keep.to_string())));
    if !log.fields.is_empty() {
        lines.table(&["log", &log.name, "fields"]);
        for field in &log.fields {
            lines.key(&field.name, value(field, &log.fields));
        }
    }
}

pub(super) fn query(lines: &mut Lines, query: &Query) {
    lines.table(&["query", &query.name]);
    lines.some("about", query.about.as_deref().map(text));
    lines.key("find", text(&query.find));
    lines.some("where", query.filter.as_ref().map(|filter| text(&filter.text)));
    lines.some("select", query.select.as_ref().map(texts));
    lines.some("limit", query.limit);
    lines.some("latest", query.latest);
    lines.some("page", query.page);
    lines.some("rate", query.rate.map(rate));
    lines.flag("fresh", query.fresh);
    lines.some("using", query.using.as_deref().map(text));
}

/// Writes the load. `knows` returns the fields that programs know of an entity, in workloads.
pub(super) fn load(lines: &mut Lines, load: &Load, knows: impl Fn(&str) -> Option<String>) {
    let default = Load::default();
    let peak = (load.peak.to_bits() != default.peak.to_bits()).then_some(load.peak);
    let horizon = (load.horizon != default.horizon).then(|| text(&load.horizon.to_string()));
    if peak.is_some() || horizon.is_some() {
        lines.table(&["load"]);
        lines.some("peak", peak);
        lines.some("horizon", horizon);
    }
    for one in &load.entities {
        entity_load(lines, one, knows(&one.name));
    }
}

fn entity_load(lines: &mut Lines, load: &EntityLoad, knows: Option<String>) {
    lines.table(&["load", &load.name]);
    lines.some("about", load.about.as_deref().map(text));
    lines.some("count", load.count);
    for (name, given) in
        [("insert", load.insert), ("upsert", load.upsert), ("delete", load.delete), ("archive", load.archive)]
    {
        lines.some(name, given.map(rate));
    }
    match load.updates.as_slice() {
        [] => {}
        [only] => lines.key("update", update(only)),
        several => {
            let all: Vec<String> = several.iter().map(update).collect();
            lines.key("update", format!("[{}]", all.join(", ")));
        }
    }
    lines.some("knows", knows);
    lines.some("partitions", load.partitions);
    if !load.values.is_empty() {
        lines.table(&["load", &load.name, "values"]);
        for one in &load.values {
            lines.key(&one.field, values(one));
        }
    }
}

fn update(update: &Update) -> String {
    let mut words = vec![("rate".to_owned(), rate(update.rate))];
    words.extend(update.fields.as_ref().map(|fields| ("fields".to_owned(), texts(fields))));
    words.extend(update.slots.map(|slots| ("slots".to_owned(), slots.to_string())));
    inline(&words)
}

fn values(values: &Values) -> String {
    let shares: Vec<(String, String)> =
        values.share.iter().map(|(value, share)| (value.clone(), share.to_string())).collect();
    let numbers = [
        ("distinct", values.distinct.map(|distinct| distinct.to_string())),
        ("zipf", values.zipf.map(|zipf| zipf.to_string())),
        ("chars", values.chars.map(|chars| chars.to_string())),
        ("bytes", values.bytes.map(|bytes| bytes.to_string())),
        ("present", values.present.map(|present| present.to_string())),
        ("rising", values.rising.map(|rising| rising.to_string())),
        ("within", values.within.as_deref().map(text)),
        ("share", (!values.share.is_empty()).then(|| inline(&shares))),
    ];
    let words: Vec<(String, String)> =
        numbers.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    inline(&words)
}

pub(super) fn prices(lines: &mut Lines, prices: &Prices) {
    lines.table(&["prices"]);
    if let Some(date) = &prices.date {
        lines.key("date", text(date));
    }
    lines.key("currency", text(&prices.currency));
    for (name, price) in [
        ("storage_gb_month", Some(prices.storage_gb_month)),
        ("blob_gb_month", Some(prices.blob_gb_month)),
        ("tx_10k", Some(prices.tx_10k)),
        ("queue_tx_10k", Some(prices.queue_tx_10k)),
        ("blob_tx_10k", Some(prices.blob_tx_10k)),
        ("write_10k", prices.write_10k),
        ("batch_10k", prices.batch_10k),
        ("read_10k", prices.read_10k),
        ("scan_10k", prices.scan_10k),
        ("delete_10k", prices.delete_10k),
    ] {
        lines.some(name, price);
    }
    lines.key("batch_unit", text(prices.batch_unit.as_str()));
    let CosmosPrices {
        ru_read_kib,
        ru_write_kib,
        ru_delete_kib,
        ru_query,
        usd_100ru_hour,
        storage_gb_month,
        min_ru,
    } = prices.cosmos;
    lines.table(&["prices", "cosmos"]);
    for (name, price) in [
        ("ru_read_kib", ru_read_kib),
        ("ru_write_kib", ru_write_kib),
        ("ru_delete_kib", ru_delete_kib),
        ("ru_query", ru_query),
        ("usd_100ru_hour", usd_100ru_hour),
        ("storage_gb_month", storage_gb_month),
        ("min_ru", min_ru),
    ] {
        lines.key(name, price);
    }
}

/// Writes the targets that differ from the defaults.
pub(super) fn targets(lines: &mut Lines, targets: &Targets) {
    let figures = |targets: &Targets| {
        [
            ("page", targets.page),
            ("partition_entities_s", targets.partition_entities_s),
            ("account_requests_s", targets.account_requests_s),
            ("egt_ops", targets.egt_ops),
            ("egt_bytes", targets.egt_bytes),
            ("entity_bytes", targets.entity_bytes),
            ("value_bytes", targets.value_bytes),
            ("properties", targets.properties),
            ("key_chars", targets.key_chars),
            ("examined_per_request", targets.examined_per_request),
            ("egt_overhead", targets.egt_overhead),
            ("range_gb", targets.range_gb),
            ("lag", targets.lag),
        ]
    };
    let own = figures(targets).into_iter().zip(figures(&Targets::default()));
    let own: Vec<(&str, f64)> = own
        .filter(|((_, own), (_, default))| own.to_bits() != default.to_bits())
        .map(|(own, _)| own)
        .collect();
    if own.is_empty() {
        return;
    }
    lines.table(&["targets"]);
    for (name, target) in own {
        lines.key(name, target);
    }
}

pub(super) fn lint(lines: &mut Lines, lint: &Lint) {
    if *lint == Lint::default() {
        return;
    }
    lines.table(&["lint"]);
    if !lint.allow.is_empty() {
        lines.key("allow", texts(&lint.allow));
    }
    if !lint.deny.is_empty() {
        lines.key("deny", texts(&lint.deny));
    }
    if !lint.level.is_empty() {
        let levels: Vec<(String, String)> = lint
            .level
            .iter()
            .map(|(code, severity)| {
                let word = match severity {
                    Severity::Error => "error",
                    Severity::Warning => "warn",
                    Severity::Note => "info",
                };
                (code.clone(), text(word))
            })
            .collect();
        lines.key("level", inline(&levels));
    }
}
