use crate::text::counted;

/// Position in the current job, with its counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// Number of runs that processed the job. A run that was interrupted may have changed rows that are not counted.
    pub(super) runs: u64,
    pub(super) cursor: Option<String>,
    pub(super) entities: u64,
    pub(super) rows: u64,
    pub(super) changed: u64,
    /// Rows that are named in commit records which are not applied yet.
    pub(super) lagging: u64,
    /// Entities and rows that the job could not process.
    pub(super) left: u64,
}

impl Position {
    /// Adds the counts of a run to those before it. The position is that of the run.
    pub(super) fn plus(&self, run: Self) -> Self {
        Self {
            runs: self.runs,
            cursor: run.cursor,
            entities: self.entities + run.entities,
            rows: self.rows + run.rows,
            changed: self.changed + run.changed,
            lagging: self.lagging + run.lagging,
            left: self.left + run.left,
        }
    }

    /// Returns the number of changed rows with a word, as a lower limit if a run was interrupted.
    pub(super) fn changed(&self, word: &str) -> String {
        let least = if self.runs > 1 { "at least " } else { "" };
        format!("{least}{}", counted(self.changed, word))
    }
}
