//! The list of accepted failures of the tests of the SDKs. `cargo xtask nightly suites` runs these tests.

use std::{collections::BTreeMap, error::Error, path::Path};

use table_proofs::{
    clients::{Drift, Suite},
    matrix::{FileResult, results},
};

/// What a reason starts with: a missing feature, what no emulator has, a defect of ours, a problem of the test.
const KINDS: [&str; 4] = ["not supported: ", "not emulated: ", "defect: ", "test: "];

#[test]
fn each_accepted_failure_has_a_reason_and_was_recorded() -> Result<(), Box<dyn Error>> {
    let accepted = Drift::parse(include_str!("../../../../clients/suites/accepted.txt"))?;
    let mut counts: BTreeMap<&str, usize> = Suite::ALL.iter().map(|suite| (suite.name(), 0)).collect();
    for (suite, case, reason) in accepted.cases() {
        *counts.get_mut(suite).ok_or_else(|| format!("{suite} {case}: an unknown suite"))? += 1;
        assert!(KINDS.iter().any(|kind| reason.starts_with(kind)), "{suite} {case}: {reason}");
    }
    let results = results(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/suites/results.txt"))?;
    let recorded: BTreeMap<&str, usize> =
        FileResult::sums(&results).into_iter().map(|(suite, sum)| (suite, sum.failed)).collect();
    assert_eq!(counts, recorded, "the accepted failures are not those of the recorded run");
    Ok(())
}
