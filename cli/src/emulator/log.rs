//! The logs of the emulator: requests on standard error, and details in a file.

use std::{fs::File, io, path::Path, sync::Mutex};

use tracing_subscriber::{
    EnvFilter, Layer,
    fmt::{self, format::FmtSpan},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use super::{Arguments, EmulatorError, request_lines::RequestLines};
use crate::serve::{ServeError, log::is_colored};

/// Starts logging. Like Azurite, the emulator logs each request unless it is silent.
pub(super) fn start(arguments: &Arguments) -> Result<(), EmulatorError> {
    let level = if arguments.silent { "error" } else { "info" };
    let shown = fmt::layer()
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(is_colored())
        .with_filter(EnvFilter::new(level));
    let requests = (!arguments.silent).then(RequestLines::new);
    let detailed = match &arguments.debug {
        Some(path) => Some(
            fmt::layer()
                .with_writer(Mutex::new(open(path)?))
                .with_span_events(FmtSpan::CLOSE)
                .with_ansi(false)
                .with_filter(EnvFilter::new("debug")),
        ),
        None => None,
    };
    let started = tracing_subscriber::registry().with(shown).with(requests).with(detailed).try_init();
    Ok(started.map_err(|error| ServeError::Log(error.to_string()))?)
}

fn open(path: &Path) -> Result<File, EmulatorError> {
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| EmulatorError::Debug { path: path.into(), error })
}
