//! Resolved contributions to other entities.

use syn::ext::IdentExt;
use table_schema::design::EntityDesign;

use crate::{
    parse::entity::EntityInput,
    resolve::{
        entity::{Contribution, Total},
        index::when,
    },
};

/// Returns the contributions, grouped by target entity.
pub(super) fn all(input: &EntityInput, design: &EntityDesign) -> Vec<Contribution> {
    let mut feeds: Vec<Contribution> = Vec::new();
    for total in &input.words.feeds {
        let of = total.of.value().map(|of| of.unraw().to_string());
        let of = of.map(|of| design.fields.iter().position(|field| field.name == of));
        // Unknown fields are already reported.
        let Ok(of) = of.map(|of| of.ok_or(())).transpose() else { continue };
        let resolved = Total {
            by: total.by,
            field: total.field.clone(),
            of,
            when: total.when.value().map(|path| when(design, path)),
        };
        match feeds.iter_mut().find(|feed| feed.sink == total.sink) {
            Some(feed) => feed.totals.push(resolved),
            None => {
                feeds.push(Contribution {
                    name: total.sink_name(),
                    sink: total.sink.clone(),
                    totals: vec![resolved],
                });
            }
        }
    }
    feeds
}
