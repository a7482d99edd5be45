//! Export of the spans of requests over OTLP, configured by the variables of OpenTelemetry.

mod client;

use std::{env, time::SystemTime};

use opentelemetry::{
    Context as Parent, KeyValue, Value,
    trace::{
        Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, Tracer as _,
        TracerProvider as _,
    },
};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::{
    Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, filter::filter_fn, layer::Context, registry::LookupSpan};

use self::client::Client;
use crate::serve::ServeError;

/// The variables that turn the export on.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// The running export. Dropping it sends the remaining spans.
pub(crate) struct Export(SdkTracerProvider);

impl Drop for Export {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "cannot send the last spans");
        }
    }
}

/// Returns the export and its layer, if a variable names an endpoint and none disables it.
pub(super) fn start<S>() -> Result<Option<(Export, impl Layer<S>)>, ServeError>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set.eq_ignore_ascii_case(value));
    let is_set = ENDPOINTS.iter().any(|name| env::var(name).is_ok_and(|set| !set.is_empty()));
    if !is_set || is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
        return Ok(None);
    }
    let failed = |error: &dyn std::fmt::Display| ServeError::Export(error.to_string());
    let client = Client::new().map_err(|error| failed(&error))?;
    let exporter = SpanExporter::builder().with_http().with_http_client(client);
    let exporter = exporter.build().map_err(|error| failed(&error))?;
    let mut resource = Resource::builder();
    if !env::var("OTEL_SERVICE_NAME").is_ok_and(|name| !name.is_empty()) {
        resource = resource.with_service_name("tables");
    }
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
    let requests = Requests(provider.tracer("tables"));
    let is_request = |metadata: &Metadata<'_>| {
        metadata.is_span() && metadata.name() == "request" && metadata.target().starts_with("table_rest")
    };
    Ok(Some((Export(provider), requests.with_filter(filter_fn(is_request)))))
}

/// Exports each request at its end, as a child of the span of its caller.
struct Requests(SdkTracer);

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Requests {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut request = Request::new();
        attributes.record(&mut request);
        span.extensions_mut().insert(request);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(request) = span.extensions_mut().get_mut::<Request>() {
            values.record(request);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(request) = span.extensions_mut().remove::<Request>() else { return };
        request.export(&self.0);
    }
}

/// A request in progress.
struct Request {
    started: SystemTime,
    attributes: Vec<KeyValue>,
    trace: [Option<String>; 4],
    operation: String,
    table: Option<String>,
    status: u64,
}

/// Fields of the trace of the caller.
const TRACE: [&str; 4] = ["trace_id", "parent_id", "trace_flags", "trace_state"];

impl Request {
    fn new() -> Self {
        Self {
            started: SystemTime::now(),
            attributes: Vec::new(),
            trace: [const { None }; 4],
            operation: String::new(),
            table: None,
            status: 0,
        }
    }

    fn export(self, tracer: &SdkTracer) {
        // By the semantic conventions of databases.
        let name = match &self.table {
            Some(table) => format!("{} {table}", self.operation),
            None if self.operation.is_empty() => "request".to_owned(),
            None => self.operation.clone(),
        };
        let parent =
            self.caller().map_or_else(Parent::new, |caller| Parent::new().with_remote_span_context(caller));
        let span = tracer.span_builder(name).with_kind(SpanKind::Server).with_start_time(self.started);
        let mut span = span.with_attributes(self.attributes).start_with_context(tracer, &parent);
        if self.status >= 500 {
            span.set_status(Status::error(""));
        }
        span.end();
    }

    fn caller(&self) -> Option<SpanContext> {
        let [trace, parent, flags, state] = &self.trace;
        let (trace, parent) = (trace.as_deref()?, parent.as_deref()?);
        let flags = flags.as_deref().and_then(|flags| u8::from_str_radix(flags, 16).ok()).unwrap_or_default();
        let state = state.as_deref().and_then(|state| state.parse().ok()).unwrap_or_default();
        Some(SpanContext::new(
            TraceId::from_hex(trace).ok()?,
            SpanId::from_hex(parent).ok()?,
            TraceFlags::new(flags),
            true,
            state,
        ))
    }

    /// Adds a field. The names with dots are those of OpenTelemetry; the times of the stages get the prefix of ours.
    fn add(&mut self, field: &Field, value: Value) {
        let name = field.name();
        if let Some(part) = TRACE.iter().position(|part| *part == name).and_then(|at| self.trace.get_mut(at))
        {
            *part = Some(value.to_string());
        } else if name.ends_with("_micros") {
            self.attributes.push(KeyValue::new(format!("tables.{name}"), value));
        } else if name.contains('.') {
            if name == "db.operation.name" {
                self.operation = value.to_string();
            } else if name == "db.collection.name" {
                self.table = Some(value.to_string());
            }
            self.attributes.push(KeyValue::new(name, value));
        }
    }
}

impl Visit for Request {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "status" {
            self.status = value;
        }
        self.add(field, Value::I64(i64::try_from(value).unwrap_or(i64::MAX)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, Value::from(value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.add(field, Value::from(format!("{value:?}")));
    }
}
