//! The clause of a scan: the rows of one entity type, in all versions.

use table_model::{Name, RowRef};

use super::clause::{Clause, Request};
use crate::{
    Source,
    core::{
        error::DecodeError,
        row::add,
        spec::{
            Spec,
            scanned_type::{Conditions, Residual, ScannedType},
        },
        versions::Versions,
    },
    design::Design,
};

#[derive(Debug)]
pub(crate) struct Scanned {
    of: &'static ScannedType,
    /// The part of the filter that the service does not evaluate.
    residual: Option<Residual>,
}

impl Scanned {
    pub(crate) fn of(spec: &Spec) -> Option<Box<dyn Clause>> {
        spec.clauses.scanned.map(|of| Box::new(Self { of, residual: None }) as _)
    }
}

impl Clause for Scanned {
    fn request(&mut self, spec: &Spec, request: &mut Request) {
        let visible = request.visible.as_ref().map_or(0, |visible| visible.properties().len());
        let room = spec.room().saturating_sub(visible);
        let Conditions { sent, residual } =
            self.of.conditions(spec.subject.path, request.filter.take(), room);
        if let (Some(select), Some(residual)) = (&mut request.select, &residual) {
            // What is filtered after it is read must be read.
            add(select, Versions::new(self.of.design).older().flat_map(Design::stored_names));
            add(select, residual.properties().into_iter().map(|name| Name::from(name.to_owned())));
        }
        request.filter = sent;
        request.residual = residual.as_ref().map_or_else(Vec::new, |residual| residual.versions.clone());
        self.residual = residual;
    }

    fn excludes(&self) -> bool {
        self.residual.is_some()
    }

    fn keeps(&self, source: Source<'_>, row: RowRef<'_>) -> Result<bool, DecodeError> {
        self.of.admits(source, row, self.residual.as_ref())
    }
}
