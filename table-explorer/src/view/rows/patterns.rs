//! The access patterns of the design, which fill the filter.

use maud::{Markup, html};

use crate::{
    design::Pattern,
    params::Params,
    show::{CELL, visible},
    view::Context,
};

/// The access patterns above the filter, and the chosen one.
pub(super) struct Patterns<'c> {
    context: &'c Context<'c>,
    all: Vec<Pattern<'c>>,
    /// Why the values of the chosen one are no filter.
    error: Option<String>,
}

impl<'c> Patterns<'c> {
    /// Finds the patterns of a table. If the parameters of the chosen one have values, returns the address of its rows
    /// instead.
    pub(super) fn of(context: &'c Context<'c>, table: &str) -> Result<Self, String> {
        let all = context.design().map_or_else(Vec::new, |design| design.patterns(table));
        let mut patterns = Self { context, all, error: None };
        let values: Vec<&str> = context.query.all("p").collect();
        let Some(chosen) = patterns.chosen().filter(|chosen| chosen.parameters().len() == values.len())
        else {
            return Ok(patterns);
        };
        match chosen.filter(context.place, &values) {
            Ok(filter) => {
                let filter = Some(filter.as_str()).filter(|filter| !filter.is_empty());
                let params = Params::default().with("filter", filter);
                Err(context.url(&["t", &chosen.table, "rows"], params))
            }
            Err(error) => {
                patterns.error = Some(error);
                Ok(patterns)
            }
        }
    }

    fn chosen(&self) -> Option<&Pattern<'c>> {
        let name = self.context.query.filled("pattern")?;
        self.all.iter().find(|pattern| pattern.query.name == name)
    }

    /// Returns whether the page asks for parameters, and so reads no rows.
    pub(super) fn asks(&self) -> bool {
        self.chosen().is_some()
    }

    pub(super) fn render(&self) -> Markup {
        let chosen = self.chosen();
        html! {
            @if !self.all.is_empty() {
                div.chips.row role="group" aria-label="Access patterns of the design" {
                    @for pattern in &self.all {
                        @let is_chosen = chosen.is_some_and(|chosen| chosen.query.name == pattern.query.name);
                        a.chip href=(self.url(pattern)) aria-current=[is_chosen.then_some("true")] title=[pattern.query.about.as_deref()] {
                            b { (visible(&pattern.query.name, CELL)) }
                            small class=(pattern.style()) { (pattern.access.class.as_str().replace('-', " "))
                                @if pattern.access.is_late { " · later" } }
                        }
                    }
                }
            }
            @if let Some(chosen) = chosen { (self.form(chosen)) }
        }
    }

    fn url(&self, pattern: &Pattern<'_>) -> String {
        self.context.url(&["t", &pattern.table, "rows"], [("pattern", pattern.query.name.as_str())])
    }

    fn form(&self, chosen: &Pattern<'_>) -> Markup {
        let mut values = self.context.query.all("p");
        html! {
            form.card method="get" action=(self.context.url(&["t", &chosen.table, "rows"], [])) {
                input type="hidden" name="pattern" value=(chosen.query.name);
                header { h2 { (visible(&chosen.query.name, CELL)) }
                    @if let Some(about) = &chosen.query.about { span.dim { (about) } } }
                div.pad.keys {
                    @for parameter in chosen.parameters() {
                        label { (parameter) " " input.field name="p" value=(values.next().unwrap_or_default()) autocomplete="off" spellcheck="false"; }
                    }
                }
                @if let Some(error) = &self.error { p.pad.error.lines role="alert" { (error) } }
                div.pad.consent { button.main { "Fill the filter" }
                    span.small.dim { "The filter then shows its class and its cost." } }
            }
        }
    }
}
