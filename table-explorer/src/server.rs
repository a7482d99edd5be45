//! Connections and requests.

mod connections;
mod received;

use std::{
    convert::Infallible,
    fmt::Write as _,
    future::Future,
    io,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http_body_util::BodyExt;
use hyper::{Method, Request, StatusCode, body::Incoming, header, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use table_model::Timestamp;
use tokio::{net::TcpListener, sync::watch, time};

use crate::{
    Place,
    access::{Gate, Refused, Session},
    advice::Advice,
    asset,
    design::Design,
    edit::Edits,
    params::Params,
    problem::Problem,
    reply::{Reply, page, redirect},
    route::Route,
    view::{self, Context, PendingImport},
};
use connections::Connections;
use received::Limits;

/// Maximum length of an address. That of an entity with the longest keys, in escapes, is shorter.
const MOST_ADDRESS: usize = 32 << 10;
/// Time for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Time for open requests when the explorer stops.
const END_TIME: Duration = Duration::from_secs(5);

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) places: Vec<Place>,
    /// The design of the stored entities.
    pub(crate) design: Option<Design>,
    pub(crate) advice: Advice,
    pub(crate) is_writable: bool,
    /// Rows that a design maintains can be changed.
    pub(crate) is_raw: bool,
    pub(crate) session: Session,
    pub(crate) edits: Edits,
    /// Time since which a service does not respond.
    pub(crate) silent_since: Mutex<Option<Timestamp>>,
    /// The file that is imported next.
    pub(crate) pending_import: Mutex<Option<PendingImport>>,
}

impl Shared {
    /// Returns what each form contains, if the explorer allows changes.
    pub(crate) fn form_token(&self) -> Option<&str> {
        self.is_writable.then(|| self.session.form_token())
    }
}

/// Serves until `end` completes.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>, end: impl Future<Output = ()>) {
    let (stop, stopped) = watch::channel(false);
    tokio::select! {
        () = accept(listener, shared, stopped) => {}
        () = end => {}
    }
    stop.send_replace(true);
    // Each connection has a receiver.
    let _ = time::timeout(END_TIME, stop.closed()).await;
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, stopped: watch::Receiver<bool>) {
    let connections = Arc::<Connections>::default();
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let place = Arc::new(connections.place().await);
        let (shared, busy, mut stopped) = (Arc::clone(&shared), Arc::clone(&place), stopped.clone());
        let service = service_fn(move |request| {
            let (shared, in_progress) = (Arc::clone(&shared), busy.start());
            async move {
                let reply = answer(&shared, request).await;
                // The body is dropped when it is sent.
                let until_sent = move |error: io::Error| {
                    let _held = &in_progress;
                    error
                };
                Ok::<_, Infallible>(reply.map(|body| body.map_err(until_sent).boxed_unsync()))
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
        tokio::spawn(async move {
            let mut connection = pin!(http.serve_connection(TokioIo::new(socket), service));
            let ended = tokio::select! {
                ended = &mut connection => ended,
                _ = stopped.changed() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
                () = place.taken() => {
                    if !place.is_busy() {
                        return;
                    }
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "the connection ended");
            }
        });
    }
}

/// Answers a request. Nothing is read before all checks have passed.
async fn answer(shared: &Shared, request: Request<Incoming>) -> Reply {
    let (head, body) = request.into_parts();
    // As the address of a link, this would be another host.
    if head.uri.path().starts_with("//") || head.uri.path().contains('\\') {
        return view::error(&Problem::missing("This page does not exist"));
    }
    let gate = Gate(&shared.session);
    if let Err(refused) = gate.check_origin(&head.method, &head.uri, &head.headers) {
        return refusal(refused, &head.uri);
    }
    let path = head.uri.path();
    if head.uri.path_and_query().is_some_and(|address| address.as_str().len() > MOST_ADDRESS) {
        let known = if path.len() > MOST_ADDRESS { "/" } else { path };
        return closing(page(StatusCode::URI_TOO_LONG, view::too_long(known)));
    }
    if let Some(asset) = asset::find(path) {
        return asset;
    }
    if let Some(style) = shared.advice.style().filter(|style| style.path() == path) {
        return style.reply();
    }
    let query = Params::parse(head.uri.query().unwrap_or_default());
    if let Some(token) = query.get("token") {
        return start(shared, token, path, &query);
    }
    if let Err(refused) = gate.check_session(&head.headers) {
        return refusal(refused, &head.uri);
    }
    let (form, file, route) = match head.method {
        Method::GET => (None, None, Route::of_get(path)),
        Method::POST => {
            let route = Route::of_post(path);
            let limits = if route.has_file() { Limits::FILE } else { Limits::FORM };
            if !shared.is_writable && !route.changes_nothing() {
                return closing(view::error(&Problem::read_only()));
            }
            let session = &shared.session;
            let (form, file) =
                match received::form(&head.headers, body, limits, |token| session.is_form_token(token)).await
                {
                    Ok(Some(received)) => received,
                    Ok(None) => return closing(refusal(Refused::ForeignOrigin, &head.uri)),
                    Err(problem) => return closing(view::error(&problem)),
                };
            (Some(form), file, route)
        }
        _ => {
            let mut reply = view::error(&Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "Method not allowed",
                "The explorer has pages (GET) and forms (POST).",
            ));
            reply.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("GET, POST"));
            return reply;
        }
    };
    let is_fragment = query.get("part").is_some();
    let context = match Context::new(shared, query, form, route.account()) {
        Ok(context) => Context { file, ..context },
        Err(problem) => return view::error(&problem),
    };
    if !route.changes_nothing()
        && let Some(question) = view::edit::confirm(&context, path).await
    {
        return question;
    }
    let viewed = route.view(&context).await;
    match viewed.map_err(|problem| dated(shared, problem, head.method == Method::GET)) {
        Ok(reply) => {
            *shared.silent_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
            reply
        }
        Err(problem) if is_fragment => page(problem.status, view::problem(&problem)),
        Err(problem) => context.error(&problem).await,
    }
}

/// Adds since when a service does not respond. Only a page is requested again, a form is not.
fn dated(shared: &Shared, mut problem: Problem, is_page: bool) -> Problem {
    if problem.is_temporary {
        let mut since = shared.silent_since.lock().unwrap_or_else(PoisonError::into_inner);
        let since = since.get_or_insert_with(Timestamp::now);
        let _ = write!(problem.detail, "\nWithout a response since {since}.");
    }
    Problem { is_temporary: problem.is_temporary && is_page, ..problem }
}

/// Closes the connection after a reply to a request that was not received completely.
fn closing(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    reply
}

/// Exchanges the start token for a session, and removes it from the address.
fn start(shared: &Shared, token: &str, path: &str, query: &Params) -> Reply {
    let Some(cookie) = shared.session.start(token) else {
        return view::error(&Problem::new(
            StatusCode::FORBIDDEN,
            "This link has been used or is too old",
            "A start link is valid once, for five minutes. \"Another browser\", in a browser that has a session, \
             makes a new link. Without one, stop the explorer and start it again.",
        ));
    };
    let mut reply = redirect(&format!("{path}{}", query.with("token", None).to_query()));
    if let Ok(cookie) = header::HeaderValue::from_str(&cookie) {
        reply.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    reply
}

fn refusal(refused: Refused, uri: &hyper::Uri) -> Reply {
    let (title, detail) = match refused {
        Refused::ForeignLink => {
            let to = uri.path_and_query().map_or("/", |path| path.as_str());
            return page(refused.status(), view::foreign_link(to));
        }
        Refused::Ambiguous => ("Invalid request", "A header of the request occurs twice."),
        Refused::ForeignHost => {
            ("Unknown host", "Open the explorer by the address that it printed: 127.0.0.1 with its port.")
        }
        Refused::ForeignOrigin => ("Request of another page", "Open the explorer in a tab of its own."),
        Refused::NoSession => (
            "No session",
            "Open the link with the token that the explorer printed. If it has been used in another browser, make a new \
             link there: \"Another browser\".",
        ),
    };
    view::error(&Problem::new(refused.status(), title, detail))
}
