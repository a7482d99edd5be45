//! The log on standard error, separate from the output on standard output.

use std::io::{self, IsTerminal};

use tracing_subscriber::{EnvFilter, fmt::format::FmtSpan};

use super::{
    ServeError,
    arguments::{Log, LogFormat},
};

/// Starts logging. A request is logged as one line after its response.
pub(super) fn start(log: &Log) -> Result<(), ServeError> {
    let filter = EnvFilter::try_new(&log.filter).map_err(|error| ServeError::Log(error.to_string()))?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(is_colored());
    let started = match log.format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    started.map_err(|error| ServeError::Log(error.to_string()))
}

/// Returns whether the lines on standard error have colors.
pub(crate) fn is_colored() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}
