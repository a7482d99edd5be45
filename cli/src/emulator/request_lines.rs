//! One line on standard error for each request.

use std::{
    fmt::{Debug, Write as _},
    io::{self, Write as _},
};

use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{
    Layer,
    filter::{FilterFn, Filtered, filter_fn},
    fmt::{
        format::Writer,
        time::{FormatTime, SystemTime},
    },
    layer::Context,
    registry::LookupSpan,
};

use crate::serve::log::is_long;

/// Prints the fields of each request at its end, unless the server has logged the request with the reason why it failed.
pub(super) struct RequestLines;

impl RequestLines {
    pub(super) fn new<S: Subscriber>() -> Filtered<Self, FilterFn, S>
    where
        Self: Layer<S>,
    {
        let is_request = |metadata: &tracing::Metadata<'_>| {
            metadata.is_span() && metadata.name() == "request" && metadata.target().starts_with("table_rest")
        };
        Self.with_filter(filter_fn(is_request))
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for RequestLines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut line = Line::default();
        attributes.record(&mut line);
        span.extensions_mut().insert(line);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(line) = span.extensions_mut().get_mut::<Line>() {
            values.record(line);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(line) = span.extensions_mut().remove::<Line>() else { return };
        if matches!(line.status, Some(401 | 403 | 500..)) {
            return;
        }
        let mut text = String::new();
        // Errors of a string do not occur, and those of standard error have no better place.
        let _ = SystemTime.format_time(&mut Writer::new(&mut text));
        let _ = writeln!(io::stderr().lock(), "{text}  INFO request{}", line.text);
    }
}

/// The fields of a request.
#[derive(Default)]
struct Line {
    text: String,
    status: Option<u64>,
}

impl Visit for Line {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "status" {
            self.status = Some(value);
        }
        self.record_debug(field, &value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if !is_long(field) {
            let _ = write!(self.text, " {}={value:?}", field.name());
        }
    }
}
