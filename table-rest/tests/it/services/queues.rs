use table_rest::{ServiceKind, wire::queues::write_message};

use super::harness::{Answer, Ask, Site, bombs};

fn site() -> Site {
    Site::new(ServiceKind::Queue)
}

async fn put(site: &Site, target: &str, text: &str) -> Answer {
    site.send(Ask::new("POST", target).body(write_message(text))).await
}

/// Returns the value of an element in each message.
fn each(answer: &Answer, name: &str) -> Vec<String> {
    let list = answer.xml().named("QueueMessagesList").unwrap();
    list.children.iter().map(|message| message.required(name).unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_queue_lives_from_its_creation_to_its_deletion() {
    let site = site();
    let create = |value| Ask::new("PUT", "/photos").header("x-ms-meta-owner", value);
    let created = site.send(create("Jo")).await.is(201);
    assert_eq!(created.operation, "CreateQueue");
    site.send(create("Jo")).await.is(204);
    site.send(create("Al")).await.fails(409, "QueueAlreadyExists");

    for method in ["GET", "HEAD"] {
        let found = site.ask(method, "/photos?comp=metadata").await.is(200);
        assert_eq!(found.header("x-ms-approximate-messages-count"), "0");
        assert_eq!(found.header("x-ms-meta-owner"), "Jo");
    }
    let set = Ask::new("PUT", "/photos?comp=metadata").header("x-ms-meta-size", "small");
    site.send(set).await.is(204);
    put(&site, "/photos/messages", "one").await.is(201);
    let found = site.ask("GET", "/photos?comp=metadata").await.is(200);
    assert_eq!((found.header("x-ms-meta-owner"), found.header("x-ms-meta-size")), ("", "small"));
    assert_eq!(found.header("x-ms-approximate-messages-count"), "1");

    site.ask("DELETE", "/photos").await.is(204);
    site.ask("DELETE", "/photos").await.fails(404, "QueueNotFound");
    site.ask("GET", "/photos/messages").await.fails(404, "QueueNotFound");
}

#[tokio::test]
async fn queues_are_listed_page_by_page() {
    let site = site();
    for name in ["a-1", "a-2", "a-3", "b-1"] {
        site.send(Ask::new("PUT", &format!("/{name}")).header("x-ms-meta-k", name)).await.is(201);
    }
    let names = |answer: &Answer| {
        let queues = answer.xml().child("Queues").unwrap().children.clone();
        queues.iter().map(|queue| queue.required("Name").unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = site.ask("GET", "/?comp=list").await.is(200);
    assert_eq!(names(&all), ["a-1", "a-2", "a-3", "b-1"]);
    assert_eq!((all.header("content-type"), all.header("cache-control")), ("application/xml", "no-cache"));
    let endpoint = "http://127.0.0.1:10000/devstoreaccount1/";
    assert_eq!(all.xml().attribute("ServiceEndpoint"), Some(endpoint));
    assert!(!all.text().contains("Metadata") && all.text().contains("<NextMarker />"));

    let first = site.ask("GET", "/?comp=list&prefix=a&maxresults=2&include=metadata").await.is(200);
    assert_eq!(names(&first), ["a-1", "a-2"]);
    assert!(first.text().contains("<Metadata><k>a-2</k></Metadata>"));
    let marker = first.xml().required("NextMarker").unwrap().to_owned();
    let rest = site.ask("GET", &format!("/?comp=list&prefix=a&maxresults=2&marker={marker}")).await.is(200);
    assert_eq!(names(&rest), ["a-3"]);
    assert_eq!(rest.xml().text_of("NextMarker"), Some(""));
}

#[tokio::test]
async fn a_message_is_put_peeked_at_got_updated_and_deleted() {
    let site = site();
    site.ask("PUT", "/work").await.is(201);
    let sent = put(&site, "/work/messages?messagettl=-1", "a < b & \"c\"").await.is(201);
    assert_eq!(each(&sent, "ExpirationTime"), ["Fri, 31 Dec 9999 23:59:59 GMT"]);
    assert!(!sent.text().contains("MessageText"));

    let peeked = site.ask("GET", "/work/messages?peekonly=true&numofmessages=32").await.is(200);
    assert_eq!(
        (each(&peeked, "MessageText"), each(&peeked, "DequeueCount")),
        (vec!["a < b & \"c\"".to_owned()], vec!["0".to_owned()])
    );
    assert!(!peeked.text().contains("PopReceipt"));

    let got = site.ask("GET", "/work/messages?visibilitytimeout=60").await.is(200);
    assert_eq!((each(&got, "DequeueCount"), got.operation), (vec!["1".to_owned()], "GetMessages"));
    let none = site.ask("GET", "/work/messages").await.is(200);
    assert!(none.text().ends_with("<QueueMessagesList />"));

    let (id, receipt) = (each(&got, "MessageId").remove(0), each(&got, "PopReceipt").remove(0));
    let message = |receipt: &str| format!("/work/messages/{id}?popreceipt={}", receipt.replace('+', "%2B"));
    // The receipt of the put was valid only until the message was received.
    let stale = each(&sent, "PopReceipt").remove(0);
    site.ask("DELETE", &message(&stale)).await.fails(400, "PopReceiptMismatch");

    let update = Ask::new("PUT", &format!("{}&visibilitytimeout=0", message(&receipt)));
    let updated = site.send(update.body(write_message("half done"))).await.is(204);
    let next = updated.header("x-ms-popreceipt").to_owned();
    assert!(updated.header("x-ms-time-next-visible").ends_with(" GMT"));
    site.ask("DELETE", &message(&receipt)).await.fails(400, "PopReceiptMismatch");
    // Without a body, the message content is unchanged.
    let kept = site.ask("PUT", &format!("{}&visibilitytimeout=0", message(&next))).await.is(204);
    let peeked = site.ask("GET", "/work/messages?peekonly=true").await.is(200);
    assert_eq!(each(&peeked, "MessageText"), ["half done"]);
    site.ask("DELETE", &message(kept.header("x-ms-popreceipt"))).await.is(204);
    site.ask("DELETE", &message(kept.header("x-ms-popreceipt"))).await.fails(404, "MessageNotFound");
}

#[tokio::test]
async fn clearing_leaves_the_queue() {
    let site = site();
    site.ask("PUT", "/work").await.is(201);
    for text in ["1", "2", "3"] {
        put(&site, "/work/messages", text).await.is(201);
    }
    let got = site.ask("GET", "/work/messages?numofmessages=32").await.is(200);
    assert_eq!(each(&got, "MessageText").len(), 3);
    site.ask("DELETE", "/work/messages").await.is(204);
    put(&site, "/work/messages", "4").await.is(201);
    let got = site.ask("GET", "/work/messages?numofmessages=32").await.is(200);
    assert_eq!(each(&got, "MessageText"), ["4"]);
}

#[tokio::test]
async fn parameters_out_of_bounds_are_said_with_their_bounds() {
    let site = site();
    site.ask("PUT", "/work").await.is(201);
    for (method, target, name, bounds) in [
        ("GET", "/work/messages?numofmessages=33", "numofmessages", ("1", "32")),
        ("GET", "/work/messages?numofmessages=0", "numofmessages", ("1", "32")),
        ("GET", "/work/messages?peekonly=true&numofmessages=-1", "numofmessages", ("1", "32")),
        ("GET", "/work/messages?numofmessages=2&visibilitytimeout=0", "visibilitytimeout", ("1", "604800")),
        (
            "POST",
            "/work/messages?visibilitytimeout=604801&messagettl=-1",
            "visibilitytimeout",
            ("0", "604800"),
        ),
        ("GET", "/?comp=list&maxresults=0", "maxresults", ("1", "5000")),
    ] {
        let ask = Ask::new(method, target).body(write_message("x"));
        let refused = site.send(ask).await.fails(400, "OutOfRangeQueryParameterValue");
        let error = refused.xml().named("Error").unwrap();
        assert_eq!(error.text_of("QueryParameterName"), Some(name), "{target}");
        assert_eq!(
            (error.text_of("MinimumAllowed"), error.text_of("MaximumAllowed")),
            (Some(bounds.0), Some(bounds.1))
        );
    }
    assert_eq!(each(&site.ask("GET", "/work/messages").await, "MessageId"), [""; 0]);
}

#[tokio::test]
async fn what_is_no_operation_is_refused() {
    let site = site();
    site.ask("PUT", "/work").await.is(201);
    let id = "5974b586-0df3-4e2d-ad0c-18e3892bfca2";
    for (method, target, status, code) in [
        ("POST", "/?comp=list", 405, "UnsupportedHttpVerb"),
        ("GET", "/", 400, "MissingRequiredQueryParameter"),
        ("GET", "/?comp=lost", 400, "InvalidQueryParameterValue"),
        ("POST", "/work", 405, "UnsupportedHttpVerb"),
        ("GET", "/work", 400, "MissingRequiredQueryParameter"),
        ("GET", "/work?comp=lease", 400, "InvalidQueryParameterValue"),
        ("PUT", "/work/messages", 405, "UnsupportedHttpVerb"),
        ("GET", "/work/letters", 400, "InvalidUri"),
        ("GET", "/%ff", 400, "InvalidUri"),
        ("PATCH", &format!("/work/messages/{id}"), 405, "UnsupportedHttpVerb"),
        ("DELETE", &format!("/work/messages/{id}"), 400, "MissingRequiredQueryParameter"),
        ("PUT", &format!("/work/messages/{id}?visibilitytimeout=1"), 400, "MissingRequiredQueryParameter"),
        ("PUT", &format!("/work/messages/{id}?popreceipt=a"), 400, "MissingRequiredQueryParameter"),
        ("DELETE", "/work/messages/17?popreceipt=a", 404, "MessageNotFound"),
        ("DELETE", "/photos/messages/17?popreceipt=a", 404, "QueueNotFound"),
        ("PUT", "/photos/messages/17?popreceipt=a&visibilitytimeout=0", 404, "QueueNotFound"),
        ("PUT", "/a", 400, "OutOfRangeInput"),
        ("PUT", "/Work", 400, "InvalidResourceName"),
        ("PUT", "/..%2Fwork", 400, "InvalidResourceName"),
    ] {
        let refused = site.ask(method, target).await.fails(status, code);
        assert_eq!(refused.xml().named("Error").unwrap().text_of("Code"), Some(code));
        assert_eq!(refused.header("content-type"), "application/xml");
    }
    site.send(Ask::new("GET", "/work/messages").unsigned()).await.fails(401, "NoAuthenticationInformation");
}

#[tokio::test]
async fn a_body_that_is_no_message_puts_none() {
    let site = site();
    site.ask("PUT", "/work").await.is(201);
    for bomb in bombs() {
        let wrapped = bomb.replace("<a", "<QueueMessage").replace("</a", "</QueueMessage");
        for body in [bomb, wrapped] {
            let (status, code) = {
                let answer = site.send(Ask::new("POST", "/work/messages").body(&body)).await;
                (answer.status, answer.header("x-ms-error-code").to_owned())
            };
            assert!(matches!(
                (status, code.as_str()),
                (400, "InvalidXmlDocument") | (413, "RequestBodyTooLarge")
            ));
        }
    }
    site.ask("POST", "/work/messages").await.fails(400, "InvalidXmlDocument");
    let nothing = Ask::new("POST", "/work/messages").body("<QueueMessage />");
    site.send(nothing).await.fails(400, "MissingRequiredXmlNode");
    put(&site, "/work/messages", &"x".repeat(64 * 1024 + 1)).await.fails(413, "RequestBodyTooLarge");
    assert!(site.ask("GET", "/work/messages").await.text().ends_with("<QueueMessagesList />"));

    // The maximum number of characters, each of them escaped.
    put(&site, "/work/messages", &"&".repeat(64 * 1024)).await.is(201);
    let got = site.ask("GET", "/work/messages").await.is(200);
    assert_eq!(each(&got, "MessageText"), ["&".repeat(64 * 1024)]);
}
