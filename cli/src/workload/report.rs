//! The report on a terminal.

use std::fmt::Write;

use table_advisor::{
    Model, OperationKind, plain,
    search::{Figures, Loosened, Obstacle, Subject, Variant},
    size_text,
};
use table_schema::design::{CopiedFields, EntityDesign, IndexDesign, TemplateText};

use super::{
    Found,
    comments::{difference, money},
};
use crate::{
    advise::{BOLD, paragraph, section},
    table::{
        Cell,
        Side::{Code, Left, Right},
        Table,
    },
    text::counted,
};

pub(super) const GIB: f64 = 1_073_741_824.0;

pub(super) fn text(found: &Found<'_>) -> String {
    let (designed, content) = (&found.designed, &found.workload.content);
    let mut out = String::new();
    paragraph(
        &mut out,
        &match &content.about {
            Some(about) => format!("{}: {about}", content.name),
            None => content.name.clone(),
        },
    );
    let figures = &designed.figures;
    _ = writeln!(out, "\n{BOLD}{} a month{BOLD:#}", money(found, figures.usd));
    paragraph(&mut out, &quality(found));
    if let Some(start) = &found.start {
        start.compare(found, &mut out);
    }
    out.push('\n');
    for (number, what) in numbers(figures) {
        _ = writeln!(out, "  {number:>14}  {what}");
    }
    for entity in &designed.schema.entities {
        section(&mut out, &entity.name, &keys(entity));
    }
    section(&mut out, "Queries", &queries(found));
    for answer in &designed.reach {
        paragraph(&mut out, &format!("  {answer}"));
    }
    for (query, words) in designed.unsorted() {
        paragraph(&mut out, &format!("  {query}: {words}"));
    }
    if let Some(start) = &found.start {
        start.sections(found, &mut out);
    }
    section(&mut out, "Alternatives", &alternatives(found));
    section(&mut out, "Front", &front(found));
    out
}

/// Returns the numbers of a design, with their meaning.
pub(super) fn numbers(figures: &Figures) -> [(String, String); 5] {
    [
        (
            format!("{}/s", plain(figures.hottest)),
            format!("in the busiest partition, of {}", figures.hottest_in),
        ),
        (size_text(figures.largest_gib * GIB), "in the largest partition".to_owned()),
        (size_text(figures.storage_gib * GIB), "in tables".to_owned()),
        (format!("{}/s", plain(figures.late)), "calls that may return an older state".to_owned()),
        (format!("{}/s", plain(figures.read)), "rows read".to_owned()),
    ]
}

/// Returns how near the design is to the cheapest one.
pub(super) fn quality(found: &Found<'_>) -> String {
    let designed = &found.designed;
    let best = if designed.gap() <= 0.0 {
        format!("No design of the searched space costs less than {}", money(found, designed.bound))
    } else {
        let percent = plain((1.0 - designed.bound / designed.cheapest) * 100.0);
        format!(
            "The search ended before it examined all designs: the cheapest costs at least {}, which is at most {percent} % less",
            money(found, designed.bound)
        )
    };
    format!("{best} ({} examined).", counted(designed.nodes, "partial design"))
}

fn keys(entity: &EntityDesign) -> Table {
    let mut table = Table::new([("path", Code), ("PartitionKey", Code), ("RowKey", Code), ("copies", Code)]);
    let text = |template: &Option<TemplateText>| template.as_ref().map_or("", TemplateText::text).to_owned();
    let name = text(&entity.table);
    table.row([name.into(), text(&entity.partition).into(), text(&entity.row).into(), "".into()]);
    for index in &entity.indexes {
        let partition = if index.partition.is_some() { &index.partition } else { &entity.partition };
        table.row([
            index.name.as_str().into(),
            text(partition).into(),
            text(&index.row).into(),
            copies(index).into(),
        ]);
    }
    for total in &entity.totals {
        let of = total.field.as_ref().map(|field| format!(".{field}")).unwrap_or_default();
        let what = format!("{} of {}{of}", total.by.word(), total.entity);
        table.row([total.name.as_str().into(), "".into(), "".into(), what.into()]);
    }
    table
}

/// Returns the fields that an index copies.
pub(super) fn copies(index: &IndexDesign) -> String {
    match &index.copy {
        CopiedFields::All => "all".to_owned(),
        CopiedFields::Only(fields) => fields.join(" "),
    }
}

fn queries(found: &Found<'_>) -> Table {
    let numbers = [("requests", Right), ("read", Right), ("returned", Right), ("monthly", Right)];
    let mut table = Table::new([("query", Code)].into_iter().chain(numbers));
    let schema = &found.designed.schema;
    let model = Model::new(schema);
    let costs = model.costs();
    for access in model.accesses() {
        let mut operations = costs.operations.iter();
        let cost = operations.find(|one| one.kind == OperationKind::Query && one.name == access.query);
        let filter = schema.query(&access.query).and_then(|query| query.filter.as_ref());
        let given = filter.map_or("all rows", |filter| filter.text.as_str());
        let numbers = [plain(access.requests), plain(access.read), plain(access.returned)];
        let monthly = cost.map_or_else(String::new, |cost| money(found, cost.month));
        let cells = [Cell::from(access.query.as_str())].into_iter().chain(numbers.map(Cell::from));
        table.row_over(cells.chain([monthly.into()]), &format!("{}, {}: {given}", access.class, access.path));
    }
    table
}

fn alternatives(found: &Found<'_>) -> Table {
    let mut table = Table::new([("entity", Code), ("instead", Left), ("difference", Right)]);
    for one in &found.alternatives {
        let instead = match &one.subject {
            Subject::Key([name, partition, row]) => format!("key {partition} / {row} in {name}"),
            Subject::WithoutIndex(index) => format!("no index {index}"),
            Subject::OtherIndex(index, [partition, row]) => format!("{index} as {partition} / {row}"),
            Subject::WithoutScan(query) => format!("an index for {query} in place of the scan"),
        };
        let more = one.more.map_or_else(|| "exceeds a limit".to_owned(), |more| difference(found, more));
        table.row([one.entity.as_str().into(), instead.into(), more.into()]);
    }
    table
}

fn front(found: &Found<'_>) -> Table {
    let head = [
        ("point", Right),
        ("limit", Left),
        ("monthly", Right),
        ("busiest", Right),
        ("late", Right),
        ("tables", Right),
    ];
    let mut table = Table::new(head);
    let points = found.front.iter().map(|point| (limit(point.variant), &point.designed.figures));
    let all = std::iter::once((String::new(), &found.designed.figures)).chain(points);
    for (number, (limit, figures)) in all.enumerate().filter(|_| !found.front.is_empty()) {
        table.row([
            number.to_string().into(),
            limit.into(),
            money(found, figures.usd).into(),
            format!("{}/s", plain(figures.hottest)).into(),
            format!("{}/s", plain(figures.late)).into(),
            size_text(figures.storage_gib * GIB).into(),
        ]);
    }
    table
}

pub(super) fn limit(variant: Variant) -> String {
    match variant {
        Variant::Hottest(limit) => format!("hottest {}/s", plain(limit)),
        Variant::Fresh => "every read fresh".to_owned(),
        Variant::Storage(gib) => format!("tables {}", size_text(gib * GIB)),
    }
}

/// Returns why there is no design, and what allows one.
pub(super) fn refusal(obstacles: &[Obstacle]) -> String {
    let mut out = "error: no design meets the limits of the workload\n".to_owned();
    for obstacle in obstacles {
        _ = match obstacle {
            Obstacle::Entity(name) => {
                writeln!(
                    out,
                    "  no key contains the `id` of `{name}`: use numbers, times, GUIDs or short text"
                )
            }
            Obstacle::Query(name) => {
                writeln!(
                    out,
                    "  no key supports query `{name}`: compare a field with `=`, or call it less than once a minute"
                )
            }
            Obstacle::Optional { query, field } => writeln!(
                out,
                "  query `{query}` compares `{field}`, which may be absent, so no key contains it: remove the `?` of its type, compare another field with `=`, or call it less than once a minute"
            ),
            Obstacle::Effort => writeln!(
                out,
                "  the search ended before it was known what prevents one; use a greater --effort"
            ),
            Obstacle::Limits(limits) => {
                let all: Vec<String> = limits.iter().map(loosened).collect();
                writeln!(out, "  a design exists with {}", all.join(" and "))
            }
        };
    }
    if obstacles.is_empty() {
        out.push_str("  loosen more than two limits, or `fresh` of a query\n");
    }
    out
}

fn loosened(limit: &Loosened) -> String {
    let Loosened { limit, value } = limit;
    match *limit {
        "deadline" => format!("deadlines of {} ms", plain(value.ceil())),
        "late" => format!("`late` of {} s", plain(*value)),
        // A value that suffices, also rounded.
        _ if *value >= 1e15 => format!("`{limit}` of {:.2e}", value * 1.01),
        _ => format!("`{limit}` of {}", (value * 100.0).ceil() / 100.0),
    }
}
