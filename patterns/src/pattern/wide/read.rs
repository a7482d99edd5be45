use table_model::{
    ErrorCode, Filter, PropertiesRef, Query, RowRef, Rows, Timestamp, ValueRef, rows::RowHead,
};

use crate::{
    AccessPath, Address, Error, Source, Stored, TableEntity, Tables,
    core::{
        layout::Layout,
        reserved::ENTITY_TYPE,
        row::open,
        row_versions::RowVersions,
        spec::filter::keys_between,
        stamps::{self, ABSENT},
        unread::Unread,
    },
};

/// Maximum number of reads before the entity counts as contended. Each torn read means that a concurrent write replaced
/// the complete entity.
pub(super) const READS: u32 = 6;

/// Reads all rows of a wide entity with one range query, until they are consistent.
pub(super) async fn read<E: TableEntity>(
    tables: &Tables,
    layout: Layout,
    address: &Address,
) -> Result<Option<Stored<E>>, Error> {
    for _ in 0..READS {
        let rows = rows(tables, layout, address).await?;
        match state(layout, address, &rows) {
            State::Nothing => return Ok(None),
            State::Torn => {}
            State::Whole { head, parts, versions } => {
                return decode(tables.source(address.table()), head, &parts, *versions).map(Some);
            }
        }
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: READS })
}

/// Returns the versions of all rows of a wide entity, with the properties that its type does not declare. Fails if the
/// head has another type or a newer version.
pub(super) async fn versions(
    tables: &Tables,
    layout: Layout,
    address: &Address,
) -> Result<Option<RowVersions>, Error> {
    for _ in 0..READS {
        let rows = rows(tables, layout, address).await?;
        match state(layout, address, &rows) {
            State::Nothing => return Ok(None),
            State::Torn => {}
            State::Whole { head, versions, .. } => {
                open(layout.design(), head)?;
                return Ok(Some(*versions));
            }
        }
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: READS })
}

/// Returns the filter for all possible rows of the entity.
pub(super) fn range(layout: Layout, address: &Address) -> Filter {
    let stem = layout.stem(address.row_key());
    let last = format!("{stem}{}", "9".repeat(layout.digits()));
    keys_between(address.partition_key().to_owned(), address.row_key().to_owned(), last)
}

pub(super) async fn rows(tables: &Tables, layout: Layout, address: &Address) -> Result<Rows, Error> {
    let mut query = Query::new().filter(range(layout, address));
    let mut rows = Rows::new();
    loop {
        let segment = match tables.service().query(address.table(), query.clone()).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(rows),
            other => other?,
        };
        rows.append(segment.rows).map_err(crate::query::too_large)?;
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(rows);
        }
    }
}

/// State of the rows of one range.
enum State<'r> {
    Nothing,
    /// The rows belong to different versions of the entity.
    Torn,
    Whole {
        head: RowRef<'r>,
        parts: Vec<RowRef<'r>>,
        versions: Box<RowVersions>,
    },
}

/// Compares the stamps of the parts with the stamps in the head. Rows that do not belong to the entity are skipped.
fn state<'r>(layout: Layout, address: &Address, rows: &'r Rows) -> State<'r> {
    let number = |row: &RowRef<'_>| layout.part_at(address.row_key(), row.row_key?);
    let mut own = rows.iter().filter_map(|row| Some((number(&row)?, row))).peekable();
    let head = match own.peek() {
        None => return State::Nothing,
        Some((0, head)) => *head,
        Some(_) => return State::Torn,
    };
    // Without a stamp list, the row belongs to another entity type or was written by another program. It then counts as
    // the complete entity.
    let stamps = stamps::listed(head.properties).unwrap_or_default();
    let (mut found, mut parts) = (vec![None; stamps.len()], Vec::new());
    for (part, row) in own.skip(1) {
        let named = part.checked_sub(1).and_then(|place| stamps.get(place));
        if named.is_none() || named != stamps::of_part(row.properties).as_ref() {
            return State::Torn;
        }
        if let Some(place) = found.get_mut(part - 1) {
            *place = Some(row.etag.clone());
        }
        parts.push(row);
    }
    let is_there = |(stamp, found): (&[u8; 8], &Option<_>)| (*stamp == ABSENT) == found.is_none();
    if !stamps.iter().zip(&found).all(is_there) {
        return State::Torn;
    }
    let numbered =
        std::iter::once((0, head)).chain(parts.iter().filter_map(|row| Some((number(row)?, *row))));
    let unread = numbered.map(|(part, row)| (part, Unread::of(layout.design(), AccessPath::Own, row)));
    let unread = unread.filter(|(_, unread)| !unread.is_empty()).collect();
    let versions = RowVersions { head: head.etag.clone(), stamps, parts: Some(found), unread };
    State::Whole { head, parts, versions: Box::new(versions) }
}

/// Decodes the entity from all its rows.
fn decode<E: TableEntity>(
    source: Source<'_>,
    head: RowRef<'_>,
    parts: &[RowRef<'_>],
    versions: RowVersions,
) -> Result<Stored<E>, Error> {
    let whole = joined(head, parts)?;
    let row = whole.get(0).ok_or_else(|| crate::query::too_large(table_model::rows::TooLarge))?;
    let timestamp = row.timestamp.unwrap_or(Timestamp::MIN);
    Ok(Stored::wide(E::decode(source, row)?, timestamp, versions))
}

/// Returns a single row that combines the properties of all parts.
pub(super) fn joined(head: RowRef<'_>, parts: &[RowRef<'_>]) -> Result<Rows, Error> {
    let times = parts.iter().chain([&head]).filter_map(|row| row.timestamp);
    let timestamp = times.max().unwrap_or(Timestamp::MIN);
    let (partition_key, row_key) = (head.partition_key.unwrap_or_default(), head.row_key.unwrap_or_default());
    let mut whole = Rows::new();
    let all =
        parts.iter().map(|part| part.properties).fold(user_properties(head.properties), |mut all, part| {
            all.extend(user_properties(part));
            all
        });
    let named = head.properties.get(ENTITY_TYPE).map(|name| (ENTITY_TYPE, name));
    let properties = all.into_iter().chain(named);
    let row = RowHead::whole(partition_key, row_key, timestamp);
    whole.push(row, properties).map_err(crate::query::too_large)?;
    Ok(whole)
}

/// Returns the properties that are not internal to the library.
fn user_properties(row: PropertiesRef<'_>) -> Vec<(&str, ValueRef<'_>)> {
    row.iter().filter(|(name, _)| *name != ENTITY_TYPE && !name.starts_with('_')).collect()
}
