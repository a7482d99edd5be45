//! The checks of wide entities. Their rows are not complete entities, so they are not sorted like other rows.

use super::Looked;
use crate::{
    Address, Error, Tables,
    core::{difference::RepairStatus, entity_types::EntityInfo, layout::Layout, row::is_of_other_type},
    maintain::sweep::{WalkPage, address_of},
    pattern::wide::verify::{judge, place},
};

/// Returns the rows at which the entities of a page are checked: the heads, and parts whose head is not above them.
pub(super) fn checked_rows(layout: Layout, page: &WalkPage) -> Vec<Address> {
    let (mut checked, mut last) = (Vec::new(), None);
    for row in page.rows.iter().filter(|row| !is_of_other_type(layout.design(), *row)) {
        let Some(address) = address_of(&page.table, row) else { continue };
        let Some((head, part)) = place(layout, &address) else { continue };
        if part == 0 || last.as_ref() != Some(&head) {
            checked.push(address);
        }
        if part == 0 {
            last = Some(head);
        }
    }
    checked
}

/// Checks the entity of a head, or a part without a head.
pub(super) async fn look(
    tables: &Tables,
    kind: EntityInfo,
    layout: Layout,
    address: Address,
    repairs: bool,
) -> Result<Looked, Error> {
    let repair = if repairs { RepairStatus::Left } else { RepairStatus::NotTried };
    let (is_entity, differences) = judge(tables, kind, layout, &address, repair).await?;
    Ok(Looked { is_entity, differences, ..Looked::default() })
}
