//! Checksums of the packages, as `sha256sum --check` reads them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{at, name, put};
use crate::step::Failed;

pub(super) fn write(output: &Path, packages: &[PathBuf]) -> Result<(), Failed> {
    let mut sums = String::new();
    for package in packages {
        let bytes = fs::read(package).map_err(|error| at(package, error))?;
        let digest = Sha256::digest(&bytes);
        let digits: Vec<String> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &digits.concat();
        sums.extend(["  ", &name(package), "\n"]);
    }
    put(&output.join("SHA256SUMS"), sums)
}
