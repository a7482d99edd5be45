//! The workspace in which the packages are tested.

use std::{fs, path::Path};

use toml::{Table, Value};

use super::{PACKAGES, Package};
use crate::{
    manifest::read,
    step::{Failed, root},
};

/// Writes a workspace of the unpacked packages, in which they depend on each other instead of on released versions.
///
/// It selects the features and the optimization of other crates as the repository does, so that they are not compiled
/// again.
pub(super) fn write(packages: &[Package], unpublished: &[Value]) -> Result<(), Failed> {
    let repository = read(&root().join("Cargo.toml"))?;
    let directory = root().join(PACKAGES);
    let mut members: Vec<String> = packages.iter().map(Package::directory).collect();
    for (number, member) in unpublished.iter().enumerate() {
        let name = format!("others-{number}");
        let mut manifest = table([("package", package(&name).into())]);
        for kind in ["dependencies", "dev-dependencies"] {
            manifest.insert(kind.to_owned(), others(member, &[kind]).into());
        }
        // These select features of what is compiled for the host, such as `proc-macro2`, on which most crates depend.
        let (kind, mut build) = ("build-dependencies", others(member, &["build-dependencies"]));
        for package in packages {
            if member.get(kind).is_some_and(|all| all.get(&package.name).is_some()) {
                build.insert(package.name.clone(), package.version.clone().into());
            }
        }
        manifest.insert(kind.to_owned(), build.into());
        write_file(&directory.join(&name).join("src/lib.rs"), "")?;
        write_file(&directory.join(&name).join("Cargo.toml"), &manifest.to_string())?;
        members.push(name);
    }
    let paths = packages
        .iter()
        .map(|package| (package.name.clone(), table([("path", package.directory().into())]).into()));
    let workspace = table([
        ("resolver", "3".into()),
        ("members", members.into()),
        ("dependencies", others(&repository, &["workspace", "dependencies"]).into()),
    ]);
    let mut profile = others(&repository, &["profile", "dev"]);
    profile.insert("package".to_owned(), others(&repository, &["profile", "dev", "package"]).into());
    let manifest = table([
        ("workspace", workspace.into()),
        ("patch", table([("crates-io", paths.collect::<Table>().into())]).into()),
        ("profile", table([("dev", profile.into())]).into()),
    ]);
    let lock = fs::read_to_string(root().join("Cargo.lock"));
    let lock = lock.map_err(|error| Failed::because("Cargo.lock", error))?;
    write_file(&directory.join("Cargo.lock"), &lock)?;
    write_file(&directory.join("Cargo.toml"), &manifest.to_string())
}

fn package(name: &str) -> Table {
    table([("name", name.into()), ("version", "0.0.0".into()), ("edition", "2024".into())])
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Table {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the entries of a table of a manifest, without the repository's own crates.
fn others(manifest: &Value, path: &[&str]) -> Table {
    let found = path.iter().try_fold(manifest, |value, key| value.get(key));
    let mut entries = found.and_then(Value::as_table).cloned().unwrap_or_default();
    entries.retain(|name, entry| !name.starts_with("table-") && entry.get("path").is_none());
    entries
}

fn write_file(path: &Path, text: &str) -> Result<(), Failed> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|error| Failed::because(&path.display().to_string(), error))
}
