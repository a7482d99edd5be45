//! Counting the items of a query. Rows are checked by their keys and types; their other properties are not requested.

use std::ops::ControlFlow;

use table_model::{RowRef, TableName};

use super::fetch::Fetch;
use crate::{FromRow, Pending, Tables, core::spec::Spec};

/// Returns the number of items.
pub(super) fn count<R: FromRow>(tables: &Tables, spec: &Spec) -> Pending<'static, u64> {
    let mut fetch = checking::<R>(tables, spec);
    Box::pin(async move {
        let mut on_row = |fetch: &mut Fetch, table: &TableName, row: RowRef<'_>| {
            let is_item = fetch.item(table, row, &mut R::check_row)?.is_some();
            Ok(if is_item && fetch.give() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        while fetch.each(&mut on_row).await?.is_continue() && !fetch.is_done() {}
        Ok(fetch.finish().returned)
    })
}

/// Returns whether there is an item. The first request asks for one row. If that row is left out, the next requests ask
/// for pages.
pub(super) fn exists<R: FromRow>(tables: &Tables, spec: &Spec) -> Pending<'static, bool> {
    let mut fetch = checking::<R>(tables, spec);
    Box::pin(async move {
        let mut on_row = |fetch: &mut Fetch, table: &TableName, row: RowRef<'_>| {
            let is_item = fetch.item(table, row, &mut R::check_row)?.is_some();
            Ok(if is_item { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        fetch.set_single(true);
        let mut flow = fetch.each(&mut on_row).await?;
        fetch.set_single(false);
        while flow.is_continue() && !fetch.is_done() {
            flow = fetch.each(&mut on_row).await?;
        }
        Ok(flow.is_break())
    })
}

fn checking<R: FromRow>(tables: &Tables, spec: &Spec) -> Fetch {
    // The fields of an entity determine whether it is still a member of a list.
    let select = if spec.list().is_some() { R::select() } else { R::select_keys() };
    Fetch::new(tables, spec, select)
}
