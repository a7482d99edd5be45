//! Results of entity operations, alone or as part of a batch: the same values in different headers.

use http::{HeaderName, HeaderValue, StatusCode, header};
use table_model::{ETag, TableError, Timestamp, Uuid};

use super::negotiated::Preference;
use crate::{
    server::Reply,
    wire::{batch::PartReply, level::Level, odata_error, value::push_etag},
};

pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
pub(super) const DATA_SERVICE_ID: HeaderName = HeaderName::from_static("dataserviceid");

/// The result of a successful operation.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    /// The version that was written or read.
    pub(super) etag: Option<ETag>,
    /// The address of an inserted entity.
    pub(super) location: Option<String>,
    /// The preference of the client, if it was applied.
    pub(super) preference: Option<Preference>,
    pub(super) content: Option<(Level, String)>,
}

impl Answer {
    /// Creates a result without content.
    pub(super) const fn done(etag: Option<ETag>) -> Self {
        Self { status: StatusCode::NO_CONTENT, etag, location: None, preference: None, content: None }
    }

    pub(super) fn into_reply(self) -> Reply {
        let mut reply = reply(self.status);
        if let Some(etag) = &self.etag {
            reply = reply.text(header::ETAG, &etag_text(etag));
        }
        if let Some(preference) = self.preference {
            reply = reply.header(PREFERENCE_APPLIED, preference.as_str());
        }
        if let Some(location) = &self.location {
            reply = reply.text(header::LOCATION, location);
            if self.content.is_none() {
                reply = reply.text(DATA_SERVICE_ID, location);
            }
        }
        match self.content {
            Some((level, content)) => json(reply, level, content),
            None => reply,
        }
    }

    /// Returns a batch part with headers in the order of the service.
    pub(super) fn into_part(self, content_id: Option<&str>) -> PartReply {
        let mut headers = Vec::with_capacity(8);
        let version = if self.content.is_some() || self.location.is_some() { "3.0;" } else { "1.0;" };
        if let Some((level, _)) = &self.content {
            headers.push(("DataServiceVersion", version.to_owned()));
            headers.push(("Content-Type", level.content_type().to_owned()));
        }
        headers.push(("X-Content-Type-Options", "nosniff".to_owned()));
        headers.push(("Cache-Control", "no-cache".to_owned()));
        if let Some(preference) = self.preference {
            headers.push(("Preference-Applied", preference.as_str().to_owned()));
        }
        if self.content.is_none() {
            headers.push(("DataServiceVersion", version.to_owned()));
        }
        if let Some(location) = self.location {
            headers.push(("Location", location.clone()));
            if self.content.is_none() {
                headers.push(("DataServiceId", location));
            }
        }
        if let Some(etag) = &self.etag {
            headers.push(("ETag", etag_text(etag)));
        }
        let body = self.content.map(|(_, content)| content).unwrap_or_default();
        PartReply { status: self.status.as_u16(), content_id: content_id.map(str::to_owned), headers, body }
    }
}

/// Creates a reply with the headers of all table responses.
pub(super) fn reply(status: StatusCode) -> Reply {
    Reply::new(status)
        .value(header::CACHE_CONTROL, const { HeaderValue::from_static("no-cache") })
        .value(header::X_CONTENT_TYPE_OPTIONS, const { HeaderValue::from_static("nosniff") })
}

/// Adds a JSON body.
pub(super) fn json(reply: Reply, level: Level, content: String) -> Reply {
    let content_type = match level {
        Level::None => const { HeaderValue::from_static(Level::None.content_type()) },
        Level::Minimal => const { HeaderValue::from_static(Level::Minimal.content_type()) },
        Level::Full => const { HeaderValue::from_static(Level::Full.content_type()) },
    };
    reply.value(header::CONTENT_TYPE, content_type).body(content)
}

/// Returns the batch part of a rejected operation.
pub(super) fn refused_part(
    error: &TableError,
    content_id: Option<&str>,
    preference: Option<Preference>,
    level: Level,
    (request, time): (Uuid, Timestamp),
) -> PartReply {
    let mut headers =
        vec![("X-Content-Type-Options", "nosniff".to_owned()), ("Cache-Control", "no-cache".to_owned())];
    headers.extend(preference.map(|preference| ("Preference-Applied", preference.as_str().to_owned())));
    headers.push(("DataServiceVersion", "3.0;".to_owned()));
    headers.push(("Content-Type", level.content_type().to_owned()));
    PartReply {
        status: error.status(),
        content_id: content_id.map(str::to_owned),
        headers,
        body: odata_error::write(error, request, time),
    }
}

fn etag_text(etag: &ETag) -> String {
    let mut text = String::with_capacity(48);
    push_etag(&mut text, etag, "\"");
    text
}
