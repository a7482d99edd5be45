//! Point reads and table listings.

use table_model::{
    Name, Result, Rows, TableName, key,
    query::check_select,
    rows::Selection,
    service::{ListTables, TablesSegment},
    token::Scope,
};

use crate::{accesses::Accesses, core::Core, engine, keys::TableId, record::Record};

/// Reads an entity by its keys. Checks the request first, then the table.
pub(crate) fn find(
    core: &Core,
    table: &TableName,
    partition_key: &str,
    row_key: &str,
    select: Option<&[Name]>,
) -> Result<Rows> {
    key::check_both(partition_key, row_key, core.options.key_length)?;
    check_select(select)?;
    let rows = engine::view(&*core.engine, |read| {
        let key = core.names.find(table)?.entity_key(partition_key, row_key);
        let (mut rows, mut pushed) = (Rows::new(), Ok(()));
        read.get_whole(&key, &mut |bytes| {
            // The key of the record is that of the request.
            let keys = Some((partition_key, row_key));
            pushed = Record::new(&key, bytes)
                .and_then(|record| record.push_to(&mut rows, &mut Selection::new(select), keys));
        })?;
        pushed?;
        Ok(rows)
    })?;
    if !rows.is_empty()
        && let Some(accesses) = Accesses::of(core, table)
    {
        accesses.add(partition_key, 1);
    }
    Ok(rows)
}

/// Returns one segment of the list of tables.
pub(crate) fn list_tables(core: &Core, request: &ListTables) -> Result<TablesSegment> {
    let top = request.check()?;
    let scope = Scope { table: TableId::CATALOG.0, filter: request.filter.as_ref(), descending: false };
    let start = match &request.continuation {
        Some(token) => scope.open(core.token_key, token)?,
        None => Vec::new(),
    };
    if core.engine.is_closed() {
        return Err(table_model::StorageFault::Closed.into());
    }
    if top == 0 {
        return Ok(TablesSegment { tables: Vec::new(), continuation: None });
    }
    let start = String::from_utf8_lossy(&start);
    let (tables, next) = core.names.list(&start, top, |name| request.accepts(name));
    let continuation = next.map(|next| scope.seal(core.token_key, next.as_bytes())).transpose()?;
    Ok(TablesSegment { tables, continuation })
}
