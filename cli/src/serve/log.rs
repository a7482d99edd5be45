//! The log on standard error, separate from the output on standard output.

use std::io::{self, IsTerminal};

use table_rest::server::telemetry::REQUEST_FIELDS;
use tracing::field::{Field, Visit};
use tracing_subscriber::{
    EnvFilter, Layer,
    field::{RecordFields, VisitOutput},
    fmt::{
        self, FormatFields,
        format::{DefaultVisitor, FmtSpan, Writer},
    },
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use super::{
    ServeError,
    arguments::{Log, LogFormat},
};

/// Starts logging. A request is logged as one line after its response. With the feature `otlp`, the result is the export of
/// the spans of requests.
pub(super) fn start(log: &Log) -> Result<impl Sized, ServeError> {
    let filter = EnvFilter::try_new(&log.filter).map_err(|error| ServeError::Log(error.to_string()))?;
    let lines = fmt::layer().with_writer(io::stderr).with_span_events(FmtSpan::CLOSE).with_ansi(is_colored());
    let lines = match log.format {
        LogFormat::Text => lines.fmt_fields(ShortNames).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let layers = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(not(feature = "otlp"))]
    let export = ();
    #[cfg(feature = "otlp")]
    let (export, layers) = {
        let (export, layer) = super::otlp::start()?.unzip();
        (export, layers.with(layer))
    };
    layers.try_init().map_err(|error| ServeError::Log(error.to_string()))?;
    Ok(export)
}

/// Returns `true` for a field that a line of text omits: one of the span of a request with a name of OpenTelemetry. Its value
/// is also in another field.
pub(crate) fn is_long(field: &Field) -> bool {
    field.name().contains('.') && REQUEST_FIELDS.contains(&field.name())
}

/// Formats fields as the default does, without the [long](is_long) ones.
struct ShortNames;

impl<'w> FormatFields<'w> for ShortNames {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> std::fmt::Result {
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

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if !is_long(field) {
            self.0.record_debug(field, value);
        }
    }
}

/// Returns whether the lines on standard error have colors.
pub(crate) fn is_colored() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}
