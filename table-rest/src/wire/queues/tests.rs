use std::time::Duration;

use http::HeaderMap;
use table_model::{
    ErrorCode, Metadata, Timestamp, Uuid,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueItem, QueueProperties, QueuesSegment, TimeToLive, UpdateMessage,
    },
};

use super::*;
use crate::wire::query_string::QueryString;

const ID: Uuid = Uuid::from_u128(0x5974_b586_0df3_4e2d_ad0c_18e3_892b_fca2);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn message() -> Message {
    Message {
        id: ID,
        inserted: at("2017-01-05T03:23:40Z"),
        expires: Some(at("2017-01-12T03:23:40Z")),
        pop_receipt: PopReceipt::new("AgAAAAMAAAAAAAAAXIJmHANn0gE="),
        next_visible: at("2017-01-05T03:24:10Z"),
        dequeue_count: 1,
        text: "a < b & \"c\"\r\n ".to_owned(),
    }
}

fn text(body: &[u8]) -> &str {
    let text = std::str::from_utf8(body).unwrap();
    text.strip_prefix("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>").unwrap()
}

#[test]
fn messages_that_were_got_are_written_as_the_service_does() {
    let body = write_got(&[message()]);
    assert_eq!(
        text(&body),
        "<QueueMessagesList><QueueMessage><MessageId>5974b586-0df3-4e2d-ad0c-18e3892bfca2</MessageId>\
         <InsertionTime>Thu, 05 Jan 2017 03:23:40 GMT</InsertionTime>\
         <ExpirationTime>Thu, 12 Jan 2017 03:23:40 GMT</ExpirationTime>\
         <PopReceipt>AgAAAAMAAAAAAAAAXIJmHANn0gE=</PopReceipt>\
         <TimeNextVisible>Thu, 05 Jan 2017 03:24:10 GMT</TimeNextVisible><DequeueCount>1</DequeueCount>\
         <MessageText>a &lt; b &amp; \"c\"&#xD;\n </MessageText></QueueMessage></QueueMessagesList>"
    );
    assert_eq!(read_got(&body).unwrap(), [message()]);
    assert_eq!(text(&write_got(&[])), "<QueueMessagesList />");
    assert_eq!(read_got(&write_got(&[])).unwrap(), []);
}

#[test]
fn answers_to_putting_and_peeking_lack_what_they_do_not_give() {
    let Message { id, inserted, expires, pop_receipt, next_visible, dequeue_count, text: said } = message();
    let put = MessagePut { id, inserted, expires: None, pop_receipt, next_visible };
    let body = write_put(&put);
    assert!(text(&body).contains("<ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>"));
    assert!(!text(&body).contains("DequeueCount"));
    assert_eq!(read_put(&body).unwrap(), put);

    let peeked = PeekedMessage { id, inserted, expires, dequeue_count, text: said };
    let body = write_peeked(std::slice::from_ref(&peeked));
    assert!(!text(&body).contains("PopReceipt") && !text(&body).contains("TimeNextVisible"));
    assert_eq!(read_peeked(&body).unwrap(), [peeked]);
}

#[test]
fn a_message_to_be_put_is_read_from_what_clients_send() {
    for said in ["", "x", " <&>\"'\r\n", "PG1lc3NhZ2UgLz4="] {
        assert_eq!(read_message(&write_message(said)).unwrap(), said);
    }
    assert_eq!(read_message(b"<QueueMessage><MessageText/></QueueMessage>").unwrap(), "");
    let code = |body: &[u8]| read_message(body).unwrap_err().code();
    assert_eq!(code(b"<QueueMessage />"), ErrorCode::MissingRequiredXmlNode);
    assert_eq!(code(b"<Message><MessageText>x</MessageText></Message>"), ErrorCode::InvalidXmlDocument);
    assert_eq!(code(b""), ErrorCode::InvalidXmlDocument);
}

#[test]
fn a_listing_says_what_it_was_asked_for() {
    let list = ListQueues::new().prefix("a&").marker("m").max_results(3).with_metadata();
    let name = |name: &str| name.parse().unwrap();
    let metadata = Metadata::new().with("k", "v").unwrap();
    let segment = QueuesSegment {
        queues: vec![
            QueueItem { name: name("one"), metadata: Some(metadata) },
            QueueItem { name: name("two"), metadata: Some(Metadata::new()) },
        ],
        next_marker: Some("two-b".to_owned()),
    };
    let body = write_queues("http://127.0.0.1:10001/devstoreaccount1/", &list, &segment);
    assert_eq!(
        text(&body),
        "<EnumerationResults ServiceEndpoint=\"http://127.0.0.1:10001/devstoreaccount1/\"><Prefix>a&amp;</Prefix>\
         <Marker>m</Marker><MaxResults>3</MaxResults><Queues><Queue><Name>one</Name><Metadata><k>v</k></Metadata>\
         </Queue><Queue><Name>two</Name><Metadata /></Queue></Queues><NextMarker>two-b</NextMarker>\
         </EnumerationResults>"
    );
    assert_eq!(read_queues(&body).unwrap(), segment);

    let none = QueuesSegment { queues: Vec::new(), next_marker: None };
    let body = write_queues("http://a/", &ListQueues::new(), &none);
    assert_eq!(
        text(&body),
        "<EnumerationResults ServiceEndpoint=\"http://a/\"><Queues /><NextMarker /></EnumerationResults>"
    );
    assert_eq!(read_queues(&body).unwrap(), none);
}

fn query(parameters: &Parameters) -> QueryString {
    let pairs: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    QueryString::parse(&pairs.join("&")).unwrap()
}

#[test]
fn parameters_are_read_as_they_were_written() {
    let list = ListQueues::new().prefix("a").marker("b").max_results(7).with_metadata();
    assert_eq!(read_list_parameters(&query(&list_parameters(&list))).unwrap(), list);

    let lives = [TimeToLive::Default, TimeToLive::Forever, TimeToLive::Of(Duration::from_secs(60))];
    for life in lives {
        let put = PutMessage::new("x").visibility(Duration::from_secs(5)).time_to_live(life);
        assert_eq!(read_put_parameters(&query(&put_parameters(&put)), "x".to_owned()).unwrap(), put);
    }
    let get = GetMessages::new().count(32).visibility(Duration::from_secs(60));
    assert_eq!(read_get_parameters(&query(&get_parameters(&get))).unwrap(), get);
    assert_eq!(read_peek_parameters(&query(&get_parameters(&get))).unwrap(), None);
    assert_eq!(read_peek_parameters(&query(&peek_parameters(3))).unwrap(), Some(3));

    let receipt = PopReceipt::new("AgAA");
    let update = UpdateMessage::new(Duration::from_secs(9));
    let sent = query(&update_parameters(&receipt, &update));
    assert_eq!(read_update_parameters(&sent, None).unwrap(), update);
    assert_eq!(read_receipt_parameters(&sent).unwrap(), receipt);
}

#[test]
fn parameters_that_say_nothing_stand_for_the_default_and_wrong_ones_are_refused() {
    let empty = query(&vec![("numofmessages", String::new()), ("visibilitytimeout", String::new())]);
    assert_eq!(read_get_parameters(&empty).unwrap(), GetMessages::new());
    let code = |text: &str| {
        let query = QueryString::parse(text).unwrap();
        let read = if text.contains("messagettl") {
            read_put_parameters(&query, String::new()).err()
        } else if text.contains("peekonly") {
            read_peek_parameters(&query).err()
        } else if text.contains("maxresults") || text.contains("include") {
            read_list_parameters(&query).err()
        } else {
            read_get_parameters(&query).err()
        };
        read.map(|error| error.code())
    };
    for text in [
        "numofmessages=0",
        "numofmessages=33",
        "numofmessages=-1",
        "visibilitytimeout=0",
        "visibilitytimeout=604801",
        "visibilitytimeout=-5",
        "messagettl=0",
        "messagettl=-2",
        "maxresults=0",
        "maxresults=-1",
        "peekonly=true&numofmessages=33",
    ] {
        assert_eq!(code(text), Some(ErrorCode::OutOfRangeQueryParameterValue), "{text}");
    }
    for text in [
        "numofmessages=x",
        "visibilitytimeout=1.5",
        "messagettl=",
        "maxresults=many",
        "peekonly=1",
        "include=metadata,names",
    ] {
        let expected = (text != "messagettl=").then_some(ErrorCode::InvalidQueryParameterValue);
        assert_eq!(code(text), expected, "{text}");
    }
    let none = QueryString::default();
    assert_eq!(read_receipt_parameters(&none).unwrap_err().code(), ErrorCode::MissingRequiredQueryParameter);
    let update = read_update_parameters(&none, None).unwrap_err();
    assert_eq!(update.code(), ErrorCode::MissingRequiredQueryParameter);
}

#[test]
fn headers_are_read_as_they_were_written() {
    let metadata = Metadata::new().with("k", "v").unwrap();
    let properties = QueueProperties { metadata, approximate_messages: 12 };
    let mut headers = HeaderMap::new();
    write_properties(&properties, &mut headers);
    assert_eq!(read_properties(&headers).unwrap(), properties);

    let updated =
        MessageUpdated { pop_receipt: PopReceipt::new("r=="), next_visible: at("2017-01-05T03:24:10Z") };
    let mut headers = HeaderMap::new();
    write_updated(&updated, &mut headers);
    assert_eq!(read_updated(&headers).unwrap(), updated);
    assert!(read_properties(&headers).is_err() && read_updated(&HeaderMap::new()).is_err());
}
