//! All output that programs can see, and the forms of credentials that it must not contain.

use std::{
    error::Error,
    io::Write,
    sync::{Mutex, PoisonError},
};

use tracing_subscriber::{EnvFilter, fmt::MakeWriter, fmt::format::FmtSpan};

static LOG: Mutex<String> = Mutex::new(String::new());

/// Collects every later span and event of the process, including those of other crates.
pub(crate) fn logged() {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new("trace"))
        .with_span_events(FmtSpan::FULL)
        .with_ansi(false)
        .with_writer(Log);
    // Another test of this process may have installed it first.
    let _ = subscriber.try_init();
}

#[derive(Clone, Copy)]
struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        *self
    }
}

/// Records each credential that it detects.
pub(crate) struct Witness {
    forms: Vec<String>,
    errors: usize,
    found: Vec<String>,
}

impl Witness {
    pub(crate) fn new(forms: Vec<String>) -> Self {
        Self { forms, errors: 0, found: Vec::new() }
    }

    /// Checks the error of a result, with all its causes.
    pub(crate) fn result<T>(&mut self, what: &str, result: table_model::Result<T>) {
        let Err(error) = result else { return };
        self.errors += 1;
        self.see(what, &format!("{error} {error:?} {error:#?}"));
        let mut cause = error.source();
        while let Some(inner) = cause {
            self.see(what, &format!("{inner} {inner:?}"));
            cause = inner.source();
        }
    }

    pub(crate) fn see(&mut self, what: &str, text: &str) {
        for line in text.lines() {
            let folded = line.to_lowercase();
            let is_leak =
                |form: &&String| line.contains(form.as_str()) || folded.contains(&form.to_lowercase());
            // An `Authorization` header without its signature is not a credential.
            let line_is_clean = !line.contains("SharedKey acme:") || line.contains("SharedKey (hidden)");
            if let Some(form) = self
                .forms
                .iter()
                .find(is_leak)
                .filter(|form| form.as_str() != "SharedKey acme:" || !line_is_clean)
            {
                self.found.push(format!("{what}: {form} in {line}"));
            }
        }
    }

    pub(crate) const fn errors(&self) -> usize {
        self.errors
    }

    pub(crate) fn log() -> String {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks the log, and panics if any credential was found.
    pub(crate) fn end(mut self) {
        let log = Self::log();
        self.see("log", &log);
        let count = self.found.len();
        self.found.truncate(12);
        assert!(count == 0, "{count} leaks:\n{}", self.found.join("\n"));
    }
}
