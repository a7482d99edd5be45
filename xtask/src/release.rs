//! Builds and tests each published crate from its package, as its users receive it.

use std::{fmt::Write as _, fs, path::Path};

use toml::Table;

use crate::step::{Failed, Step, root};

/// Directory of the packages, relative to the repository.
const PACKAGES: &str = "target/package";

/// A published crate.
struct Package {
    name: String,
    version: String,
}

impl Package {
    /// Returns the name of its directory in the archive.
    fn directory(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

pub(crate) fn run() -> Result<(), Failed> {
    let packages = published()?;
    let names: Vec<&str> = packages.iter().flat_map(|package| ["-p", &package.name]).collect();
    // Not verified one after another: below, all packages are built together and tested.
    let package = ["package", "--no-verify", "--allow-dirty", "--quiet"];
    Step::new("packages").cargo(&[&package[..], &names].concat())?;
    for package in &packages {
        let archive = format!("{}.crate", package.directory());
        Step::new(archive.clone()).directory(PACKAGES).run("tar", &["-xmzf", &archive])?;
    }
    write_workspace(&packages).map_err(|error| Failed::because("the workspace of the packages", error))?;
    // In the same target directory, so that the crates of others are not compiled again.
    let test = ["test", "--workspace", "--lib", "--bins", "--target-dir", ".."];
    // The snapshots of a package are found from its workspace.
    let snapshots = root().join(PACKAGES).display().to_string();
    let step = Step::new("tests of the packages").directory(PACKAGES);
    step.variable("INSTA_WORKSPACE_ROOT", snapshots).cargo(&test)
}

/// Writes a workspace of the unpacked packages, in which they depend on each other instead of on released versions.
fn write_workspace(packages: &[Package]) -> std::io::Result<()> {
    let members: Vec<String> = packages.iter().map(Package::directory).collect();
    let mut manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[patch.crates-io]\n");
    for package in packages {
        let _ = writeln!(manifest, "{} = {{ path = {:?} }}", package.name, package.directory());
    }
    let directory = root().join(PACKAGES);
    fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock"))?;
    fs::write(directory.join("Cargo.toml"), manifest)
}

/// Returns the members of the workspace that do not exclude themselves with `publish = false`.
fn published() -> Result<Vec<Package>, Failed> {
    let workspace = read(&root().join("Cargo.toml"))?;
    let at = |path: &[&str]| path.iter().try_fold(&workspace, |value, key| value.get(key));
    let members = at(&["workspace", "members"]).and_then(toml::Value::as_array);
    let version = at(&["workspace", "package", "version"]).and_then(toml::Value::as_str).unwrap_or_default();
    let mut packages = Vec::new();
    for member in members.into_iter().flatten().filter_map(toml::Value::as_str) {
        let manifest = read(&root().join(member).join("Cargo.toml"))?;
        let Some(package) = manifest.get("package") else { continue };
        let is_published = package.get("publish").and_then(toml::Value::as_bool) != Some(false);
        if let Some(name) = package.get("name").and_then(toml::Value::as_str).filter(|_| is_published) {
            packages.push(Package { name: name.to_owned(), version: version.to_owned() });
        }
    }
    Ok(packages)
}

fn read(manifest: &Path) -> Result<toml::Value, Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed::because(&manifest.display().to_string(), error);
    let text = fs::read_to_string(manifest).map_err(|error| failed(&error))?;
    text.parse::<Table>().map(toml::Value::Table).map_err(|error| failed(&error))
}
