//! Damage before, at and after the position of a backup.

use super::*;
use crate::kept_log::{SegmentDamage, record::HEAD_BYTES};

/// Offsets of the records of a log with one segment.
fn offsets(log: &Written) -> Vec<usize> {
    let lens = log.commits.iter().map(|(_, changes)| changes.len());
    let next = |end: &mut usize, len| {
        let at = end.next_multiple_of(SECTOR_BYTES);
        *end = at + HEAD_BYTES + len;
        Some(at)
    };
    lens.scan(segment::HEADER_BYTES, next).collect()
}

impl Written {
    /// Returns the log after a backup of this commit.
    fn after(&self, commit: usize) -> Self {
        let base = commit.checked_sub(1).map_or(self.base, |at| self.commits[at].0);
        Self { files: self.files.clone(), base, commits: self.commits.clone() }
    }

    /// Restores all commits with another content of the first segment.
    fn restore_changed(
        &self,
        content: Vec<u8>,
        to: RestoreTo,
    ) -> Result<(Vec<Vec<u8>>, Restored), RestoreError> {
        let mut files = self.files.clone();
        *files.values_mut().next().unwrap() = content;
        self.restore(&files, to)
    }

    fn first_segment(&self) -> &Vec<u8> {
        self.files.values().next().unwrap()
    }

    /// Changes of the commits after the base.
    fn wanted(&self) -> Vec<Vec<u8>> {
        let later = self.commits.iter().filter(|(position, _)| position.number > self.base.number);
        later.map(|(_, changes)| changes.clone()).collect()
    }
}

fn damage(at: usize) -> SegmentDamage {
    SegmentDamage { segment: format!("log/{}", segment::file_name(1)).into(), byte: at as u64 }
}

/// A bit of each byte of each record, and of the header, for each position of a backup.
#[test]
fn only_damage_after_the_position_prevents_a_restore() {
    for confirmed in [true, false] {
        let all = written(&LENS, confirmed);
        let offsets = offsets(&all);
        for commit in 0..=LENS.len() {
            let log = all.after(commit);
            for (record, at) in offsets.iter().enumerate() {
                for byte in *at..at + HEAD_BYTES + LENS[record] {
                    let what = format!("byte {byte} of commit {}, after {commit}", record + 1);
                    let mut content = log.first_segment().clone();
                    content[byte] ^= 1 << (byte % 8);
                    match log.restore_changed(content, RestoreTo::Latest) {
                        Ok((found, restored)) => {
                            // The last commit of a backup is proven by its own head, or by what follows it.
                            assert!(record < commit && found == log.wanted(), "{what}: {restored:?}");
                            assert_eq!(restored.damage, Some(damage(*at)), "{what}");
                            assert_eq!(restored.applied, (LENS.len() - commit) as u64, "{what}");
                        }
                        Err(RestoreError::Gap { first, damage: found, .. }) => {
                            let is_last = !confirmed && record + 1 == commit && commit == LENS.len();
                            assert!(record >= commit || is_last, "{what}");
                            assert_eq!((first, found), (record as u64 + 1, Some(damage(*at))), "{what}");
                        }
                        Err(error) => panic!("{what}: {error}"),
                    }
                }
            }
            for byte in 0..segment::HEADER_BYTES {
                let mut content = log.first_segment().clone();
                content[byte] ^= 1 << (byte % 8);
                let (found, restored) = log.restore_changed(content, RestoreTo::Latest).unwrap();
                assert!(found == log.wanted() && restored.damage == Some(damage(0)), "{byte}: {restored:?}");
            }
        }
    }
}

/// Neither the last commit of the backup nor a later one can be verified.
#[test]
fn commits_that_cannot_be_found_are_an_error_with_place_and_remedy() {
    let log = written(&LENS, true).after(3);
    let mut content = log.first_segment().clone();
    for at in &offsets(&log)[1..4] {
        content[*at] ^= 1;
    }
    let error = log.restore_changed(content.clone(), RestoreTo::Latest).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "log: commits 4 to 6 are missing or damaged ({}, byte 1024); put their files back, or restore to an \
             earlier point",
            segment::file_name(1)
        )
    );
    // The backup itself.
    let (found, restored) = log.restore_changed(content, RestoreTo::Commit(3)).unwrap();
    assert_eq!((found.len(), restored.applied, restored.end), (0, 0, LogEnd::Continues));
    assert_eq!(restored.damage, Some(damage(1024)));
}

#[test]
fn damage_of_a_segment_matters_only_to_commits_in_it() {
    let log = written(&MANY, true);
    let (second, name) =
        segment::list(&SimulatedFolder::new(Calls::default(), log.files.clone())).unwrap().remove(1);
    let last = usize::try_from(second).unwrap() - 1;
    for commit in 0..=MANY.len() {
        let log = log.after(commit);
        let mut files = log.files.clone();
        files.get_mut(&name).unwrap()[20] ^= 1;
        match log.restore(&files, RestoreTo::Latest) {
            Ok((found, restored)) => {
                let damage = restored.damage.unwrap();
                assert!(commit >= last && found == log.wanted() && damage.byte == 0, "{commit}: {damage}");
                assert!(damage.segment.ends_with(&name), "{damage}");
            }
            Err(RestoreError::Gap { first, .. }) => assert!(commit < last && first == second, "{commit}"),
            Err(error) => panic!("{commit}: {error}"),
        }
    }
    for commit in 0..=last {
        let log = log.after(commit);
        let mut content = log.first_segment().clone();
        content.fill(9);
        match log.restore_changed(content, RestoreTo::Latest) {
            // Its segment is not read.
            Ok((found, restored)) => {
                assert!(commit == last && found == log.wanted() && restored.damage.is_none(), "{commit}");
            }
            Err(RestoreError::Gap { damage: found, .. }) => {
                assert!(commit < last && found == Some(damage(0)), "{commit}: {found:?}");
            }
            Err(error) => panic!("{commit}: {error}"),
        }
    }
}

/// A log with the same identification and other commits, for example of a copy of the store.
#[test]
fn another_commit_with_the_number_of_the_last_one_is_another_log() {
    for confirmed in [true, false] {
        let mut log = written(&LENS, confirmed).after(3);
        log.base.sum ^= 1;
        let mut content = log.first_segment().clone();
        for damaged in [false, true] {
            if damaged {
                content[SECTOR_BYTES] ^= 1;
            }
            let error = log.restore_changed(content.clone(), RestoreTo::Latest).unwrap_err();
            assert!(matches!(error, RestoreError::OtherLog { .. }), "{damaged}: {error}");
        }
    }
}
