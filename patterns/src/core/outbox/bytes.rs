//! Binary encoding of the rows named in a commit record.
//!
//! ```text
//! record | version 01 | count u16 | count touches |
//! touch  | role, 6E new or 6F old | entity | index | table | PartitionKey | RowKey | RowKey of the entity |
//! text   | length u16 | UTF-8 |                          numbers are big-endian
//! ```

use table_model::TableName;

use super::{AffectedRow, Maker, Role};
use crate::Address;

const VERSION: u8 = 1;
/// Maximum number of bytes per property. A Binary property is limited to 64 KiB.
const CHUNK: usize = 60 << 10;

/// Encodes the rows in chunks that each fit into a property.
pub(super) fn write(touches: &[AffectedRow]) -> Vec<Vec<u8>> {
    let mut bytes = vec![VERSION];
    bytes.extend_from_slice(&u16::try_from(touches.len()).unwrap_or(u16::MAX).to_be_bytes());
    for AffectedRow { maker, role, address, row_key } in touches {
        bytes.push(match role {
            Role::New => b'n',
            Role::Old => b'o',
        });
        let table = address.table.as_str();
        for text in [&maker.entity, &maker.index, table, &address.partition_key, &address.row_key, row_key] {
            // Names and keys are far shorter than the maximum.
            bytes.extend_from_slice(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
    }
    bytes.chunks(CHUNK).map(<[u8]>::to_vec).collect()
}

/// Decodes the rows. Returns `None` if the encoding is invalid.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<AffectedRow>> {
    let mut reader = Reader(bytes.strip_prefix(&[VERSION])?);
    let count = reader.number()?;
    let touches: Option<Vec<_>> = (0..count).map(|_| reader.touch()).collect();
    touches.filter(|_| reader.0.is_empty())
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u16> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_be_bytes(*number))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?.into();
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn touch(&mut self) -> Option<AffectedRow> {
        let (role, rest) = self.0.split_first()?;
        let role = match role {
            b'n' => Role::New,
            b'o' => Role::Old,
            _ => return None,
        };
        self.0 = rest;
        let maker = Maker { entity: self.text()?, index: self.text()? };
        let (table, partition_key, row_key) = (self.text()?, self.text()?, self.text()?);
        let address = Address { table: TableName::new(table).ok()?, partition_key, row_key };
        Some(AffectedRow { maker, role, address, row_key: self.text()? })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn touch(role: Role, row_key: &str) -> AffectedRow {
        let maker = Maker { entity: "Employee".into(), index: "by_badge".into() };
        let address = Address {
            table: TableName::new("Employees").unwrap(),
            partition_key: "badge_Sales".into(),
            row_key: row_key.into(),
        };
        AffectedRow { maker, role, address, row_key: "empid_000223".into() }
    }

    #[test]
    fn what_is_written_is_read() {
        let touches = vec![touch(Role::New, "00004711"), touch(Role::Old, "00004710")];
        assert_eq!(read(&write(&touches).concat()), Some(touches));
        let many: Vec<_> = (0..2_000).map(|number| touch(Role::New, &number.to_string())).collect();
        let pieces = write(&many);
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= CHUNK));
        assert_eq!(read(&pieces.concat()), Some(many));
    }

    proptest! {
        #[test]
        fn no_bytes_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = read(&bytes);
        }
    }
}
