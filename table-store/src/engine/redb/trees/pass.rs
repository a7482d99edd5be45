//! Reading of all pages in use, in steps.

use std::{
    collections::BTreeMap,
    ops::{Bound, ControlFlow},
};

use super::{BLOCK_BYTES, BRANCH, MOST_DEPTH, PageNumber, ROOTS, Table, Trees, Widths, children};
use crate::engine::{ScrubStep, redb::pages::is_damage};

/// Position of a pass. The trees may change between two steps: every page in use for the whole pass is read.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Position {
    /// Number of the tree of tables.
    tree: usize,
    /// Table that was read last.
    table: Option<Vec<u8>>,
    /// Key up to which it was read; `None` if it is complete.
    after: Option<Vec<u8>>,
}

/// A step of a pass over the pages of a table.
struct Run {
    step: ScrubStep,
    /// Number of bytes until the step ends. `None` if the table is read in one step.
    left: Option<usize>,
    /// Keys up to this one were read.
    after: Option<Vec<u8>>,
    /// A page below the root was read.
    moved: bool,
}

impl Trees<'_> {
    /// Reads the next pages in use, about `most` bytes, and compares them with their checksums. Advances `position`.
    pub(in super::super) fn pass(&self, position: &mut Position, most: usize) -> ScrubStep {
        let mut step = ScrubStep { ended: position.tree >= ROOTS.len(), ..ScrubStep::default() };
        if step.ended {
            return step;
        }
        let mut tables = BTreeMap::new();
        let mut each = |name: &[u8], table: Table| {
            tables.insert(name.to_vec(), table);
        };
        if self.tables(position.tree, &mut each, &mut |_| ()).is_err() {
            step.unreadable += 1;
        }
        step.bytes += BLOCK_BYTES as u64;
        let from = match (&position.table, &position.after) {
            (Some(table), Some(_)) => Bound::Included(table.clone()),
            (Some(table), None) => Bound::Excluded(table.clone()),
            (None, _) => Bound::Unbounded,
        };
        let Some((name, table)) = tables.range((from, Bound::Unbounded)).next() else {
            // The page of the definitions.
            step.pages += 1;
            *position = Position { tree: position.tree + 1, ..Position::default() };
            return step;
        };
        let after = position.after.take().filter(|_| position.table.as_ref() == Some(name));
        // The keys of redb's own tables are not in the order of their bytes. These tables are small.
        let left = (position.tree == 0).then_some(most);
        let mut run = Run { step, left, after, moved: false };
        let more = table.root.is_some_and(|root| self.read(root, table.widths, None, 0, &mut run).is_break());
        position.table = Some(name.clone());
        position.after = run.after.filter(|_| more);
        run.step
    }

    /// Reads a page and the pages below it, except those that were read before. `up_to` is the last key of the page.
    fn read(
        &self,
        page: PageNumber,
        widths: Widths,
        up_to: Option<&[u8]>,
        depth: u32,
        run: &mut Run,
    ) -> ControlFlow<()> {
        let (offset, len) = self.place(page);
        let mut bytes = vec![0; len];
        let read = self.pages.read(offset, &mut bytes);
        run.step.bytes += len as u64;
        run.left = run.left.map(|left| left.saturating_sub(len));
        if let Err(error) = read {
            run.step.unreadable += u64::from(!is_damage(&error));
            return ControlFlow::Continue(());
        }
        let below = if bytes.first() == Some(&BRANCH) { children(&bytes, widths) } else { None };
        for (child, last) in below.into_iter().flatten().take_while(|_| depth < MOST_DEPTH) {
            let last = last.or(up_to);
            if run.left.is_some()
                && last.is_some_and(|last| run.after.as_deref().is_some_and(|after| last <= after))
            {
                continue;
            }
            if run.left == Some(0) && run.moved {
                return ControlFlow::Break(());
            }
            self.read(child, widths, last, depth + 1, run)?;
            run.moved = true;
            run.after = last.map(<[u8]>::to_vec);
        }
        run.step.pages += (len / BLOCK_BYTES) as u64;
        ControlFlow::Continue(())
    }
}
