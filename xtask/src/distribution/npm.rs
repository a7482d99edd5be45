//! Packages for npm: one with the command for each platform, and one that npm users name, which depends on all of them
//! and starts the one that npm has installed.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{
    Build,
    archive::LICENSES,
    copy,
    metadata::NAME,
    platform::{self, Platform},
    put, started, text,
};
use crate::step::{Failed, Step, root};

/// The program that starts the command.
const LAUNCHER: &str = include_str!("tables.js");

pub(super) fn write(build: &Build, packages: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let native = build.directory("npm-native")?;
    let (os, cpu) = build.platform.npm;
    let native_manifest = json!({ "os": [os], "cpu": [cpu] });
    put(&native.join("package.json"), manifest(build, &package(build.platform), native_manifest))?;
    copy(&build.program, &native.join("bin").join(build.platform.program()))?;

    let main = build.directory("npm")?;
    let native_packages =
        platform::ALL.iter().map(|platform| (package(platform), json!(build.about.version)));
    let main_manifest = json!({
        "bin": { "tables": "bin/tables.js" },
        "engines": { "node": ">=18" },
        "optionalDependencies": native_packages.collect::<Map<_, _>>(),
    });
    put(&main.join("package.json"), manifest(build, NAME, main_manifest))?;
    put(&main.join("bin/tables.js"), LAUNCHER)?;

    let first = packages.len();
    for (folder, name) in [(&native, package(build.platform)), (&main, NAME.to_owned())] {
        put(&folder.join("README.md"), &build.about.readme)?;
        for license in LICENSES {
            copy(&root().join(license), &folder.join(license))?;
        }
        packages.push(packed(build, folder, &name)?);
    }
    let installed = build.directory("npm-installed")?;
    let mut install = vec!["install", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--prefix"];
    install.push(text(&installed));
    install.extend(packages.iter().skip(first).map(|package| text(package)));
    Step::new("npm packages, installed").run("npm", &install)?;
    let program = installed.join("node_modules/.bin/tables");
    started("the command of the npm package", &program, &build.about.version)?;
    Ok(())
}

fn package(platform: &Platform) -> String {
    let (os, cpu) = platform.npm;
    format!("{NAME}-{os}-{cpu}")
}

/// Returns a manifest with further members.
fn manifest(build: &Build, name: &str, members: Value) -> String {
    let about = &build.about;
    let mut manifest = json!({
        "name": name,
        "version": about.version,
        "description": about.description,
        "license": about.license,
        "author": about.author,
        "keywords": about.keywords,
    });
    if let (Value::Object(manifest), Value::Object(members)) = (&mut manifest, members) {
        manifest.extend(members);
    }
    format!("{manifest:#}\n")
}

/// Packs a directory, and returns the package.
fn packed(build: &Build, folder: &Path, name: &str) -> Result<PathBuf, Failed> {
    let pack = ["pack", "--silent", "--pack-destination", text(&build.output), text(folder)];
    Step::new(format!("npm package {name}")).silent().run("npm", &pack)?;
    Ok(build.package(&format!("{name}-{}.tgz", build.about.version)))
}
