//! The report as one self-contained HTML file without scripts, in the style of the report of `tables advise`.

use table_advisor::{
    Model,
    search::{Alternative, Figures, Subject},
};
use table_designs::schema::Schema;
use table_schema::{
    design::{EntityDesign, Origin},
    template::Template,
};

use super::{
    Found,
    comments::{difference, money},
    report::{copies, limit, numbers, quality},
};
use crate::advise::{Markup, Palette, document, html_queries, html_tables, layouts};

/// Returns the report as a page. `design` is the design file.
pub(super) fn page(found: &Found<'_>, design: &str) -> String {
    let schema = &found.designed.schema;
    let model = Model::new(schema);
    let costs = model.costs();
    let mut palette = Palette::new(schema);
    document(&schema.name, |page| {
        header(page, found);
        let front = (!found.front.is_empty()).then_some(("front", "Front"));
        let sections = [("design", "Design"), ("queries", "Queries"), ("alternatives", "Alternatives")];
        let migration = found.start.as_ref().map(|_| ("migration", "Migration"));
        page.contents(sections.into_iter().chain(front).chain(migration).chain([("file", "Design file")]));
        page.section("design", "Design", |page| {
            html_tables(page, schema, &layouts(schema, &costs), &mut palette);
        });
        page.section("queries", "Queries", |page| {
            html_queries(page, schema, &model, &costs, |query| reason(found, query));
            for (query, words) in found.designed.unsorted() {
                page.leaf("p", "", &format!("{query}: {words}"));
            }
            let reach = &found.designed.reach;
            if !reach.is_empty() {
                page.leaf("p", "dim", &format!("Fields of other entities: {}.", reach.join("; ")));
            }
        });
        page.section("alternatives", "Alternatives", |page| alternatives(page, found, &mut palette));
        if !found.front.is_empty() {
            page.section("front", "Front", |page| front_points(page, found, &mut palette));
        }
        if let Some(start) = &found.start {
            page.section("migration", "Migration", |page| start.page(found, page));
        }
        page.section("file", "Design file", |page| {
            page.element("details", &[], |page| {
                page.classed("summary", "", |page| {
                    page.prose("The design as TOML, for `tables advise` and `tables generate`");
                });
                page.leaf("pre", "file", design);
            });
        });
    })
}

fn header(page: &mut Markup, found: &Found<'_>) {
    let (content, figures) = (&found.workload.content, &found.designed.figures);
    page.element("header", &[], |page| {
        page.leaf("h1", "", &content.name);
        if let Some(about) = &content.about {
            page.classed("p", "dim", |page| page.prose(about));
        }
        page.leaf("p", "lead", &quality(found));
        let numbers = numbers(figures);
        let month = [(money(found, figures.usd), "per month")];
        let numbers = numbers.iter().map(|(number, meaning)| (number.clone(), meaning.as_str()));
        page.tiles(month.into_iter().chain(numbers));
    });
}

/// Returns why a query exists that the workload does not contain.
fn reason(found: &Found<'_>, name: &str) -> Option<String> {
    let designed = &found.designed;
    let queries = designed.schema.queries.iter().zip(&designed.origins);
    let (_, origin) = queries.into_iter().find(|(query, _)| query.name == name)?;
    match origin {
        None => Some("required by writes".to_owned()),
        Some(origin) if origin != name => Some(format!("part of {origin}")),
        Some(_) => None,
    }
}

/// Writes the keys of each entity beside those of other choices.
fn alternatives(page: &mut Markup, found: &Found<'_>, palette: &mut Palette<'_>) {
    page.leaf("p", "dim", "The chosen keys, and what the next best choices cost with all else unchanged.");
    for entity in &found.designed.schema.entities {
        let others = found.alternatives.iter().filter(|one| one.entity == entity.name);
        page.leaf("h3", "", &entity.name);
        page.classed("div", "side", |page| {
            option(page, true, "Chosen", "", |page| keys(page, palette, entity));
            for one in others {
                let (title, key) = choice(one);
                let more =
                    one.more.map_or_else(|| "exceeds a limit".to_owned(), |more| difference(found, more));
                option(page, false, &title, &more, |page| {
                    if let Some((path, templates)) = key {
                        page.element("dl", &[], |page| {
                            let templates = templates.each_ref().map(|text| Template::parse(text).ok());
                            key_of(page, palette, &entity.name, path, &templates);
                        });
                    }
                });
            }
        });
    }
}

/// Returns the title of an alternative, and its path with the templates of its key.
fn choice(alternative: &Alternative) -> (String, Option<(&str, [&str; 2])>) {
    match &alternative.subject {
        Subject::Key([table, partition, row]) => ("Another key".to_owned(), Some((table, [partition, row]))),
        Subject::WithoutIndex(index) => (format!("No index {index}"), None),
        Subject::OtherIndex(index, [partition, row]) => {
            ("Another index".to_owned(), Some((index, [partition, row])))
        }
        Subject::WithoutScan(query) => (format!("An index for {query} instead of the scan"), None),
    }
}

/// Writes the design and the points of the front side by side.
fn front_points(page: &mut Markup, found: &Found<'_>, palette: &mut Palette<'_>) {
    page.classed("p", "dim", |page| {
        page.prose("Designs that cost more and are better in another respect; `--point` takes one of them.");
    });
    page.classed("div", "side", |page| {
        let (title, designed) = (format!("0: {}", money(found, found.designed.figures.usd)), &found.designed);
        point(page, palette, (true, &title, "this design"), &designed.figures, &designed.schema);
        for (number, other) in (1..).zip(&found.front) {
            let designed = &other.designed;
            let title = format!("{number}: {}", money(found, designed.figures.usd));
            let limit = limit(other.variant);
            point(page, palette, (false, &title, &limit), &designed.figures, &designed.schema);
        }
    });
}

fn point(
    page: &mut Markup,
    palette: &mut Palette<'_>,
    (is_chosen, title, limit): (bool, &str, &str),
    figures: &Figures,
    schema: &Schema,
) {
    option(page, is_chosen, title, limit, |page| {
        page.element("dl", &[], |page| {
            for (number, meaning) in numbers(figures) {
                page.classed("dt", "", |page| page.text(&format!("{number} {meaning}")));
            }
        });
        schema.entities.iter().for_each(|entity| keys(page, palette, entity));
    });
}

/// Writes a box with a title, and a remark beneath.
fn option(page: &mut Markup, is_chosen: bool, title: &str, remark: &str, inside: impl FnOnce(&mut Markup)) {
    page.classed("div", if is_chosen { "option chosen" } else { "option" }, |page| {
        page.leaf("b", "", title);
        if !remark.is_empty() {
            page.leaf("span", "dim", remark);
        }
        inside(page);
    });
}

/// Writes the keys of the rows of an entity.
fn keys(page: &mut Markup, palette: &mut Palette<'_>, entity: &EntityDesign) {
    page.element("dl", &[], |page| {
        for kind in entity.row_kinds() {
            let path = match kind.origin {
                Origin::Index(number) => {
                    let copied = entity.indexes.get(number).map(copies).unwrap_or_default();
                    let copied = if copied.is_empty() { copied } else { format!(", copies {copied}") };
                    format!("{}.{}{copied}", entity.name, kind.name)
                }
                Origin::Primary => format!("{} in {}", entity.name, kind.table.text()),
                Origin::Lookup(_) => format!("{}.{}", entity.name, kind.name),
            };
            key_of(page, palette, &entity.name, &path, &[Some(kind.partition), Some(kind.row)]);
        }
    });
}

/// Writes a key: its path, and PartitionKey above RowKey.
fn key_of(
    page: &mut Markup,
    palette: &mut Palette<'_>,
    entity: &str,
    path: &str,
    templates: &[Option<Template>; 2],
) {
    page.leaf("dt", "", path);
    page.classed("dd", "key", |page| {
        for template in templates.iter().flatten() {
            palette.write(page, entity, template);
        }
    });
}
