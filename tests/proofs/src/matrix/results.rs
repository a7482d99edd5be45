//! The recorded results of the tests of the SDKs.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use crate::{
    clients::{Counts, Outcomes},
    matrix::SourceError,
};

/// Results of the tests of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileResult {
    /// Name of the suite.
    pub suite: String,
    /// Name of the file.
    pub file: String,
    /// Numbers of its tests.
    pub counts: Counts,
}

/// Reads a file with lines `SUITE FILE PASSED FAILED SKIPPED`.
///
/// # Errors
///
/// Returns an error if it cannot be read or has an invalid line.
pub fn results(path: &Path) -> Result<Vec<FileResult>, SourceError> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| read(line).ok_or_else(|| SourceError::Line(line.to_owned()))).collect()
}

fn read(line: &str) -> Option<FileResult> {
    let words: Vec<&str> = line.split(' ').collect();
    let [suite, file, passed, failed, skipped] = words.as_slice() else { return None };
    let counts =
        Counts { passed: passed.parse().ok()?, failed: failed.parse().ok()?, skipped: skipped.parse().ok()? };
    Some(FileResult { suite: (*suite).to_owned(), file: (*file).to_owned(), counts })
}

impl FileResult {
    /// Returns the results of a run of a suite, by file.
    #[must_use]
    pub fn of(suite: &str, outcomes: &Outcomes) -> Vec<Self> {
        let files = outcomes.by_file().into_iter();
        files.map(|(file, counts)| Self { suite: suite.to_owned(), file: file.to_owned(), counts }).collect()
    }

    /// Returns the text of a file with these results.
    #[must_use]
    pub fn text(results: &[Self]) -> String {
        let mut text = String::from("# SUITE FILE PASSED FAILED SKIPPED, as the last run recorded them\n");
        for Self { suite, file, counts: Counts { passed, failed, skipped } } in results {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{suite} {file} {passed} {failed} {skipped}");
        }
        text
    }

    /// Returns the sums of the suites.
    #[must_use]
    pub fn sums(results: &[Self]) -> BTreeMap<&str, Counts> {
        let mut sums: BTreeMap<&str, Counts> = BTreeMap::new();
        for result in results {
            let sum = sums.entry(result.suite.as_str()).or_default();
            sum.passed += result.counts.passed;
            sum.failed += result.counts.failed;
            sum.skipped += result.counts.skipped;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        let one = |file: &str, passed| FileResult {
            suite: "tables".to_owned(),
            file: file.to_owned(),
            counts: Counts { passed, failed: 1, skipped: 2 },
        };
        let all = [one("test_a.py", 3), one("test_b.py", 4)];
        let text = FileResult::text(&all);
        let read: Vec<FileResult> = text.lines().skip(1).filter_map(read).collect();
        assert_eq!(read, all);
        let sums = FileResult::sums(&all);
        assert_eq!(sums.get("tables"), Some(&Counts { passed: 7, failed: 2, skipped: 4 }));
        assert_eq!(super::read("tables test_a.py 1 2"), None);
    }
}
