//! Documents that an assistant can read: the design language, the filter language and the rules.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use table_schema::catalogue::Code;

use crate::advise;

/// A chapter of the guide.
struct Chapter {
    uri: &'static str,
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

const CHAPTERS: [Chapter; 2] = [
    Chapter {
        uri: "tables://guide/design-files",
        name: "design-files",
        about: "The language of design files, the commands on them and the report of the advisor",
        text: include_str!("../../docs/schema.md"),
    },
    Chapter {
        uri: "tables://guide/filters",
        name: "filters",
        about: "Filters of queries",
        text: include_str!("../../docs/filters.md"),
    },
];

const RULES: &str = "tables://rules";

pub(super) fn list() -> Vec<Resource> {
    let chapter = |chapter: &Chapter| {
        Resource::new(chapter.uri, chapter.name)
            .with_description(chapter.about)
            .with_mime_type("text/markdown")
            .with_size(chapter.text.len() as u64)
    };
    let rules = Resource::new(RULES, "rules")
        .with_description("The codes and titles of all rules of the advisor")
        .with_mime_type("text/plain");
    CHAPTERS.iter().map(chapter).chain([rules]).collect()
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{RULES}/{{code}}"), "rule")
            .with_description("A rule of the advisor: condition, reason, pattern, example")
            .with_mime_type("text/plain"),
    ]
}

/// Returns a document; `None` if it does not exist.
pub(super) fn read(uri: &str) -> Option<ResourceContents> {
    if let Some(chapter) = CHAPTERS.iter().find(|chapter| chapter.uri == uri) {
        return Some(ResourceContents::text(chapter.text, uri).with_mime_type("text/markdown"));
    }
    let text = match uri.strip_prefix(RULES)? {
        "" => advise::rules(None),
        code => advise::rules(Some(code.strip_prefix('/')?.parse::<Code>().ok()?)),
    };
    Some(ResourceContents::text(text, uri))
}
