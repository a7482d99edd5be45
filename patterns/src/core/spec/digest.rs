//! The identity of a query in cursors. Cursors are stored by programs, so the digest of a query never changes.

use table_model::Filter;

use super::{Spec, Target, scanned_type::ScannedType, visible::Visible};
use crate::{Cursor, Error, core::cursor::CursorError};

impl Spec {
    /// Returns the digest that identifies this query in cursors.
    pub(crate) fn digest(&self) -> Result<u64, Error> {
        let design = [self.subject.name, self.subject.templates.0, self.subject.templates.1];
        let order = self.paging.descending.then_some("descending");
        if let Target::Points(points) = self.target.as_ref().map_err(Clone::clone)? {
            // For an entity with a table for each period, the keys determine the table.
            let keys = points.iter().flat_map(|point| [point.partition_key(), point.row_key()]);
            let table = points.first().map(|point| point.table().folded());
            return Ok(digest(design.into_iter().chain(table).chain(keys)));
        }
        if let Ok(Target::Spread(spread)) = &self.target {
            let (texts, rest) = (spread.texts(), self.stated()?.map(|rest| rest.to_string()));
            let texts = texts.iter().chain(&rest).map(String::as_str);
            return Ok(digest(design.into_iter().chain(texts).chain(order)));
        }
        let (table, keys) = self.keys()?;
        let filter = keys.into_iter().chain(self.stated()?).reduce(Filter::and);
        let filter = filter.map(|filter| filter.to_string()).unwrap_or_default();
        Ok(digest(design.into_iter().chain([table.folded(), filter.as_str()]).chain(order)))
    }

    /// Returns the conditions besides the keys as the caller states them, without regard to versions.
    fn stated(&self) -> Result<Option<Filter>, Error> {
        let types = self.clauses.scanned.and_then(ScannedType::known);
        let visible = self.clauses.visible.as_ref().map(Visible::condition);
        let all = [self.filter.clone().transpose()?, types, visible];
        Ok(all.into_iter().flatten().reduce(Filter::and))
    }

    /// Returns the cursor at which the run resumes.
    ///
    /// # Errors
    /// Fails if the cursor belongs to another query.
    pub(crate) fn resumed(&self) -> Result<Option<Cursor>, Error> {
        let Some(cursor) = &self.paging.resume else { return Ok(None) };
        if cursor.query != self.digest()? {
            return Err(CursorError::OtherQuery { entity: self.subject.name }.into());
        }
        Ok(Some(cursor.clone()))
    }
}

/// Computes the FNV-1a hash of the strings and their lengths. It is stable across versions and machines, as cursors
/// require.
pub(crate) fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for text in texts {
        (text.len() as u64).to_le_bytes().into_iter().for_each(&mut eat);
        text.bytes().for_each(&mut eat);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_keeps_its_texts_apart_and_never_changes() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["a"]), digest(["a", ""]));
        assert_eq!(digest(["Review", "x"]), 9_755_971_607_387_298_118, "cursors in storage depend on it");
    }
}
