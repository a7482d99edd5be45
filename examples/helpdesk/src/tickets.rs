//! The operations of the helpdesk.

use table_patterns::{Cursor, WriteResult, prelude::*};

use crate::design::{Comment, Counter, Status, Ticket};

/// Number of tickets on a page.
const PAGE: u32 = 20;
/// Maximum number of attempts to add a comment, while other comments are added.
const ATTEMPTS: u32 = 10;

/// Registers a tenant. Does nothing if it is registered.
///
/// # Errors
/// Returns [`Error::Key`] if the name cannot be in a key, and [`Error::Service`] if a request fails.
pub async fn register(tables: &Tables, tenant: &str) -> Result<()> {
    match tables.insert(&Counter { tenant: tenant.to_owned(), last: 0 }).await {
        Err(error) if error.code() == Some(ErrorCode::EntityAlreadyExists) => Ok(()),
        done => done.map(drop),
    }
}

/// Creates a ticket with the next number of the tenant.
///
/// # Errors
/// Returns an error with the status 404 if the tenant is not registered.
pub async fn create(tables: &Tables, tenant: &str, title: String) -> Result<Ticket> {
    // Concurrent requests receive different numbers. A number is lost if the program ends between the two writes.
    let counter = tables.update(Counter::point(tenant), |counter| counter.last += 1).await?;
    let ticket = Ticket::new(tenant, counter.last, title);
    tables.insert(&ticket).await?;
    Ok(ticket)
}

/// Returns a ticket.
///
/// # Errors
/// Returns [`Error::NotFound`] if it does not exist.
pub async fn find(tables: &Tables, tenant: &str, number: u32) -> Result<Stored<Ticket>> {
    Ticket::point(tenant, number).require(tables).await
}

/// Returns a page of the tenant's tickets with this status, and the cursor of the next page.
///
/// # Errors
/// Returns [`Error::Cursor`] if the cursor is not one of this query.
pub async fn list(
    tables: &Tables,
    tenant: &str,
    status: Status,
    cursor: Option<&str>,
) -> Result<(Vec<Ticket>, Option<String>)> {
    let mut query = Ticket::by_status_rows(tenant).at(status).page_size(PAGE);
    if let Some(cursor) = cursor {
        query = query.resume(cursor.parse::<Cursor>()?);
    }
    let page = query.page(tables).await?;
    let tickets = page.items.iter().map(|ticket| Ticket::clone(ticket)).collect();
    Ok((tickets, page.cursor.map(|cursor| cursor.to_string())))
}

/// Changes the status of a ticket, unless it was changed since it was read.
///
/// # Errors
/// Returns an error with the status 412 if it was changed.
pub async fn set_status(tables: &Tables, mut ticket: Stored<Ticket>, status: Status) -> Result<WriteResult> {
    ticket.status = status;
    tables.replace(&ticket).await
}

/// Adds a comment and counts it, in one transaction.
///
/// # Errors
/// Returns [`Error::NotFound`] if the ticket does not exist.
pub async fn comment(
    tables: &Tables,
    tenant: &str,
    ticket: u32,
    author: String,
    text: String,
) -> Result<Comment> {
    let mut comment = Comment { tenant: tenant.to_owned(), ticket, number: 0, author, text };
    let mut attempts = 0;
    loop {
        let ticket = find(tables, tenant, ticket).await?;
        comment.number = ticket.comments + 1;
        attempts += 1;
        let count = ticket.patch().comments(comment.number);
        match tables.transact().insert(&comment).merge(count).commit().await {
            // A concurrent request has added a comment: nothing was written.
            Err(error) if error.is_conflict() && attempts < ATTEMPTS => {}
            done => return done.map(|_| comment),
        }
    }
}

/// Returns the comments on a ticket.
///
/// # Errors
/// Returns [`Error::Service`] if a request fails.
pub async fn comments(tables: &Tables, tenant: &str, ticket: u32) -> Result<Vec<Comment>> {
    let comments = Comment::rows(tenant).at(ticket).all(tables).await?;
    Ok(comments.into_iter().map(Stored::into_inner).collect())
}
