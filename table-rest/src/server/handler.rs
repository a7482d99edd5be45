use std::time::{Duration, Instant};

use http::{Request, Response, StatusCode, header};
use hyper::body::Incoming;
use table_model::ErrorCode;
use tokio::time::timeout;
use tracing::Instrument;

use super::{
    Accounts, Call, Facts, Limits, Recorder, Refusal, Reply, ReplyBody, ServedAccount, SlowLog, SlowRequests,
    answer::{self, Body},
    connection::Peer,
    connections::Place,
    dispatch,
    hosts::Hosts,
    observe::Observer,
    refused,
    request_body::Arriving,
    route::{Ids, Unrouted, route},
    share::Share,
};
use crate::ServiceKind;

/// Maximum server timeout of an operation in seconds.
const MOST_SECONDS: u64 = 30;

/// The state that all connections of a server share.
#[derive(Debug)]
pub(super) struct Handler {
    accounts: Accounts,
    pub(super) limits: Limits,
    hosts: Hosts,
    ids: Ids,
    path_style: bool,
    observer: Observer,
}

impl Handler {
    /// Creates the state. With `metrics`, the requests are counted.
    pub(super) fn new(
        accounts: Vec<ServedAccount>,
        limits: Limits,
        hosts: Hosts,
        metrics: bool,
        slow: SlowLog,
    ) -> Self {
        let observer = {
            let names = accounts.iter().map(|account| account.name.as_str());
            Observer::new(metrics.then_some(names), slow)
        };
        let limits = Limits { head_bytes: limits.head_bytes.max(8192), ..limits };
        let shares = Share::of_accounts(&limits, accounts.len());
        let accounts = accounts.into_iter().zip(shares).map(|(account, share)| account.sharing(share));
        Self { accounts: accounts.collect(), limits, hosts, ids: Ids::new(), path_style: false, observer }
    }

    /// Returns the observer of the requests.
    pub(super) const fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Keeps the last slow requests.
    pub(super) fn keep_slow(mut self, requests: Option<SlowRequests>) -> Self {
        self.observer.keep_slow(requests);
        self
    }

    /// Records the requests for entities.
    pub(super) fn record(mut self, recorder: Option<Recorder>) -> Self {
        self.observer.record(recorder);
        self
    }

    /// Sets whether the account is always in the path.
    pub(super) fn path_style(mut self, path_style: bool) -> Self {
        self.path_style = path_style;
        self
    }

    /// Responds to one request. Every request gets a response.
    pub(super) async fn answer(
        &self,
        peer: Peer,
        place: &Place,
        request: Request<Incoming>,
    ) -> Response<Body> {
        let started = Instant::now();
        let (head, incoming) = request.into_parts();
        let waits = head.headers.contains_key(header::EXPECT);
        let arriving = Arriving::new(incoming);
        let (mut call, routed) = route(peer, head, &self.ids, self.path_style);
        let routed = routed.and_then(|()| self.hosts.admit(&call).map_err(Unrouted::Refused));
        let span = self.observer.begin(&mut call);
        let (reply, framed) = match routed {
            Ok(()) => (self.serve(&call, &arriving).instrument(span.clone()).await, true),
            Err(Unrouted::Refused(refusal)) => (refused(&call, &refusal), true),
            Err(Unrouted::Bare) => (Reply::new(StatusCode::BAD_REQUEST), false),
        };
        if reply.authenticated {
            place.authenticated();
        }
        let goes_on = framed && arriving.discard(waits, self.limits.unwanted_bytes).await;
        self.observer.end(&span, &call, &reply, started.elapsed());
        let subject = matches!(reply.body, ReplyBody::Stream(..))
            .then(|| Box::new(self.observer.subject(&call, reply.facts.operation)));
        answer::response(&call, reply, subject, goes_on)
    }

    /// Calls the service, within the timeout of the client.
    async fn serve(&self, call: &Call, arriving: &Arriving) -> Reply {
        let answer = dispatch(&self.accounts, call, arriving.body());
        match granted(call) {
            Ok(None) => answer.await,
            Ok(Some(time)) => timeout(time, answer).await.unwrap_or_else(|_| {
                let cause = format!("the timeout of {} s in the request has expired", time.as_secs());
                let refusal = Refusal::from(ErrorCode::OperationTimedOut).because(cause);
                refused(call, &refusal).facts(Facts::of(call.probe.operation()))
            }),
            Err(refusal) => refused(call, &refusal),
        }
    }
}

/// Returns the `timeout` parameter, in seconds. It is ignored for blob content.
fn granted(call: &Call) -> Result<Option<Duration>, Refusal> {
    let Some(text) = call.query.said("timeout") else { return Ok(None) };
    match text.parse::<u64>() {
        Ok(1..) if call.kind == ServiceKind::Blob => Ok(None),
        Ok(seconds @ 1..) => Ok(Some(Duration::from_secs(seconds.min(MOST_SECONDS)))),
        _ => {
            let refusal = Refusal::from(ErrorCode::InvalidQueryParameterValue);
            let refusal = refusal.with("QueryParameterName", "timeout");
            Err(refusal.with("QueryParameterValue", text))
        }
    }
}
