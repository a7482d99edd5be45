use std::sync::Arc;

use azure_core::{
    error::{Error, ErrorKind},
    http::{
        Context, Request,
        policies::{Policy, PolicyResult},
    },
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use table_model::Timestamp;

use crate::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    wire::{http_date::HttpDate, query_string::QueryString},
};

/// A policy that dates and signs each request with an account key immediately before it is sent. The clients of this
/// crate use it. It also works with the official clients for queues and blobs, which have no such policy:
///
/// ```
/// use std::sync::Arc;
/// use azure_core::http::ClientOptions;
/// use table_rest::{AccountName, ServiceKind, auth::AccountKey, client::SharedKeyPolicy};
///
/// let policy = SharedKeyPolicy::new(ServiceKind::Queue, AccountName::emulator(), AccountKey::emulator());
/// let options = ClientOptions { per_try_policies: vec![Arc::new(policy)], ..ClientOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct SharedKeyPolicy {
    kind: ServiceKind,
    account: AccountName,
    key: AccountKey,
}

impl SharedKeyPolicy {
    /// Creates a policy for requests to one service of an account.
    #[must_use]
    pub const fn new(kind: ServiceKind, account: AccountName, key: AccountKey) -> Self {
        Self { kind, account, key }
    }

    fn sign(&self, request: &mut Request, now: Timestamp) -> Result<(), Error> {
        request.insert_header("x-ms-date", HttpDate(now).to_string());
        let mut headers = HeaderMap::new();
        for (name, value) in request.headers().iter() {
            let name: HeaderName = name.as_str().parse().map_err(|_| unsendable())?;
            headers.insert(name, HeaderValue::from_str(value.as_str()).map_err(|_| unsendable())?);
        }
        if let Some(length) = request.body().len() {
            headers.insert("content-length", HeaderValue::from(length));
        }
        let method: Method = request.method().as_ref().parse().map_err(|_| unsendable())?;
        let query =
            QueryString::parse(request.url().query().unwrap_or_default()).map_err(|_| unsendable())?;
        let signed = SignedRequest {
            kind: self.kind,
            account: &self.account,
            method: &method,
            path: request.url().path(),
            query: &query,
            headers: &headers,
        };
        let authorization = signed.authorization(Scheme::SharedKey, &self.key);
        request.insert_header("authorization", authorization);
        Ok(())
    }
}

fn unsendable() -> Error {
    Error::with_message(ErrorKind::Other, "the request contains an invalid HTTP header")
}

#[expect(elided_lifetimes_in_paths, reason = "required by the trait")]
#[async_trait::async_trait]
impl Policy for SharedKeyPolicy {
    async fn send(&self, context: &Context, request: &mut Request, next: &[Arc<dyn Policy>]) -> PolicyResult {
        self.sign(request, Timestamp::now())?;
        match next.split_first() {
            Some((first, rest)) => first.send(context, request, rest).await,
            None => Err(Error::with_message(ErrorKind::Other, "no transport policy in the pipeline")),
        }
    }
}

#[cfg(test)]
mod tests {
    use azure_core::http::headers::HeaderName;

    use super::*;

    fn signed(
        kind: ServiceKind,
        method: azure_core::http::Method,
        url: &str,
        headers: &[(&'static str, &'static str)],
        body: &'static str,
    ) -> String {
        let mut request = Request::new(url.parse().unwrap(), method);
        for (name, value) in headers {
            request.insert_header(*name, *value);
        }
        request.set_body(body);
        let policy = SharedKeyPolicy::new(kind, AccountName::emulator(), AccountKey::emulator());
        policy.sign(&mut request, "2024-03-01T00:00:00Z".parse().unwrap()).unwrap();
        request.headers().get_optional_string(&HeaderName::from_static("authorization")).unwrap()
    }

    #[test]
    fn known_requests_are_signed_as_known() {
        use azure_core::http::Method;

        assert_eq!(
            signed(
                ServiceKind::Table,
                Method::Get,
                "http://127.0.0.1:10002/devstoreaccount1/people(PartitionKey=%27a%27%27b%27,RowKey=%27r%201%27)?timeout=30",
                &[],
                ""
            ),
            "SharedKey devstoreaccount1:qHicdC1Tv56VTzgEDrUTgeBl4nwV1fl09fVuGFrEFUo="
        );
        assert_eq!(
            signed(
                ServiceKind::Blob,
                Method::Put,
                "http://127.0.0.1:10000/devstoreaccount1/c/b.txt",
                &[
                    ("x-ms-blob-type", "BlockBlob"),
                    ("x-ms-version", "2021-12-02"),
                    ("content-type", "text/plain")
                ],
                "hello"
            ),
            "SharedKey devstoreaccount1:ZZuDGEDnOY/PV8mv3xpp724v6pcZD4b45w0UofuhitA="
        );
        assert_eq!(
            signed(
                ServiceKind::Queue,
                Method::Get,
                "http://127.0.0.1:10001/devstoreaccount1?comp=list",
                &[("x-ms-version", "2021-12-02")],
                ""
            ),
            "SharedKey devstoreaccount1:o+/M285F2OiLvq55zxwGgrNFnApWasZrXXpk78gESck="
        );
    }
}
