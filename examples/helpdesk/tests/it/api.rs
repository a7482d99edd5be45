//! Requests to the service, on a store in memory.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use helpdesk::{api::router, tickets};
use serde_json::{Value, json};
use table_patterns::Tables;
use tower::ServiceExt;

/// Sends a request. Returns the status, the header `ETag` and the body.
async fn send(
    app: &Router,
    method: &str,
    path: &str,
    version: &str,
    body: Value,
) -> (StatusCode, String, Value) {
    let request =
        Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
    let request = if version.is_empty() { request } else { request.header(header::IF_MATCH, version) };
    let response = app.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let etag = headers.get(header::ETAG).map_or("", |etag| etag.to_str().unwrap());
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, etag.to_owned(), serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// Returns a service with a tenant.
async fn helpdesk() -> Router {
    let app = router(Tables::in_memory().unwrap());
    assert_eq!(send(&app, "PUT", "/contoso", "", Value::Null).await.0, 204);
    app
}

#[tokio::test]
async fn a_ticket_is_created_and_commented() {
    let app = helpdesk().await;
    let (status, _, ticket) =
        send(&app, "POST", "/contoso/tickets", "", json!({ "title": "No network" })).await;
    assert_eq!((status.as_u16(), &ticket["number"], &ticket["status"]), (201, &1.into(), &"open".into()));
    for number in 1..=2 {
        let comment = json!({ "author": "jo", "text": "Since today" });
        let (status, _, comment) = send(&app, "POST", "/contoso/tickets/1/comments", "", comment).await;
        assert_eq!((status.as_u16(), &comment["number"]), (201, &number.into()));
    }
    let (_, etag, shown) = send(&app, "GET", "/contoso/tickets/1", "", Value::Null).await;
    assert!(!etag.is_empty());
    assert_eq!((&shown["ticket"]["comments"], shown["comments"].as_array().unwrap().len()), (&2.into(), 2));
}

#[tokio::test]
async fn a_change_of_an_older_version_is_rejected() {
    let app = helpdesk().await;
    send(&app, "POST", "/contoso/tickets", "", json!({ "title": "No network" })).await;
    let (_, old, _) = send(&app, "GET", "/contoso/tickets/1", "", Value::Null).await;
    let closed = json!({ "status": "closed" });
    let (status, new, _) = send(&app, "PATCH", "/contoso/tickets/1", &old, closed.clone()).await;
    assert_eq!(status, 204);
    assert_eq!(send(&app, "PATCH", "/contoso/tickets/1", &old, closed.clone()).await.0, 412);
    assert_eq!(send(&app, "PATCH", "/contoso/tickets/1", &new, closed).await.0, 204);
}

#[tokio::test]
async fn pages_contain_each_open_ticket_once() {
    let app = helpdesk().await;
    for number in 1..=45 {
        send(&app, "POST", "/contoso/tickets", "", json!({ "title": format!("Ticket {number}") })).await;
    }
    send(&app, "PATCH", "/contoso/tickets/7", "", json!({ "status": "closed" })).await;
    let (mut path, mut numbers) = ("/contoso/tickets?status=open".to_owned(), Vec::new());
    loop {
        let (status, _, page) = send(&app, "GET", &path, "", Value::Null).await;
        assert_eq!(status, 200, "{page}");
        numbers.extend(page["tickets"].as_array().unwrap().iter().map(|one| one["number"].as_u64().unwrap()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/contoso/tickets?status=open&cursor={next}");
    }
    assert!(numbers.into_iter().eq((1..=45).filter(|number| *number != 7)));
}

#[tokio::test]
async fn errors_have_the_status_of_their_cause() {
    let app = helpdesk().await;
    let ticket = json!({ "title": "No network" });
    assert_eq!(send(&app, "POST", "/unknown/tickets", "", ticket).await.0, 404);
    assert_eq!(send(&app, "GET", "/contoso/tickets/9", "", Value::Null).await.0, 404);
    assert_eq!(send(&app, "PUT", "/a%2Fb", "", Value::Null).await.0, 400);
    assert_eq!(send(&app, "GET", "/contoso/tickets?status=open&cursor=x", "", Value::Null).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_comments_are_all_counted() {
    let tables = Tables::in_memory().unwrap();
    tickets::register(&tables, "contoso").await.unwrap();
    tickets::create(&tables, "contoso", "No network".to_owned()).await.unwrap();
    let mut racers = tokio::task::JoinSet::new();
    for racer in 0..8 {
        let tables = tables.clone();
        racers.spawn(async move {
            tickets::comment(&tables, "contoso", 1, format!("racer {racer}"), "Me too".to_owned()).await
        });
    }
    let written = racers.join_all().await.into_iter().flatten().count();
    let ticket = tickets::find(&tables, "contoso", 1).await.unwrap();
    let comments = tickets::comments(&tables, "contoso", 1).await.unwrap();
    assert_eq!((ticket.comments as usize, comments.len()), (written, written));
    assert!(written > 0);
}
