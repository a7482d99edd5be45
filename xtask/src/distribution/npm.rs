//! Packages for npm: one with the command for each platform, and one that npm users name, which depends on all of them
//! and starts the one that npm has installed.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{
    Build,
    archive::LICENSES,
    copy,
    metadata::NAME,
    name,
    platform::{self, Platform},
    put, started, text,
};
use crate::step::{Failed, Step, root};

/// The program that starts the command.
const LAUNCHER: &str = include_str!("tables.js");

pub(super) fn write(build: &Build, packages: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let native = build.directory("npm-native")?;
    let (os, cpu) = build.platform.npm;
    let mut manifest = manifest(build, &package(build.platform));
    manifest["os"] = json!([os]);
    manifest["cpu"] = json!([cpu]);
    put(&native.join("package.json"), format!("{manifest:#}\n"))?;
    copy(&build.program, &native.join("bin").join(build.platform.program()))?;

    let main = build.directory("npm")?;
    let mut manifest = self::manifest(build, NAME);
    manifest["bin"] = json!({ "tables": "bin/tables.js" });
    manifest["engines"] = json!({ "node": ">=18" });
    let native_packages =
        platform::ALL.iter().map(|platform| (package(platform), json!(build.about.version)));
    manifest["optionalDependencies"] = Value::Object(native_packages.collect::<Map<_, _>>());
    put(&main.join("package.json"), format!("{manifest:#}\n"))?;
    put(&main.join("bin/tables.js"), LAUNCHER)?;

    let first = packages.len();
    for folder in [&native, &main] {
        put(&folder.join("README.md"), &build.about.readme)?;
        for license in LICENSES {
            copy(&root().join(license), &folder.join(license))?;
        }
        packages.push(packed(build, folder)?);
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

fn manifest(build: &Build, name: &str) -> Value {
    let about = &build.about;
    json!({
        "name": name,
        "version": about.version,
        "description": about.description,
        "license": about.license,
        "author": about.author,
        "keywords": about.keywords,
    })
}

/// Packs a directory, and returns the package.
fn packed(build: &Build, folder: &Path) -> Result<PathBuf, Failed> {
    let pack = ["pack", "--silent", "--pack-destination", text(&build.output), text(folder)];
    Step::new(format!("npm package {}", name(folder))).silent().run("npm", &pack)?;
    let manifest = std::fs::read_to_string(folder.join("package.json"));
    let manifest = manifest.map_err(|error| super::at(folder, error))?;
    let manifest: Value = serde_json::from_str(&manifest).map_err(|error| super::at(folder, error))?;
    let name = manifest["name"].as_str().unwrap_or_default();
    Ok(build.package(&format!("{name}-{}.tgz", build.about.version)))
}
