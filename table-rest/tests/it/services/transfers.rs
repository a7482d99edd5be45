use bytes::Bytes;
use table_model::{
    ErrorCode,
    blob::{BlockId, BlockSource},
};
use table_rest::{
    server::Refusal,
    wire::blobs::{read_block_list, write_blocks},
};

use super::{
    blobs::{put, site},
    harness::{Ask, Site},
};

const LARGE: usize = 9 << 20;

/// Content without identical chunks.
fn content(length: usize) -> Vec<u8> {
    (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

fn pieces(content: &[u8]) -> Vec<Result<Bytes, Refusal>> {
    content.chunks(60_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect()
}

async fn block(site: &Site, id: &str, content: &[u8]) {
    let target = format!("/photos/a?comp=block&blockid={id}");
    let sent = site.send(Ask::new("PUT", &target).body(content)).await.is(201);
    assert!(!sent.header("x-ms-content-crc64").is_empty());
}

#[tokio::test]
async fn large_contents_go_through_in_pieces_both_ways() {
    let site = site().await;
    let content = content(LARGE);
    let sent = site.send(put("/photos/a", "").pieces(LARGE as u64, pieces(&content))).await.is(201);
    let read = site.ask("GET", "/photos/a").await.is(200);
    assert!(read.body == content);
    assert_eq!(read.header("content-md5"), sent.header("content-md5"));
    let range = format!("bytes={}-{}", LARGE / 2, LARGE / 2 + 2_000_000);
    let part = site.send(Ask::new("GET", "/photos/a").header("range", &range)).await.is(206);
    assert!(part.body == content[LARGE / 2..=LARGE / 2 + 2_000_000]);
}

#[tokio::test]
async fn an_upload_that_breaks_off_or_is_not_what_it_says_leaves_what_was_there() {
    let site = site().await;
    site.send(put("/photos/a", "old")).await.is(201);
    let content = content(LARGE);
    let mut broken = pieces(&content[..LARGE - 1]);
    broken.push(Err(ErrorCode::OperationTimedOut.into()));
    site.send(put("/photos/a", "").pieces(LARGE as u64, broken)).await.fails(500, "OperationTimedOut");
    for length in [LARGE, 10] {
        let content = &content[..length];
        let send = |name: &str, value: &str| {
            let ask = put("/photos/a", "").pieces(length as u64, pieces(content));
            site.send(ask.header(name, value))
        };
        send("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==").await.fails(400, "Md5Mismatch");
        send("x-ms-blob-content-md5", "AAAAAAAAAAAAAAAAAAAAAA==").await.fails(400, "Md5Mismatch");
        send("content-md5", "AAAA").await.fails(400, "InvalidMd5");
        send("x-ms-content-crc64", "AAAAAAAAAAA=").await.fails(400, "Crc64Mismatch");
        send("x-ms-content-crc64", "AAAA").await.fails(400, "InvalidHeaderValue");
        send("if-none-match", "*").await.fails(409, "BlobAlreadyExists");
        send("if-match", "\"0x8D72069AA304835\"").await.fails(412, "ConditionNotMet");
    }
    let both = put("/photos/a", "x").header("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==");
    let both = both.header("x-ms-content-crc64", "AAAAAAAAAAA=");
    site.send(both).await.fails(400, "BothCrc64AndMd5HeaderPresent");
    site.send(put("/photos/a", "x").without_length()).await.fails(411, "MissingContentLengthHeader");
    assert_eq!(site.ask("GET", "/photos/a").await.is(200).text(), "old");
}

#[tokio::test]
async fn hashes_that_fit_are_said_again() {
    let site = site().await;
    let crc64 = "iJh5CoYUi64=";
    let sent = site.send(put("/photos/a", "123456789").header("x-ms-content-crc64", crc64)).await.is(201);
    assert_eq!(
        (sent.header("x-ms-content-crc64"), sent.header("content-md5")),
        (crc64, "JfnnlDI7RTiF9RgfG2JNCw==")
    );
    let md5 = "JfnnlDI7RTiF9RgfG2JNCw==";
    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    for target in ["/photos/b?comp=block&blockid=AAAA", "/photos/log?comp=appendblock"] {
        let ask = || Ask::new("PUT", target).body("123456789");
        for (name, value, hash) in [("content-md5", md5, md5), ("x-ms-content-crc64", crc64, "")] {
            let sent = site.send(ask().header(name, value)).await.is(201);
            assert_eq!((sent.header("content-md5"), sent.header("x-ms-content-crc64")), (hash, crc64));
        }
        site.send(ask().header("x-ms-content-crc64", "AAAAAAAAAAA=")).await.fails(400, "Crc64Mismatch");
    }
}

/// As the SDK for Python sets it in `test_get_blob_range_with_overall_md5`: eight bytes, encoded twice.
#[tokio::test]
async fn a_stored_hash_of_another_length_is_returned() {
    const OTHER: &str = "TURBd01EQXdNREE9";
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    let list = Ask::new("PUT", "/photos/b?comp=blocklist").body("<BlockList/>");
    site.send(list.header("x-ms-blob-content-md5", OTHER)).await.is(201);
    let set = |value: &str| {
        site.send(Ask::new("PUT", "/photos/a?comp=properties").header("x-ms-blob-content-md5", value))
    };
    set("no Base64").await.fails(400, "InvalidMd5");
    set(&"AAAA".repeat(257)).await.fails(400, "InvalidHeaderValue");
    set(OTHER).await.is(200);
    for (method, target) in [("GET", "/photos/a"), ("HEAD", "/photos/a"), ("GET", "/photos/b")] {
        assert_eq!(site.ask(method, target).await.is(200).header("content-md5"), OTHER, "{method} {target}");
    }
    let part = Ask::new("GET", "/photos/a").header("range", "bytes=0-2");
    let part = site.send(part.header("x-ms-range-get-content-md5", "true")).await.is(206);
    assert_eq!(
        (part.header("x-ms-blob-content-md5"), part.header("content-md5")),
        (OTHER, "+XxdKZQb+xsv2rCHSQargg==")
    );
    let listed = site.ask("GET", "/photos?restype=container&comp=list").await.is(200).text();
    assert_eq!(listed.matches(&format!("<Content-MD5>{OTHER}</Content-MD5>")).count(), 2, "{listed}");
    // The hash of uploaded content is verified.
    let upload = put("/photos/a", "two").header("x-ms-blob-content-md5", OTHER);
    site.send(upload).await.fails(400, "InvalidMd5");
}

#[tokio::test]
async fn a_blob_is_put_together_from_blocks() {
    let site = site().await;
    let id = |number: u8| BlockId::new([number; 3]).unwrap();
    for (number, text) in [(1, "one "), (2, "two "), (3, "three")] {
        block(&site, &id(number).to_string().replace('+', "%2B"), text.as_bytes()).await;
    }
    site.ask("GET", "/photos/a").await.fails(404, "BlobNotFound");
    let uncommitted = site.ask("GET", "/photos/a?comp=blocklist&blocklisttype=all").await.is(200);
    assert_eq!(read_block_list(&uncommitted.body).unwrap().uncommitted.len(), 3);

    let list =
        |sources: &[BlockSource]| Ask::new("PUT", "/photos/a?comp=blocklist").body(write_blocks(sources));
    let missing = [BlockSource::Latest(id(9))];
    site.send(list(&missing)).await.fails(400, "InvalidBlockList");
    let sources = [BlockSource::Latest(id(2)), BlockSource::Uncommitted(id(1)), BlockSource::Latest(id(2))];
    let ask = list(&sources)
        .header("content-type", "application/xml")
        .header("x-ms-blob-content-type", "text/plain")
        .header("x-ms-blob-content-md5", "AAAAAAAAAAAAAAAAAAAAAA==");
    let written = site.send(ask).await.is(201);
    let read = site.ask("GET", "/photos/a").await.is(200);
    assert_eq!((read.text().as_str(), read.header("etag")), ("two one two ", written.header("etag")));
    assert_eq!(read.header("content-type"), "text/plain");
    // Stored as given, never computed.
    assert_eq!(read.header("content-md5"), "AAAAAAAAAAAAAAAAAAAAAA==");

    let committed = site.ask("GET", "/photos/a?comp=blocklist").await.is(200);
    assert_eq!(committed.header("x-ms-blob-content-length"), "12");
    assert_eq!(read_block_list(&committed.body).unwrap().committed.len(), 3);
    let all = site.ask("GET", "/photos/a?comp=blocklist&blocklisttype=all").await.is(200);
    assert!(read_block_list(&all.body).unwrap().uncommitted.is_empty());

    let block = |query: &str| Ask::new("PUT", &format!("/photos/a?comp=block{query}"));
    site.send(block("").body("x")).await.fails(400, "MissingRequiredQueryParameter");
    site.send(block("&blockid=no").body("x")).await.fails(400, "InvalidBlockId");
    site.send(block("&blockid=AAAA")).await.fails(400, "InvalidHeaderValue");
    site.send(block("&blockid=AAAA").body("x").without_length())
        .await
        .fails(411, "MissingContentLengthHeader");
    let large = block("&blockid=AAAA").pieces((4_000 << 20) + 1, Vec::new());
    site.send(large).await.fails(413, "RequestBodyTooLarge");
}

#[tokio::test]
async fn an_append_blob_grows_at_its_end() {
    let site = site().await;
    let create = || Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob");
    site.send(create().body("x")).await.fails(400, "InvalidHeaderValue");
    site.send(create()).await.is(201);
    let append = |text: &str| Ask::new("PUT", "/photos/log?comp=appendblock").body(text);
    let first = site.send(append("one\n")).await.is(201);
    assert_eq!(
        (first.header("x-ms-blob-append-offset"), first.header("x-ms-blob-committed-block-count")),
        ("0", "1")
    );
    let at = |position: &str| append("two\n").header("x-ms-blob-condition-appendpos", position);
    site.send(at("3")).await.fails(412, "AppendPositionConditionNotMet");
    let second = site.send(at("4").header("x-ms-blob-condition-maxsize", "8")).await.is(201);
    assert_eq!(second.header("x-ms-blob-append-offset"), "4");
    let full = append("x").header("x-ms-blob-condition-maxsize", "8");
    site.send(full).await.fails(412, "MaxBlobSizeConditionNotMet");
    site.send(append("x").header("x-ms-content-crc64", "AAAAAAAAAAA=")).await.fails(400, "Crc64Mismatch");

    let read = site.ask("GET", "/photos/log").await.is(200);
    assert_eq!((read.text().as_str(), read.header("x-ms-blob-type")), ("one\ntwo\n", "AppendBlob"));
    assert_eq!(read.header("x-ms-blob-committed-block-count"), "2");
    site.send(put("/photos/a", "x")).await.is(201);
    let wrong = Ask::new("PUT", "/photos/a?comp=appendblock").body("x");
    site.send(wrong).await.fails(409, "InvalidBlobType");
}

#[tokio::test]
async fn large_blocks_and_appends_go_through_in_pieces() {
    let site = site().await;
    let content = content(LARGE);
    let send = |target: &str| Ask::new("PUT", target).pieces(LARGE as u64, pieces(&content));
    let mut broken = pieces(&content[..LARGE - 1]);
    broken.push(Err(ErrorCode::OperationTimedOut.into()));
    let block = "/photos/a?comp=block&blockid=AAAA";
    let cut = Ask::new("PUT", block).pieces(LARGE as u64, broken);
    site.send(cut).await.fails(500, "OperationTimedOut");
    let wrong = "AAAAAAAAAAAAAAAAAAAAAA==";
    site.send(send(block).header("content-md5", wrong)).await.fails(400, "Md5Mismatch");
    site.send(send(block).header("x-ms-content-crc64", "AAAAAAAAAAA=")).await.fails(400, "Crc64Mismatch");
    site.ask("GET", "/photos/a?comp=blocklist&blocklisttype=all").await.fails(404, "BlobNotFound");
    site.send(send(block)).await.is(201);
    let list = write_blocks(&[BlockSource::Latest(BlockId::from_base64("AAAA").unwrap())]);
    site.send(Ask::new("PUT", "/photos/a?comp=blocklist").body(list)).await.is(201);
    assert!(site.ask("GET", "/photos/a").await.is(200).body == content);

    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    let append = "/photos/log?comp=appendblock";
    site.send(send(append).header("content-md5", wrong)).await.fails(400, "Md5Mismatch");
    let late = send(append).header("x-ms-blob-condition-appendpos", "1");
    site.send(late).await.fails(412, "AppendPositionConditionNotMet");
    site.send(send(append)).await.is(201);
    site.send(Ask::new("PUT", append).body("end")).await.is(201);
    let read = site.ask("GET", "/photos/log").await.is(200);
    assert!(read.body == [content.as_slice(), b"end"].concat());
}
