//! Builds each published crate from its package, as its users receive it, and tests it so in the nightly checks.

mod workspace;

use crate::{
    manifest::read,
    step::{Failed, Step, root},
};

/// Directory of the packages, relative to the repository.
const PACKAGES: &str = "target/package";

/// A published crate.
struct Package {
    name: String,
    version: String,
    /// Whether cargo runs the examples of its documentation. Those of the macros need the crate that exports them.
    has_examples: bool,
}

impl Package {
    /// Returns the name of its directory in the archive.
    fn directory(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// Builds the packages. A file that a package lacks fails here.
pub(crate) fn run() -> Result<(), Failed> {
    unpack()?;
    cargo("programs and libraries of the packages", &["build", "--workspace"])
}

/// Runs the tests of the unpacked packages, which are those of the repository.
pub(crate) fn tests() -> Result<(), Failed> {
    let packages = unpack()?;
    // As its users do: programs, and the examples of the documentation.
    cargo("tests of the packages' programs", &["test", "--workspace", "--bins"])?;
    let without = packages.iter().filter(|package| !package.has_examples);
    let excluded = without.flat_map(|package| ["--exclude", &package.name]);
    let examples: Vec<&str> = ["test", "--workspace", "--doc"].into_iter().chain(excluded).collect();
    cargo("examples in the packages' documentation", &examples)?;
    cargo("unit tests of the packages", &["test", "--workspace", "--lib"])
}

/// Makes the packages, and a workspace of the unpacked ones.
fn unpack() -> Result<Vec<Package>, Failed> {
    let (packages, others) = members()?;
    let names: Vec<&str> = packages.iter().flat_map(|package| ["-p", &package.name]).collect();
    // Not verified one after another: all packages are built together.
    let package = ["package", "--no-verify", "--allow-dirty", "--quiet"];
    Step::new("packages").cargo(&[&package[..], &names].concat())?;
    for package in &packages {
        let archive = format!("{}.crate", package.directory());
        Step::new(archive.clone()).directory(PACKAGES).run("tar", &["-xmzf", &archive])?;
    }
    workspace::write(&packages, &others)?;
    Ok(packages)
}

/// Runs cargo in the workspace of the packages.
fn cargo(name: &str, arguments: &[&str]) -> Result<(), Failed> {
    // In the same target directory, so that the crates of others are not compiled again.
    let arguments = [arguments, &["--target-dir", ".."]].concat();
    // The snapshots of a package are found from its workspace.
    let snapshots = root().join(PACKAGES).display().to_string();
    Step::new(name).directory(PACKAGES).variable("INSTA_WORKSPACE_ROOT", snapshots).cargo(&arguments)
}

/// Returns the packages of the workspace, and the manifests of the members that exclude themselves with
/// `publish = false`.
fn members() -> Result<(Vec<Package>, Vec<toml::Value>), Failed> {
    let workspace = read(&root().join("Cargo.toml"))?;
    let at = |path: &[&str]| path.iter().try_fold(&workspace, |value, key| value.get(key));
    let members = at(&["workspace", "members"]).and_then(toml::Value::as_array);
    let version = at(&["workspace", "package", "version"]).and_then(toml::Value::as_str).unwrap_or_default();
    let (mut packages, mut others) = (Vec::new(), Vec::new());
    for member in members.into_iter().flatten().filter_map(toml::Value::as_str) {
        let manifest = read(&root().join(member).join("Cargo.toml"))?;
        let package = |key| manifest.get("package").and_then(|package| package.get(key));
        let is_published = package("publish").and_then(toml::Value::as_bool) != Some(false);
        let doctest = manifest.get("lib").and_then(|library| library.get("doctest"));
        let has_examples = doctest.and_then(toml::Value::as_bool) != Some(false);
        match package("name").and_then(toml::Value::as_str).filter(|_| is_published) {
            Some(name) => {
                packages.push(Package { name: name.to_owned(), version: version.to_owned(), has_examples });
            }
            None => others.push(manifest),
        }
    }
    Ok((packages, others))
}
