//! The requests of a query.

use table_model::Query;

use super::{Ask, Plan};
use crate::{
    Cursor, Error,
    core::{
        cursor::Place,
        spec::{Spec, Target, spread::Spread},
    },
    query::{lookup_members::Members, merge_scan::Lanes},
};

impl Plan {
    pub(super) fn of(spec: &Spec, cursor: Option<&Cursor>) -> Result<Self, Error> {
        let ask = match spec.target.as_ref().map_err(Clone::clone)? {
            Target::Points(points) if !points.is_empty() => Ask::Points(points.clone()),
            Target::Members(list) => {
                let place = cursor.map_or(&Place::Start, |cursor| &cursor.place);
                Ask::Members(Box::new(Members::new((**list).clone(), place)))
            }
            Target::Spread(spread) => {
                let from = cursor.and_then(|cursor| match &cursor.place {
                    Place::Row(row) => Some(row.clone()),
                    _ => None,
                });
                let spread = Spread { descending: spec.descending, ..(**spread).clone() };
                Ask::Lanes(Box::new(Lanes::new(spread, spec.conditions()?.sent, from)))
            }
            Target::Points(_) | Target::Keys(..) | Target::Range(_) | Target::Nothing(_) => {
                let (table, filter) = spec.filter()?;
                let query = Query { filter, descending: spec.descending, ..Query::default() };
                Ask::Segments { table, query }
            }
        };
        Ok(Self { ask, digest: spec.digest()? })
    }
}
