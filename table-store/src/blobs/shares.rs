//! Shares: contents that several records use.
//!
//! A share names the contents and one of their owners. Contents without shares have a single owner, which is not
//! recorded anywhere. The first sharing records the previous owner as well; from then on each owner has a share, until
//! it no longer uses the contents. The commit that removes the last share makes the contents garbage. All of this is in
//! the commits that change the owners, so that a crash leaves neither a wrong share nor lost contents.
//!
//! Chunks are owned by a blob or snapshot, or by lists; a list is owned by blobs and snapshots. Records of blobs whose
//! contents, or the blocks of their lists, may have shares contain the ID of their share, and have a version that
//! earlier versions of the library reject: these would remove the contents although others use them.

use std::{collections::BTreeSet, ops::ControlFlow};

use table_model::StorageFault;

use super::{
    place::{Id, SHARED},
    record::Contents,
};
use crate::{checksum::unseal, engine::Read};

/// First byte after the space of a share's key.
pub(super) const KIND: u8 = 2;

const CHUNKS: u8 = 1;
const LIST: u8 = 2;

/// Contents that can be shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shared {
    /// Chunks of a single write.
    Chunks(Id),
    /// A list of blocks.
    List(Id),
}

impl Shared {
    /// Returns the contents of a record, unless they are empty.
    pub(super) fn of(contents: Contents) -> Option<Self> {
        match contents {
            Contents::None => None,
            Contents::Chunks(id) => Some(Self::Chunks(id)),
            Contents::List(id) => Some(Self::List(id)),
        }
    }

    /// Returns the ID of the contents. It is also the ID of the first owner's share: all later ones are newer.
    pub(super) fn id(self) -> Id {
        match self {
            Self::Chunks(id) | Self::List(id) => id,
        }
    }

    /// Returns the key of the share of an owner.
    pub(super) fn key(self, owner: Id) -> Vec<u8> {
        [self.prefix(), owner.number().to_be_bytes().to_vec()].concat()
    }

    /// Returns whether the share of an owner exists.
    pub(super) fn is_owned_by(self, read: &dyn Read, owner: Id) -> Result<bool, StorageFault> {
        read.get(&self.key(owner), &mut |_| ())
    }

    /// Returns whether an owner exists that is not in `gone`.
    pub(super) fn has_owner(self, read: &dyn Read, gone: &BTreeSet<Id>) -> Result<bool, StorageFault> {
        let from = self.prefix();
        let mut to = from.clone();
        to.extend_from_slice(&[0xff; 9]);
        let mut found = Ok(false);
        read.scan_whole(&from, &to, &mut |key, record| {
            if let Err(damage) = unseal(key, record) {
                found = Err(damage);
                return ControlFlow::Break(());
            }
            match split(key) {
                Some((_, owner)) if !gone.contains(&owner) => {
                    found = Ok(true);
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        })?;
        found
    }

    fn prefix(self) -> Vec<u8> {
        let (kind, id) = match self {
            Self::Chunks(id) => (CHUNKS, id),
            Self::List(id) => (LIST, id),
        };
        SHARED.key(&[&[KIND][..], &id.number().to_be_bytes(), &[kind]].concat())
    }
}

/// Splits the key of a share into the contents and the owner.
pub(super) fn split(key: &[u8]) -> Option<(Shared, Id)> {
    let (id, rest) = key.get(4..)?.strip_prefix(&[KIND])?.split_first_chunk()?;
    let (kind, owner) = rest.split_first()?;
    let id = Id(u64::from_be_bytes(*id));
    let shared = match *kind {
        CHUNKS => Shared::Chunks(id),
        LIST => Shared::List(id),
        _ => return None,
    };
    Some((shared, Id(u64::from_be_bytes(owner.try_into().ok()?))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        MapStorage,
        checksum::seal,
        engine::{self, MemoryEngine},
    };

    #[test]
    fn owners_of_the_same_contents_are_found() {
        let storage = MapStorage::default();
        let (chunks, list) = (Shared::Chunks(Id(7)), Shared::List(Id(7)));
        for (shared, owner) in [(chunks, Id(7)), (chunks, Id(u64::MAX)), (Shared::Chunks(Id(8)), Id(9))] {
            let key = shared.key(owner);
            assert_eq!(split(&key), Some((shared, owner)));
            let mut record = Vec::new();
            seal(&key, &mut record);
            storage.put(key, record);
        }
        let engine = MemoryEngine::new(storage);
        let has_owner = |shared: Shared, gone: &[u64]| {
            let gone = gone.iter().map(|id| Id(*id)).collect();
            engine::view(&engine, |read| Ok(shared.has_owner(read, &gone)?)).unwrap()
        };
        assert!(has_owner(chunks, &[]) && has_owner(chunks, &[7]) && has_owner(chunks, &[u64::MAX]));
        assert!(!has_owner(chunks, &[7, u64::MAX]) && !has_owner(list, &[]));
        assert!(has_owner(Shared::Chunks(Id(8)), &[7]));
        let is_owned_by =
            |owner: u64| engine::view(&engine, |read| Ok(chunks.is_owned_by(read, Id(owner))?)).unwrap();
        assert!(is_owned_by(7) && !is_owned_by(8));
    }

    #[test]
    fn other_bytes_are_no_key() {
        let sound = Shared::List(Id(1)).key(Id(2));
        for end in 0..sound.len() {
            assert_eq!(split(&sound[..end]), None);
        }
        assert_eq!(split(&[&sound[..], &[0]].concat()), None);
        let mut wrong = sound;
        wrong[4 + 1 + 8] = 3;
        assert_eq!(split(&wrong), None);
    }
}
