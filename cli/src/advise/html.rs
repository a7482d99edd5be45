//! The report as one self-contained HTML file without scripts, for light and dark screens and for print.

mod access;
mod assumed;
mod cost;
mod findings;
mod heat;
mod keys;
mod layout;
mod markup;
mod observed;
mod palette;
mod sample;
mod scale;
mod suggestions;
mod verdict;
mod writes;

pub(crate) use self::{access::queries, layout::tables, markup::Markup, palette::Palette};
use super::report::Report;

/// Prevents loading and scripts, for any name in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
pub(crate) const STYLE: &str = include_str!("html/style.css");

/// Rows and columns of the heat map: a page has more space than a terminal.
pub(super) const HEAT: (usize, usize) = (30, 96);

/// A section: its anchor, its heading, the function that writes it.
type Section = (&'static str, &'static str, fn(&mut Markup, &Report<'_>));

const SECTIONS: [Section; 8] = [
    ("findings", "Findings", findings::write),
    ("access", "Access patterns", access::write),
    ("layout", "Layout", layout::write),
    ("keys", "Key space", keys::write),
    ("writes", "Writes", writes::write),
    ("cost", "Monthly cost", cost::write),
    ("scale", "Scale", scale::write),
    ("assumed", "Assumptions", assumed::write),
];

/// Returns the report as a page. The output is deterministic.
pub(crate) fn page(report: &Report<'_>) -> String {
    document(report.name(), |page| {
        verdict::write(page, report);
        let observed = report.observation.map(|_| ("observed", "Observations"));
        let headings = SECTIONS.iter().map(|(name, heading, _)| (*name, *heading));
        page.contents(observed.into_iter().chain(headings));
        if let Some(observation) = report.observation {
            page.section("observed", "Observations", |page| observed::write(page, observation));
        }
        sections(page, report);
    })
}

/// Returns the report without its name, as a part of another page, which uses [`STYLE`] for it.
pub(super) fn part(report: &Report<'_>) -> String {
    let mut page = Markup::default();
    verdict::summary(&mut page, report);
    sections(&mut page, report);
    page.finish()
}

/// Returns a message in place of the report.
pub(super) fn message(text: &str) -> String {
    let mut page = Markup::default();
    page.leaf("p", "error", text);
    page.finish()
}

fn sections(page: &mut Markup, report: &Report<'_>) {
    for (name, heading, write) in SECTIONS {
        page.section(name, heading, |page| write(page, report));
    }
}

/// Returns a page about a design.
pub(crate) fn document(name: &str, main: impl FnOnce(&mut Markup)) -> String {
    let mut page = Markup::default();
    page.element("html", &[("lang", "en")], |page| {
        page.element("head", &[], |page| head(page, name));
        page.element("body", &[], |page| page.element("main", &[], main));
    });
    format!("<!doctype html>\n{}\n", page.finish())
}

fn head(page: &mut Markup, name: &str) {
    page.void("meta", &[("charset", "utf-8")]);
    page.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
    page.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    page.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    page.leaf("title", "", &format!("{name}: design report"));
    page.leaf("style", "", STYLE);
}
