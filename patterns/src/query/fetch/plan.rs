//! The requests of a query.

use super::Ask;
use crate::{
    Cursor, Error,
    core::{
        cursor::Place,
        spec::{Spec, Target, spread::Spread},
    },
    query::{clause::Request, lookup_members::Members, merge_scan::Lanes},
};

impl Ask {
    pub(super) fn of(spec: &Spec, request: &Request, cursor: Option<&Cursor>) -> Result<Self, Error> {
        Ok(match spec.target.as_ref().map_err(Clone::clone)? {
            Target::Points(points) if !points.is_empty() => Self::Points,
            Target::Members(list) => {
                let place = cursor.map_or(&Place::Start, |cursor| &cursor.place);
                Self::Members(Box::new(Members::new((**list).clone(), place)))
            }
            Target::Spread(spread) => {
                let from = cursor.and_then(|cursor| match &cursor.place {
                    Place::Row(row) => Some(row.clone()),
                    _ => None,
                });
                let spread = Spread { descending: spec.paging.descending, ..(**spread).clone() };
                Self::Lanes(Box::new(Lanes::new(spread, request.within(None), from)))
            }
            Target::Points(_) | Target::Keys(..) | Target::Range(_) | Target::Nothing(_) => {
                let (table, keys) = spec.keys()?;
                Self::Segments { table, filter: request.within(keys) }
            }
        })
    }
}
