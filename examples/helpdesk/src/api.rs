//! The HTTP interface. Authentication is not part of it: the caller is trusted with all tenants.

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use serde::{Deserialize, Serialize};
use table_patterns::{Error, Tables};

use crate::{
    design::{Comment, Status, Ticket},
    tickets,
};

/// Returns the service.
pub fn router(tables: Tables) -> Router {
    Router::new()
        .route("/{tenant}", put(register))
        .route("/{tenant}/tickets", get(list).post(create))
        .route("/{tenant}/tickets/{number}", get(show).patch(change))
        .route("/{tenant}/tickets/{number}/comments", post(comment))
        .with_state(tables)
}

/// The body of a new ticket.
#[derive(Deserialize)]
struct NewTicket {
    title: String,
}

/// The body of a change.
#[derive(Deserialize)]
struct Change {
    status: Status,
}

/// The body of a new comment.
#[derive(Deserialize)]
struct NewComment {
    author: String,
    text: String,
}

/// The parameters of a list.
#[derive(Deserialize)]
struct Listed {
    status: Status,
    cursor: Option<String>,
}

/// A page of tickets.
#[derive(Serialize)]
struct Page {
    tickets: Vec<Ticket>,
    /// The parameter `cursor` of the next page.
    next: Option<String>,
}

/// A ticket with its comments.
#[derive(Serialize)]
struct Shown {
    ticket: Ticket,
    comments: Vec<Comment>,
}

async fn register(State(tables): State<Tables>, Path(tenant): Path<String>) -> Result<StatusCode, Failure> {
    tickets::register(&tables, &tenant).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn create(
    State(tables): State<Tables>,
    Path(tenant): Path<String>,
    Json(NewTicket { title }): Json<NewTicket>,
) -> Result<(StatusCode, Json<Ticket>), Failure> {
    let ticket = tickets::create(&tables, &tenant, title).await?;
    Ok((StatusCode::CREATED, Json(ticket)))
}

async fn list(
    State(tables): State<Tables>,
    Path(tenant): Path<String>,
    Query(Listed { status, cursor }): Query<Listed>,
) -> Result<Json<Page>, Failure> {
    let (tickets, next) = tickets::list(&tables, &tenant, status, cursor.as_deref()).await?;
    Ok(Json(Page { tickets, next }))
}

async fn show(
    State(tables): State<Tables>,
    Path((tenant, number)): Path<(String, u32)>,
) -> Result<([(HeaderName, String); 1], Json<Shown>), Failure> {
    let ticket = tickets::find(&tables, &tenant, number).await?;
    let comments = tickets::comments(&tables, &tenant, number).await?;
    let version = [(header::ETAG, ticket.etag().to_string())];
    Ok((version, Json(Shown { ticket: ticket.into_inner(), comments })))
}

async fn change(
    State(tables): State<Tables>,
    Path((tenant, number)): Path<(String, u32)>,
    headers: HeaderMap,
    Json(Change { status }): Json<Change>,
) -> Result<([(HeaderName, String); 1], StatusCode), Failure> {
    let ticket = tickets::find(&tables, &tenant, number).await?;
    let read = ticket.etag().to_string();
    if headers.get(header::IF_MATCH).is_some_and(|wanted| wanted.as_bytes() != read.as_bytes()) {
        return Err(Failure::Changed);
    }
    let written = tickets::set_status(&tables, ticket, status).await?;
    Ok(([(header::ETAG, written.etag.to_string())], StatusCode::NO_CONTENT))
}

async fn comment(
    State(tables): State<Tables>,
    Path((tenant, number)): Path<(String, u32)>,
    Json(NewComment { author, text }): Json<NewComment>,
) -> Result<(StatusCode, Json<Comment>), Failure> {
    let comment = tickets::comment(&tables, &tenant, number, author, text).await?;
    Ok((StatusCode::CREATED, Json(comment)))
}

/// The cause of a failed request.
enum Failure {
    /// An error of the tables.
    Tables(Error),
    /// The ticket is not in the version of `If-Match`.
    Changed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Tables(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Tables(error) => error.http_status(),
            Self::Changed => 412,
        };
        let message = match &self {
            // They name the value of the client. Others may contain names of tables, and belong into the log.
            Self::Tables(error) if matches!(error.root(), Error::Key(_) | Error::Cursor(_)) => {
                error.root().to_string()
            }
            Self::Tables(error) if status >= 500 => {
                eprintln!("{error}");
                "try again later".to_owned()
            }
            _ => match status {
                404 => "not found",
                412 => "changed since it was read",
                _ => "rejected",
            }
            .to_owned(),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(Message { error: message })).into_response()
    }
}

/// The body of a failure.
#[derive(Serialize)]
struct Message {
    error: String,
}
