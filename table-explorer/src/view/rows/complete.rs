//! Proposals for the word of a filter that is being typed.

use std::collections::BTreeSet;

use maud::{Markup, html};
use table_model::{
    EdmType, Filter, QueryClass, Row, Value,
    filter::{Comparison, Completion, Expected},
};

use table_schema::design::FieldKind;

use super::{
    plan::{Planned, class_style, class_words},
    sample,
};
use crate::{
    design,
    problem::Problem,
    reply::{Reply, page},
    show::{CELL, type_name, visible},
    view::{Context, partitions},
};

/// Number of proposals, and if all are wanted.
const MOST: usize = 6;
const MOST_OF_ALL: usize = 60;

/// A word that can stand at a position.
struct Proposal {
    word: String,
    kind: Option<EdmType>,
    /// What the design says about it.
    hint: Option<String>,
}

/// What is known at a position.
struct Position<'c> {
    context: &'c Context<'c>,
    table: &'c str,
    /// The text before the last word.
    before: &'c str,
    end: Completion<'c>,
    /// The plan of the conditions before the last one.
    planned: Option<Planned>,
    rows: Vec<Row>,
    partitions: Vec<String>,
}

/// Renders the proposals for `filter` at the position `at`, in UTF-16 units as browsers count.
pub(crate) async fn complete(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let filter = context.query.get("filter").unwrap_or_default();
    let at = context.query.get("at").and_then(|at| at.parse().ok()).unwrap_or(usize::MAX);
    let text = filter.get(..byte_of(filter, at)).unwrap_or(filter);
    let most = if context.query.get("all").is_some() { MOST_OF_ALL } else { MOST };
    let Some(end) = Completion::at_end(text) else { return Ok(page(hyper::StatusCode::OK, html! {})) };
    let before = text.get(..text.len() - end.word.len()).unwrap_or_default();
    let planned = Filter::parse(&format!("{}{}", end.before, ")".repeat(end.depth)))
        .ok()
        .map(|filter| Planned::new(context.place, Some(&filter)));
    let scope = planned.as_ref().and_then(|planned| Some(Filter::eq("PartitionKey", planned.partition()?)));
    let rows = sample::first(context.place, &table, scope).await.map_or_else(Vec::new, |(rows, _)| rows);
    let partitions = match end.expected {
        Expected::Value("PartitionKey", _) if context.place.is_local() => {
            let from = Filter::ge("PartitionKey", end.word.trim_start_matches('\'').replace("''", "'"));
            partitions::find(context.place, &table, Some(from), most).await?.keys
        }
        _ => Vec::new(),
    };
    let position = Position { context, table: name, before, end, planned, rows, partitions };
    Ok(page(hyper::StatusCode::OK, position.render(most)))
}

/// Returns the byte of a position in UTF-16 units.
fn byte_of(text: &str, at: usize) -> usize {
    let mut units = 0;
    let mut characters = text.char_indices();
    let found = characters.find(|(_, character)| {
        let is_here = units >= at;
        units += character.len_utf16();
        is_here
    });
    found.map_or(text.len(), |(byte, _)| byte)
}

impl Position<'_> {
    fn proposals(&self) -> Vec<Proposal> {
        let plain = |word: &str| Proposal { word: word.to_owned(), kind: None, hint: None };
        match self.end.expected {
            Expected::Property => self.properties(),
            Expected::Operator(name) => {
                let of_kind = self.kind_of(name);
                let fitting = Comparison::ALL.into_iter().filter(|operator| {
                    of_kind != Some(EdmType::Boolean) || matches!(operator, Comparison::Eq | Comparison::Ne)
                });
                fitting.map(|operator| plain(operator.as_str())).collect()
            }
            Expected::Value(name, _) => self.values(name),
            Expected::Joint => vec![plain("and"), plain("or")],
            _ => Vec::new(),
        }
    }

    /// Returns the keys, and the properties of the sample in the order in which they appear.
    fn properties(&self) -> Vec<Proposal> {
        let mut found: Vec<Proposal> = Vec::new();
        let mut add = |name: &str, kind: EdmType| {
            if found.iter().all(|known| known.word != name) {
                found.push(Proposal { word: name.to_owned(), kind: Some(kind), hint: None });
            }
        };
        if self.planned.as_ref().and_then(Planned::partition).is_none() {
            add("PartitionKey", EdmType::String);
        }
        add("RowKey", EdmType::String);
        for (name, value) in self.rows.iter().flat_map(|row| row.properties.iter()) {
            add(name, value.edm_type());
        }
        add("Timestamp", EdmType::DateTime);
        found
    }

    /// Returns values of the sample, or partitions, as literals.
    fn values(&self, name: &str) -> Vec<Proposal> {
        let mut known = BTreeSet::new();
        let partitions = self.partitions.iter().map(|key| Value::String(key.clone()));
        let values = self.rows.iter().filter_map(|row| match name {
            "PartitionKey" => None,
            "RowKey" => row.row_key.clone().map(Value::String),
            "Timestamp" => row.timestamp.map(Value::DateTime),
            _ => row.properties.get(name).cloned(),
        });
        let found = partitions.chain(values).map(|value| (value, None));
        self.designed(name)
            .into_iter()
            .map(|(text, hint)| (Value::String(text), hint))
            .chain(found)
            .filter_map(|(value, hint)| {
                let kind = Some(value.edm_type());
                let word = Filter::eq("A", value).to_string().strip_prefix("A eq ")?.to_owned();
                (word.len() <= CELL && known.insert(word.clone())).then_some(Proposal { word, kind, hint })
            })
            .collect()
    }

    /// Returns the values of an enum, or the literals at the start of the key templates, with the template.
    fn designed(&self, name: &str) -> Vec<(String, Option<String>)> {
        let Some(design) = self.context.design() else { return Vec::new() };
        let entities = design.schema.entities.iter();
        let kinds = entities.flat_map(|entity| {
            let kinds = entity.row_kinds().into_iter();
            kinds
                .filter(|kind| kind.table.text().eq_ignore_ascii_case(self.table))
                .map(move |kind| (entity, kind))
        });
        let found = kinds.flat_map(|(entity, kind)| match name {
            "PartitionKey" => {
                vec![(kind.partition.lead().to_owned(), Some(kind.partition.text().to_owned()))]
            }
            "RowKey" => vec![(kind.row.lead().to_owned(), Some(kind.row.text().to_owned()))],
            _ => match design::field_of(entity, name).map(|(field, _)| &field.kind) {
                Some(FieldKind::Enum { variants }) => {
                    variants.iter().map(|word| (word.clone(), None)).collect()
                }
                _ => Vec::new(),
            },
        });
        found.filter(|(text, _)| !text.is_empty()).collect()
    }

    fn kind_of(&self, name: &str) -> Option<EdmType> {
        self.rows.iter().find_map(|row| row.properties.get(name)).map(Value::edm_type)
    }

    /// Returns the class of the filter with a word.
    fn class(&self, word: &str) -> Option<QueryClass> {
        let Completion { expected, depth, .. } = self.end;
        let filter = expected.completed(&format!("{}{word}", self.before), depth)?;
        Some(Planned::new(self.context.place, Some(&filter)).cost.class)
    }

    fn render(&self, most: usize) -> Markup {
        let plain = |word: &str| word.trim_start_matches('\'').to_lowercase();
        let typed = plain(self.end.word);
        let matching = self
            .proposals()
            .into_iter()
            .filter(|proposal| plain(&proposal.word).starts_with(&typed) && proposal.word != self.end.word);
        let shown: Vec<Proposal> = matching.take(most).collect();
        if shown.is_empty() {
            return html! {};
        }
        let gap = if self.before.is_empty() || self.before.ends_with([' ', '(', '-']) { "" } else { " " };
        html! {
            div.chips role="listbox" #proposals aria-label="Completion" {
                @for (index, proposal) in shown.iter().enumerate() {
                    span.chip role="option" #{ "proposal-" (index) } aria-selected="false"
                        data-text={ (self.before) (gap) (proposal.word) " " } {
                        code { (visible(&proposal.word, CELL)) } (self.note(proposal))
                    }
                }
            }
            span.small.dim { kbd { "Tab" } " accept" }
            span.small.dim { kbd { "Ctrl" } " " kbd { "Space" } " all" }
        }
    }

    /// Renders the type of a proposal, and what it does to the class.
    fn note(&self, proposal: &Proposal) -> Markup {
        let class = if self.end.expected == Expected::Joint { None } else { self.class(&proposal.word) };
        let is_row_filter = match self.end.expected {
            Expected::Property => {
                let before = self.planned.as_ref().map(|planned| planned.cost.class);
                !matches!(proposal.word.as_str(), "PartitionKey" | "RowKey") && class == before
            }
            _ => false,
        };
        let kind = proposal.kind.map(type_name);
        let words = if is_row_filter { Some("row filter".to_owned()) } else { class.map(class_words) };
        let style = class.filter(|_| !is_row_filter).map(class_style);
        html! {
            @if kind.is_some() || words.is_some() {
                small class=[style] {
                    @if let Some(hint) = &proposal.hint { (visible(hint, CELL)) } @else if let Some(kind) = kind { (kind) }
                    @if let (Some(_), Some(_)) = (kind, &words) { " · " }
                    @if let Some(words) = words { (words) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_browser() {
        let text = "a😀é";
        assert_eq!([0, 1, 3, 4, 9].map(|at| byte_of(text, at)), [0, 1, 5, 7, 7]);
    }
}
