//! Point reads of a query of several points, and their order.

use std::cmp::Ordering;

use futures_util::future::join_all;
use table_model::{ErrorCode, Name, RowRef, Rows, TableService, key::compare};

use crate::{Address, Error, query::batch::too_large};

/// Number of points that are read concurrently.
const AT_ONCE: usize = 16;

/// Reads points of one table from index `start` until `most` rows were found. Returns the rows and the index of the
/// next point.
pub(super) async fn points_from(
    service: &dyn TableService,
    points: &[Address],
    start: usize,
    most: u32,
    select: Option<&[Name]>,
) -> Result<(Rows, Option<usize>), Error> {
    let (mut rows, mut next) = (Rows::new(), start);
    let table = points.get(start).map(|point| &point.table);
    while let Some(point) = points.get(next) {
        let room = (most as usize).saturating_sub(rows.len()).min(AT_ONCE);
        if room == 0 || table != Some(&point.table) {
            return Ok((rows, Some(next)));
        }
        let batch = points.iter().skip(next).take(room).take_while(|point| table == Some(&point.table));
        let reads =
            batch.map(|point| service.find(&point.table, &point.partition_key, &point.row_key, select));
        for found in join_all(reads).await {
            next += 1;
            match found {
                Ok(found) => rows.append(found).map_err(too_large)?,
                Err(error) if error.code() == ErrorCode::TableNotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok((rows, None))
}

/// Returns the index of a point. Points are distinct. Returns the length if the key is not among the points.
pub(super) fn index_of(points: &[Address], partition_key: &str, row_key: &str) -> usize {
    let is_it = |point: &Address| point.partition_key == partition_key && point.row_key == row_key;
    points.iter().position(is_it).unwrap_or(points.len())
}

/// Returns `true` if a row comes before a key in this order.
pub(super) fn is_before(row: RowRef<'_>, partition_key: &str, row_key: &str, descending: bool) -> bool {
    let (Some(partition), Some(row)) = (row.partition_key, row.row_key) else { return false };
    let order = compare(partition, partition_key).then_with(|| compare(row, row_key));
    order == if descending { Ordering::Greater } else { Ordering::Less }
}
