//! The Python clients, in a virtual environment.

use std::path::{Path, PathBuf};

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
    let python = python()?;
    install(place, scenario, &["requirements.txt"], |target| environment(python, target))?;
    let target = place.installed(scenario);
    // `-B`: no byte code next to the sources.
    Ok(Program::new(interpreter(&target)).arg("-B").arg(target.join(script)))
}

/// Returns the command of Python 3.
pub(crate) fn python() -> Result<&'static str, Lacking> {
    ["python3", "python"].into_iter().find(|name| is_here(name)).ok_or(Lacking::Program("Python 3"))
}

/// Creates a virtual environment with the packages of `requirements.txt`.
pub(crate) fn environment(python: &str, target: &Path) -> Result<(), Lacking> {
    step(target, python, &["-m", "venv", "--clear", "venv"])?;
    let install = ["-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"];
    step(target, interpreter(target), &install)
}

/// Returns the interpreter of the virtual environment.
pub(crate) fn interpreter(target: &Path) -> PathBuf {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    target.join("venv").join(inside)
}
