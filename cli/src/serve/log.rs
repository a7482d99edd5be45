//! The log on standard error, separate from the output on standard output.

use std::{
    fmt,
    io::{self, IsTerminal},
};

use table_rest::server::telemetry::REQUEST_FIELDS;
use tracing::field::{Field, Visit};
use tracing_subscriber::{
    EnvFilter,
    field::{RecordFields, VisitOutput},
    fmt::{
        FormatFields,
        format::{DefaultVisitor, FmtSpan, Writer},
    },
};

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
        LogFormat::Text => lines.fmt_fields(ShortNames).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    started.map_err(|error| ServeError::Log(error.to_string()))
}

/// Returns `true` for a field that a line of text omits: one of the span of a request with a name of OpenTelemetry. Its value
/// is also in another field.
pub(crate) fn is_long(field: &Field) -> bool {
    field.name().contains('.') && REQUEST_FIELDS.contains(&field.name())
}

/// Formats fields as the default does, without the [long](is_long) ones.
struct ShortNames;

impl<'w> FormatFields<'w> for ShortNames {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut visitor = Short(DefaultVisitor::new(writer, true));
        fields.record(&mut visitor);
        visitor.0.finish()
    }
}

struct Short<'w>(DefaultVisitor<'w>);

impl Visit for Short<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if !is_long(field) {
            self.0.record_str(field, value);
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        if !is_long(field) {
            self.0.record_error(field, value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if !is_long(field) {
            self.0.record_debug(field, value);
        }
    }
}

/// Returns whether the lines on standard error have colors.
pub(crate) fn is_colored() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}
