//! The clause of a query that excludes soft-deleted entities, and incomplete rows of an index.

use table_model::{Filter, Name, RowRef};

use crate::{
    Source,
    core::{
        error::DecodeError,
        row::add,
        spec::{Spec, visible::Visible},
    },
    query::clause::{Clause, Request},
};

#[derive(Debug)]
pub(crate) struct VisibleRows {
    visible: Visible,
    /// `true` if the condition is evaluated after the rows are read.
    is_residual: bool,
}

impl VisibleRows {
    pub(crate) fn of(spec: &Spec) -> Option<Box<dyn Clause>> {
        let visible = spec.clauses.visible.clone()?;
        Some(Box::new(Self { visible, is_residual: false }))
    }

    /// Returns whether the filter of a request contains the condition. The filter of the caller takes precedence over the
    /// exclusion of soft-deleted entities.
    fn is_sent(&self, spec: &Spec, request: &Request, condition: &Filter) -> bool {
        if matches!(self.visible, Visible::Live) {
            return true;
        }
        let has_type = spec.clauses.scanned.is_some_and(|scanned| scanned.design.entity_type.is_some());
        let stated = request.filter.iter().flat_map(Filter::properties).count() + usize::from(has_type);
        self.visible.is_filter() && stated + condition.properties().len() <= spec.room()
    }
}

impl Clause for VisibleRows {
    fn request(&mut self, spec: &Spec, request: &mut Request) {
        let condition = self.visible.condition();
        let is_sent = self.is_sent(spec, request, &condition);
        self.is_residual = !matches!(self.visible, Visible::Live) && (spec.is_by_key() || !is_sent);
        if let Some(select) = request.select.as_mut().filter(|_| self.is_residual) {
            // What is filtered after it is read must be read.
            add(select, condition.properties().into_iter().map(|name| Name::from(name.to_owned())));
        }
        request.visible = is_sent.then_some(condition);
    }

    fn excludes(&self) -> bool {
        self.is_residual
    }

    fn keeps(&self, _: Source<'_>, row: RowRef<'_>) -> Result<bool, DecodeError> {
        Ok(!self.is_residual || self.visible.matches(row))
    }
}
