//! Reads of the overlay over the file.

use std::sync::Arc;

use table_model::{StorageFault, pauses::Pauses};

use super::{
    changes::{Change, Changes},
    layer::Layer,
    merge::{self, Over, Rows},
};
use crate::engine::{Applied, Pinned, Read, Snapshot, Visit, Write};

/// One state of the store: `active` over `frozen` over `base`. The base is pinned together with the layers: a newer base
/// could contain frames of the layers that a reader must not see.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub(super) active: Arc<Layer>,
    pub(super) frozen: Option<Arc<Frozen>>,
    pub(super) base: Arc<Pinned>,
}

/// A layer that is complete and is being written to the file.
#[derive(Debug)]
pub(super) struct Frozen {
    pub(super) layer: Arc<Layer>,
    /// Position after its last frame.
    pub(super) last: Applied,
    /// Its part of the log.
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Layers {
    /// Returns whether no frame is missing in the base.
    pub(super) fn are_empty(&self) -> bool {
        self.frozen.is_none() && self.active.published() == 0
    }

    /// Returns whether the newest change of a key is a removal; `None` if the layers do not contain the key.
    pub(super) fn removes(&self, key: &[u8]) -> Option<bool> {
        let removes = |change: Change<'_>| change.is_none();
        let frozen = || self.frozen.as_ref()?.layer.get(key, u64::MAX, removes);
        self.active.get(key, self.active.published(), removes).or_else(frozen)
    }
}

/// Snapshot of the layers over reads of the file.
pub(super) struct View<'l, B = Snapshot<'l>> {
    layers: &'l Layers,
    base: B,
    up_to: u64,
}

impl<'l> View<'l> {
    pub(super) fn new(layers: &'l Layers) -> Self {
        Self::over_base(layers, layers.base.read())
    }

    /// Returns whether a read failed only because the file must be reopened.
    pub(super) fn is_stale(&self) -> bool {
        self.base.is_stale()
    }

    /// Returns whether a read of the file failed.
    pub(super) fn has_failed(&self) -> bool {
        self.base.has_failed()
    }
}

impl<'l, B: Read> View<'l, B> {
    pub(super) fn over_base(layers: &'l Layers, base: B) -> Self {
        Self { layers, base, up_to: layers.active.published() }
    }

    /// Passes the newest value of a key in the layers to `visit`. Returns whether the value exists, or `None` if the
    /// layers do not contain the key.
    fn over(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Option<bool> {
        let mut found = |change: Change<'_>| {
            change.map(&mut *visit);
            change.is_some()
        };
        let frozen = self.layers.frozen.as_ref();
        let active = self.layers.active.get(key, self.up_to, &mut found);
        active.or_else(|| frozen.and_then(|frozen| frozen.layer.get(key, u64::MAX, found)))
    }

    fn merge(&self, from: &[u8], to: &[u8], whole: bool, visit: Visit<'_>) -> Result<(), StorageFault> {
        let frozen = self.layers.frozen.as_ref();
        let over = Over::new(
            self.layers.active.range(from, to, self.up_to),
            frozen.map(|frozen| frozen.layer.range(from, to, u64::MAX)),
        );
        let base = |visit: Visit<'_>| {
            if whole { self.base.scan_whole(from, to, visit) } else { self.base.scan(from, to, visit) }
        };
        merge::scan(over, whole, base, visit)
    }

    fn merge_back(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        let frozen = self.layers.frozen.as_ref();
        let over = Over::new(
            self.layers.active.range_back(from, to, self.up_to),
            frozen.map(|frozen| frozen.layer.range_back(from, to, u64::MAX)),
        );
        merge::scan(over, true, |visit| self.base.scan_back(from, to, visit), visit)
    }
}

impl<B: Read> Read for View<'_, B> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.over(key, visit).map_or_else(|| self.base.get(key, visit), Ok)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.merge(from, to, false, visit)
    }

    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.over(key, visit).map_or_else(|| self.base.get_whole(key, visit), Ok)
    }

    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.merge(from, to, true, visit)
    }

    fn scan_back(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.merge_back(from, to, visit)
    }
}

/// A transaction: its changes over a view.
pub(super) struct Transaction<'t> {
    view: &'t View<'t>,
    pub(super) changes: Changes,
    pauses: Pauses,
}

impl<'t> Transaction<'t> {
    pub(super) fn new(view: &'t View<'t>) -> Self {
        Self { view, changes: Changes::default(), pauses: Pauses::default() }
    }

    fn own(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Option<bool> {
        let change = self.changes.get(key)?;
        change.map(visit);
        Some(change.is_some())
    }

    fn merge(&self, from: &[u8], to: &[u8], whole: bool, visit: Visit<'_>) -> Result<(), StorageFault> {
        if from >= to {
            return Ok(());
        }
        let base = |visit: Visit<'_>| self.view.merge(from, to, whole, visit);
        // The view has verified the hidden rows of the file. Rows of the layers are in memory.
        merge::scan(Rows::new(self.changes.range(from, to)), whole, base, visit)
    }
}

impl Read for Transaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.own(key, visit).map_or_else(|| self.view.get(key, visit), Ok)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.merge(from, to, false, visit)
    }

    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.own(key, visit).map_or_else(|| self.view.get_whole(key, visit), Ok)
    }

    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.merge(from, to, true, visit)
    }
}

impl Write for Transaction<'_> {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        self.pauses.after_row(value.len());
        self.changes.set(key, Some(value));
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        self.changes.set(key, None);
        Ok(())
    }
}
