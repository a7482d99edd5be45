//! The Python clients, in a virtual environment.

use std::path::Path;

use crate::clients::{
    Client, Lacking, Place, Program,
    install::{install, is_here, step},
};

/// Returns the program with the cases of the scenario.
pub(crate) fn program(place: &Place) -> Result<Program, Lacking> {
    script(place, "run.py")
}

/// Returns the program with the cases that use bearer tokens, on an emulator with this certificate.
pub(crate) fn with_tokens(place: &Place, certificate: &Path) -> Result<Program, Lacking> {
    Ok(script(place, "tokens.py")?.arg(certificate))
}

fn script(place: &Place, script: &str) -> Result<Program, Lacking> {
    let scenario = Client::Python.name();
    let python =
        ["python3", "python"].into_iter().find(|name| is_here(name)).ok_or(Lacking::Program("Python 3"))?;
    install(place, scenario, "requirements.txt", |target| {
        step(target, python, &["-m", "venv", "--clear", "venv"])?;
        step(
            target,
            interpreter(target),
            &["-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
        )
    })?;
    let target = place.installed(scenario);
    // `-B`: no byte code next to the sources.
    Ok(Program::new(interpreter(&target)).arg("-B").arg(target.join(script)))
}

fn interpreter(target: &Path) -> std::path::PathBuf {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    target.join("venv").join(inside)
}
