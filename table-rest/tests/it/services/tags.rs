use table_rest::auth::sas::Sas;

use super::{
    blobs::{put, signed, site},
    copies::{from, url},
    harness::{Answer, Ask, Site},
};

const DOCUMENT: &str = "<Tags><TagSet><Tag><Key>Status</Key><Value>Done</Value></Tag><Tag><Key>a b</Key><Value /></Tag>\
                        </TagSet></Tags>";

fn set(target: &str, body: &str) -> Ask {
    Ask::new("PUT", &format!("{target}?comp=tags")).body(body)
}

/// Returns the tags of a blob as pairs, from a document or an element of a listing.
fn pairs(element: &table_rest::wire::xml::Element) -> Vec<String> {
    let tags = &element.child("TagSet").unwrap().children;
    tags.iter()
        .map(|tag| format!("{}={}", tag.required("Key").unwrap(), tag.required("Value").unwrap()))
        .collect()
}

async fn tags(site: &Site, target: &str) -> Vec<String> {
    let sign = if target.contains('?') { '&' } else { '?' };
    pairs(&site.ask("GET", &format!("{target}{sign}comp=tags")).await.is(200).xml().named("Tags").unwrap())
}

fn encode(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn find(container: &str, expression: &str) -> String {
    let encoded = encode(expression);
    let place =
        if container.is_empty() { "/?".to_owned() } else { format!("/{container}?restype=container&") };
    format!("{place}comp=blobs&where={encoded}")
}

/// Returns the containers, names and tags of results.
fn found(answer: &Answer) -> Vec<String> {
    let blobs = answer.xml().named("EnumerationResults").unwrap().child("Blobs").unwrap().children.clone();
    let show = |blob: &table_rest::wire::xml::Element| {
        let (container, name) = (blob.required("ContainerName").unwrap(), blob.required("Name").unwrap());
        format!("{container}/{name} {}", pairs(blob.child("Tags").unwrap()).join(","))
    };
    blobs.iter().map(show).collect()
}

#[tokio::test]
async fn tags_are_set_with_a_blob_or_later_and_counted() {
    let site = site().await;
    let encoded = "Status=Done&a%20b=";
    site.send(put("/photos/a", "1").header("x-ms-tags", encoded)).await.is(201);
    site.send(put("/photos/large", vec![7; (1 << 20) + 1]).header("x-ms-tags", encoded)).await.is(201);
    let list = Ask::new("PUT", "/photos/list?comp=blocklist").body("<BlockList />");
    site.send(list.header("x-ms-tags", "Status=Done&a+b=")).await.is(201);
    let log = Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob");
    site.send(log.header("x-ms-tags", encoded)).await.is(201);
    for name in ["a", "large", "list", "log"] {
        let target = format!("/photos/{name}");
        assert_eq!(tags(&site, &target).await, ["Status=Done", "a b="]);
        for method in ["GET", "HEAD"] {
            let known = site.ask(method, &target).await.is(200);
            assert_eq!((known.header("x-ms-tag-count"), known.header("x-ms-tags")), ("2", ""));
        }
    }

    let before = site.send(put("/photos/b", "1")).await.is(201);
    assert_eq!(tags(&site, "/photos/b").await, [""; 0]);
    assert_eq!(site.ask("HEAD", "/photos/b").await.is(200).header("x-ms-tag-count"), "");
    let answer = site.send(set("/photos/b", DOCUMENT)).await.is(204);
    assert_eq!((answer.operation, answer.header("etag"), answer.body.len()), ("SetBlobTags", "", 0));
    assert_eq!(tags(&site, "/photos/b").await, ["Status=Done", "a b="]);
    let after = site.ask("HEAD", "/photos/b").await.is(200);
    for name in ["etag", "last-modified"] {
        assert_eq!(after.header(name), before.header(name));
    }
    site.send(set("/photos/b", "<Tags><TagSet /></Tags>")).await.is(204);
    assert_eq!(tags(&site, "/photos/b").await, [""; 0]);

    let listed = |include: &str| {
        site.send(Ask::new("GET", &format!("/photos?restype=container&comp=list&prefix=a{include}")))
    };
    let listed = [listed("").await.is(200), listed("&include=tags").await.is(200)].map(|answer| {
        let blob = answer.xml().child("Blobs").unwrap().children[0].clone();
        let count = blob.child("Properties").unwrap().text_of("TagCount").unwrap().to_owned();
        (count, blob.child("Tags").map(pairs))
    });
    let all = vec!["Status=Done".to_owned(), "a b=".to_owned()];
    assert_eq!(listed, [("2".to_owned(), None), ("2".to_owned(), Some(all))]);
}

/// As in `test_blob_tags_conditional_headers` of the SDK for Python.
#[tokio::test]
async fn requests_for_tags_have_conditions_on_the_blob() {
    let site = site().await;
    let etag = site.send(put("/photos/a", "1")).await.is(201).header("etag").to_owned();
    let (past, future) = ("Fri, 01 Mar 2000 00:00:00 GMT", "Sat, 01 Mar 2098 00:00:00 GMT");
    for (name, held, failed) in [
        ("if-match", &*etag, "\"0x8D72069AA304835\""),
        ("if-none-match", "\"0x8D72069AA304835\"", &*etag),
        ("if-modified-since", past, future),
        ("if-unmodified-since", future, past),
    ] {
        for name in [name.to_owned(), format!("x-ms-blob-{name}")] {
            let get = || Ask::new("GET", "/photos/a?comp=tags");
            site.send(set("/photos/a", DOCUMENT).header(&name, failed)).await.fails(412, "ConditionNotMet");
            site.send(get().header(&name, failed)).await.fails(412, "ConditionNotMet");
            site.send(set("/photos/a", DOCUMENT).header(&name, held)).await.is(204);
            site.send(get().header(&name, held)).await.is(200);
        }
    }
}

#[tokio::test]
async fn tags_outside_the_limits_change_nothing() {
    let site = site().await;
    site.send(put("/photos/a", "1").header("x-ms-tags", "a=1")).await.is(201);
    let eleven: Vec<_> = (0..11).map(|number| format!("k{number}=")).collect();
    for (header, code) in [
        (eleven.join("&"), "TagsTooLarge"),
        (format!("{}=", "k".repeat(129)), "TagsTooLarge"),
        (format!("k={}", "v".repeat(257)), "TagsTooLarge"),
        ("=v".to_owned(), "EmptyTagName"),
        ("k=%3C".to_owned(), "InvalidTag"),
        ("k=1&k=2".to_owned(), "DuplicateTagNames"),
    ] {
        site.send(put("/photos/a", "2").header("x-ms-tags", &header)).await.fails(400, code);
        let tag = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap();
            format!("<Tag><Key>{key}</Key><Value>{}</Value></Tag>", value.replace("%3C", "&lt;"))
        };
        let all: String = header.split('&').map(tag).collect();
        site.send(set("/photos/a", &format!("<Tags><TagSet>{all}</TagSet></Tags>"))).await.fails(400, code);
    }
    for body in ["", "<Tags>", "<TagSet />"] {
        site.send(set("/photos/a", body)).await.fails(400, "InvalidXmlDocument");
    }
    site.send(set("/photos/a", "<Tags />")).await.fails(400, "MissingRequiredXmlNode");
    site.send(set("/photos/a", &" ".repeat(1 << 20))).await.fails(413, "RequestBodyTooLarge");
    let hashed = |name: &str, value: &str| site.send(set("/photos/a", DOCUMENT).header(name, value));
    hashed("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==").await.fails(400, "Md5Mismatch");
    hashed("x-ms-content-crc64", "AAAAAAAAAAA=").await.fails(400, "Crc64Mismatch");
    site.send(set("/photos/none", DOCUMENT)).await.fails(404, "BlobNotFound");
    site.ask("GET", "/photos/none?comp=tags").await.fails(404, "BlobNotFound");
    site.ask("POST", "/photos/a?comp=tags").await.fails(405, "UnsupportedHttpVerb");
    assert_eq!(tags(&site, "/photos/a").await, ["a=1"]);
    assert_eq!(site.ask("GET", "/photos/a").await.is(200).text(), "1");
}

#[tokio::test]
async fn a_condition_on_tags_goes_for_each_operation_of_a_blob() {
    let site = site().await;
    let list = "<BlockList />";
    let lease = |action: &str| {
        let ask = Ask::new("PUT", "/photos/a?comp=lease").header("x-ms-lease-action", action);
        ask.header("x-ms-lease-duration", "15").header("x-ms-lease-break-period", "0")
    };
    let asks = || {
        [
            Ask::new("GET", "/photos/a"),
            Ask::new("HEAD", "/photos/a"),
            Ask::new("GET", "/photos/a?comp=metadata"),
            Ask::new("GET", "/photos/a?comp=blocklist"),
            Ask::new("GET", "/photos/a?comp=tags"),
            Ask::new("PUT", "/photos/a?comp=metadata"),
            Ask::new("PUT", "/photos/a?comp=properties"),
            Ask::new("PUT", "/photos/a?comp=tier").header("x-ms-access-tier", "Cool"),
            lease("acquire"),
            lease("break"),
            set("/photos/a", DOCUMENT),
            put("/photos/a", "2").header("x-ms-tags", "Status=Done"),
            put("/photos/a", vec![7; (1 << 20) + 1]).header("x-ms-tags", "Status=Done"),
            Ask::new("PUT", "/photos/a?comp=blocklist").body(list).header("x-ms-tags", "Status=Done"),
            Ask::new("PUT", "/photos/log?comp=appendblock").body("x"),
            Ask::new("DELETE", "/photos/a"),
        ]
    };
    site.send(put("/photos/a", "1").header("x-ms-tags", "Status=Done")).await.is(201);
    let log = Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob");
    site.send(log.header("x-ms-tags", "Status=Done")).await.is(201);
    let etag = site.ask("HEAD", "/photos/a").await.is(200).header("etag").to_owned();
    for ask in asks() {
        let other = ask.header("x-ms-if-tags", "\"Status\" <> 'Done' OR \"Status\" > 'X'");
        site.send(other).await.fails(412, "ConditionNotMet");
    }
    assert_eq!(site.ask("HEAD", "/photos/a").await.is(200).header("etag"), etag);
    for ask in asks() {
        let answer = site.send(ask.header("x-ms-if-tags", "\"Status\" = 'Done'")).await;
        assert!((200..300).contains(&answer.status), "{}", answer.text());
    }
    // All conditions must be satisfied.
    site.send(put("/photos/a", "1").header("x-ms-tags", "Status=Done")).await.is(201);
    let both = Ask::new("GET", "/photos/a").header("if-match", "\"0x1\"");
    site.send(both.header("x-ms-if-tags", "Status = 'Done'")).await.fails(412, "ConditionNotMet");
    let new = put("/photos/new", "1").header("x-ms-if-tags", "Status = 'Done'");
    site.send(new).await.fails(412, "ConditionNotMet");
    let gone = Ask::new("GET", "/photos/new").header("x-ms-if-tags", "Status = 'Done'");
    site.send(gone).await.fails(404, "BlobNotFound");

    let wrong = Ask::new("GET", "/photos/a").header("x-ms-if-tags", "@container = 'photos'");
    let refused = site.send(wrong).await.fails(400, "InvalidHeaderValue");
    assert!(refused.text().contains("at or near character position 1"), "{}", refused.text());
    // Operations that have no such condition are not done without it.
    for (method, target) in [
        ("PUT", "/photos/a?comp=block&blockid=AAAA"),
        ("PUT", "/photos?restype=container&comp=metadata"),
        ("DELETE", "/photos?restype=container"),
        ("GET", "/photos?restype=container&comp=list"),
    ] {
        let ask = Ask::new(method, target).body("x").header("x-ms-if-tags", "Status = 'Done'");
        let refused = site.send(ask).await.fails(400, "UnsupportedHeader");
        assert_eq!(refused.xml().text_of("HeaderName"), Some("x-ms-if-tags"));
    }
}

#[tokio::test]
async fn blobs_are_found_by_their_tags_page_by_page() {
    let site = site().await;
    site.ask("PUT", "/films?restype=container").await.is(201);
    for (target, tags) in [
        ("/films/a%01b", "Status=Done&Rank=1"),
        ("/photos/a", "Status=Done&Rank=2&more=x"),
        ("/photos/b%20c", "Status=Done&Rank=3"),
        ("/photos/d", "Status=Open&Rank=4"),
    ] {
        site.send(put(target, "1").header("x-ms-tags", tags)).await.is(201);
    }
    let ask = |container: &str, expression: &str, more: &str| {
        site.send(Ask::new("GET", &(find(container, expression) + more)))
    };
    let done = "\"Status\" = 'Done'";
    let all = ask("", done, "").await.is(200);
    let expected = ["films/a%01b Status=Done", "photos/a Status=Done", "photos/b c Status=Done"];
    assert_eq!((found(&all), all.operation), (expected.map(str::to_owned).to_vec(), "FindBlobsByTags"));
    assert_eq!(all.xml().text_of("Where"), Some(done));
    let here = ask("photos", "Status >= 'Done' AND Rank > '2'", "").await.is(200);
    assert_eq!(found(&here), ["photos/b c Rank=3,Status=Done", "photos/d Rank=4,Status=Open"]);
    let named = ask("", "@container = 'films' AND Status = 'Done'", "").await.is(200);
    assert_eq!(found(&named), ["films/a%01b Status=Done"]);

    let (mut pages, mut marker) = (Vec::new(), String::new());
    loop {
        let page = ask("", done, &format!("&maxresults=1&marker={}", encode(&marker))).await.is(200);
        pages.push(found(&page));
        marker = page.xml().required("NextMarker").unwrap().to_owned();
        if marker.is_empty() {
            break;
        }
    }
    // The last page only shows that `d` does not match.
    assert_eq!(pages.concat(), expected);
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 0]);
}

#[tokio::test]
async fn a_search_that_is_none_is_refused_with_its_place() {
    let site = site().await;
    for (container, expression, message) in [
        ("", "Status", "at or near character position 7: unexpected end"),
        ("", "Status <> 'Done'", "at or near character position 8: unexpected '<>'"),
        ("", "a > '1' AND a > '2'", "Error parsing query: can't have multiple conditions for a single tag"),
        (
            "photos",
            "@container = 'photos'",
            "Error parsing query: Cannot have container in both uri and query",
        ),
    ] {
        let refused =
            site.ask("GET", &find(container, expression)).await.fails(400, "InvalidQueryParameterValue");
        assert!(refused.xml().text_of("Message").unwrap().contains(message), "{}", refused.text());
        assert_eq!(refused.xml().text_of("QueryParameterName"), Some("where"));
        assert_eq!(refused.xml().text_of("QueryParameterValue"), Some(expression));
    }
    site.ask("GET", "/?comp=blobs").await.fails(400, "MissingRequiredQueryParameter");
    site.ask("POST", "/?comp=blobs").await.fails(405, "UnsupportedHttpVerb");
    site.ask("GET", &find("nothing", "a = '1'")).await.fails(404, "ContainerNotFound");
    let none = find("", "a = '1'") + "&maxresults=0";
    site.ask("GET", &none).await.fails(400, "OutOfRangeQueryParameterValue");
}

/// A signature for reading or writing blobs is none for their tags.
#[tokio::test]
async fn tags_need_a_permission_of_their_own() {
    let site = site().await;
    site.send(put("/photos/a", "1").header("x-ms-tags", "a=1")).await.is(201);
    let ask = |permissions: &str, ask: Ask, sign: char| {
        let token = signed(Sas::container("photos", permissions));
        ask.unsigned().with_query(&format!("{sign}{token}"))
    };
    for (permissions, request, sign, status) in [
        ("racwdl", Ask::new("GET", "/photos/a?comp=tags"), '&', 403),
        ("t", Ask::new("GET", "/photos/a?comp=tags"), '&', 200),
        ("racwdl", set("/photos/a", DOCUMENT), '&', 403),
        ("t", set("/photos/a", DOCUMENT), '&', 204),
        ("racwdl", put("/photos/a", "2").header("x-ms-tags", "a=2"), '?', 403),
        ("wt", put("/photos/a", "2").header("x-ms-tags", "a=2"), '?', 201),
        ("racwdl", Ask::new("GET", "/photos?restype=container&comp=list&include=tags"), '&', 403),
        ("lt", Ask::new("GET", "/photos?restype=container&comp=list&include=tags"), '&', 200),
        ("racwdlt", Ask::new("GET", &find("photos", "a = '2'")), '&', 403),
        ("f", Ask::new("GET", &find("photos", "a = '2'")), '&', 200),
    ] {
        let answer = site.send(ask(permissions, request, sign)).await;
        assert_eq!(answer.status, status, "{permissions}: {}", answer.text());
    }
    let tagged = signed(Sas::blob("photos", "a", "t"));
    let answer =
        site.send(Ask::new("GET", &format!("/photos/a?comp=tags&{tagged}")).unsigned()).await.is(200);
    assert!(answer.text().contains("<Value>2</Value>"), "{}", answer.text());
}

/// Returns a copy with the tags of its source, for each operation that supports them.
fn copies_with_tags(target: &str, source: &str) -> [Ask; 2] {
    let ask = from(target, source).header("x-ms-copy-source-tag-option", "COPY");
    [ask.clone().header("x-ms-requires-sync", "true"), ask.header("x-ms-blob-type", "BlockBlob")]
}

#[tokio::test]
async fn a_copy_has_the_tags_of_its_request_or_of_its_source() {
    let site = site().await;
    site.send(put("/photos/a", "1").header("x-ms-tags", "Status=Done&n=1")).await.is(201);
    site.send(from("/photos/b", &url("a"))).await.is(202);
    assert_eq!(tags(&site, "/photos/b").await, [""; 0]);
    site.send(from("/photos/b", &url("a")).header("x-ms-tags", "own=1")).await.is(202);
    assert_eq!(tags(&site, "/photos/b").await, ["own=1"]);
    for (at, copy) in copies_with_tags("/photos/c", &url("a")).into_iter().enumerate() {
        assert!(site.send(copy.clone()).await.status < 300, "{at}");
        assert_eq!(tags(&site, "/photos/c").await, ["Status=Done", "n=1"], "{at}");
        let both = site.send(copy.clone().header("x-ms-tags", "own=1")).await;
        both.fails(409, "BothUserTagsAndSourceTagsCopyPresentException");
        let replace = from("/photos/c", &url("a")).header("x-ms-copy-source-tag-option", "REPLACE");
        let replace = match at {
            0 => replace.header("x-ms-requires-sync", "true"),
            _ => replace.header("x-ms-blob-type", "BlockBlob"),
        };
        let refused = replace.clone().header("x-ms-source-if-tags", "n = '2'");
        site.send(refused).await.fails(412, "SourceConditionNotMet");
        let refused = replace.clone().header("x-ms-if-tags", "n = '2'");
        site.send(refused).await.fails(412, "ConditionNotMet");
        let met = replace.header("x-ms-source-if-tags", "n = '1'").header("x-ms-tags", "own=2");
        assert!(site.send(met.header("x-ms-if-tags", "n = '1'")).await.status < 300, "{at}");
        assert_eq!(tags(&site, "/photos/c").await, ["own=2"], "{at}");
        let wrong = from("/photos/c", &url("a")).header("x-ms-blob-type", "BlockBlob");
        let wrong = wrong.header("x-ms-copy-source-tag-option", "copy");
        site.send(wrong).await.fails(400, "InvalidHeaderValue");
    }
    // Only a copy that is complete with its response can copy tags, and a snapshot has those of its blob.
    let pending = from("/photos/c", &url("a")).header("x-ms-copy-source-tag-option", "COPY");
    site.send(pending).await.fails(400, "UnsupportedHeader");
    let snapshot = Ask::new("PUT", "/photos/a?comp=snapshot");
    site.send(snapshot.clone().header("x-ms-tags", "own=1")).await.fails(400, "UnsupportedHeader");
    site.send(snapshot.clone().header("x-ms-if-tags", "n = '2'")).await.fails(412, "ConditionNotMet");
    let taken = site.send(snapshot).await.is(201).header("x-ms-snapshot").to_owned();
    site.send(set("/photos/a", "<Tags><TagSet /></Tags>")).await.is(204);
    let target = format!("/photos/a?snapshot={taken}&comp=tags");
    assert_eq!(tags(&site, &format!("/photos/a?snapshot={taken}")).await, ["Status=Done", "n=1"]);
    site.send(Ask::new("PUT", &target).body(DOCUMENT)).await.fails(400, "InvalidOperation");
}

#[tokio::test]
async fn tags_of_a_source_need_its_permission_for_tags() {
    let site = site().await;
    site.send(put("/photos/a", "1").header("x-ms-tags", "n=1")).await.is(201);
    let source =
        |permissions: &str| format!("{}?{}", url("a"), signed(Sas::blob("photos", "a", permissions)));
    for copy in copies_with_tags("/photos/b", &source("r")) {
        site.send(copy).await.fails(403, "CannotVerifyCopySource");
    }
    for (permissions, code) in [("cw", "AuthorizationPermissionMismatch"), ("cwt", "")] {
        let target = format!("/photos/b?{}", signed(Sas::container("photos", permissions)));
        for copy in copies_with_tags(&target, &source("rt")) {
            let answer = site.send(copy.unsigned()).await;
            if code.is_empty() {
                assert!(answer.status < 300);
            } else {
                answer.fails(403, code);
            }
        }
        let tagged = from(&target, &source("r")).header("x-ms-tags", "n=1").unsigned();
        let answer = site.send(tagged).await;
        assert_eq!(answer.status < 300, code.is_empty());
    }
    assert_eq!(tags(&site, "/photos/b").await, ["n=1"]);
}
