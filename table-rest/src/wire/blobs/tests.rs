use http::HeaderMap;
use table_model::{
    ErrorCode, Metadata, Timestamp, Uuid,
    blob::{
        AppendBlock, Appended, BlobConditions, BlobCopy, BlobETag, BlobHeaders, BlobItem, BlobProperties,
        BlobRange, BlobTags, BlobType, BlobVersion, BlobWritten, BlobsSegment, Block, BlockId, BlockList,
        BlockSource, ContainerProperties, ContainersSegment, ListBlobs, ListContainers, Md5, PutBlob,
    },
};

use super::*;
use crate::wire::query_string::QueryString;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A version with a time in whole seconds, the resolution of the wire format.
fn version() -> BlobVersion {
    BlobVersion { etag: "0x8D72069AA304835".parse().unwrap(), last_modified: at("2019-08-14T03:44:10Z") }
}

fn content() -> BlobHeaders {
    let mut content = BlobHeaders::default();
    content.content_type = Some("text/plain".to_owned());
    content.content_encoding = Some("gzip".to_owned());
    content.content_language = Some("de".to_owned());
    content.content_disposition = Some("attachment; filename=\"a.txt\"".to_owned());
    content.cache_control = Some("no-store".to_owned());
    content.content_md5 = Some(Md5(*b"0123456789abcdef"));
    content
}

fn properties() -> BlobProperties {
    let mut properties = BlobProperties::new(BlobType::Block, version());
    properties.length = 12;
    properties.created = at("2019-08-13T00:00:00Z");
    properties.headers = content();
    properties.metadata = Metadata::new().with("k", "v").unwrap();
    properties
}

fn text(body: &[u8]) -> &str {
    let text = std::str::from_utf8(body).unwrap();
    text.strip_prefix("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>").unwrap()
}

fn query(parameters: &Parameters) -> QueryString {
    let pairs: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    QueryString::parse(&pairs.join("&")).unwrap()
}

#[test]
fn what_is_known_of_a_blob_is_read_as_it_was_written() {
    let mut append = BlobProperties::new(BlobType::Append, version());
    append.committed_blocks = Some(7);
    append.tag_count = 3;
    let mut unusual = properties();
    (unusual.headers.content_md5, unusual.headers.other_md5) = (None, Some("MDAwMDAwMDA=".to_owned()));
    for properties in [properties(), append, unusual] {
        let mut whole = HeaderMap::new();
        write_properties(&properties, true, &mut whole);
        whole.insert("content-length", properties.length.into());
        assert_eq!(read_properties(&whole).unwrap(), properties);
        let hash = properties.headers != BlobHeaders::default();
        assert_eq!(
            (whole.contains_key("content-md5"), whole.contains_key("x-ms-blob-content-md5")),
            (hash, false)
        );

        let mut part = HeaderMap::new();
        write_properties(&properties, false, &mut part);
        let range = content_range(Some(0..2), properties.length);
        part.insert("content-range", range.try_into().unwrap());
        part.insert("content-length", 2.into());
        assert_eq!(read_properties(&part).unwrap(), properties);
        assert_eq!(
            (part.contains_key("content-md5"), part.contains_key("x-ms-blob-content-md5")),
            (false, hash)
        );
    }
}

#[test]
fn what_is_known_of_a_container_is_read_as_it_was_written() {
    let metadata = Metadata::new().with("k", "v").unwrap();
    let container = ContainerProperties::new("photos".parse().unwrap(), version(), metadata);
    let mut headers = HeaderMap::new();
    write_container(&container, &mut headers);
    assert_eq!(headers["etag"], "\"0x8D72069AA304835\"");
    assert_eq!(headers["last-modified"], "Wed, 14 Aug 2019 03:44:10 GMT");
    assert_eq!(headers["x-ms-lease-state"], "available");
    assert_eq!(read_container(container.name.clone(), &headers).unwrap(), container);
}

#[test]
fn what_writing_answers_is_read_as_it_was_written() {
    let written = BlobWritten::new(version(), Some(Md5([7; 16])));
    let mut headers = HeaderMap::new();
    write_written(&written, &mut headers);
    assert_eq!(read_written(&headers).unwrap(), written);

    let appended = Appended::new(version(), 4096, 2);
    let mut headers = HeaderMap::new();
    write_appended(&appended, &mut headers);
    assert_eq!(headers["x-ms-blob-append-offset"], "4096");
    assert_eq!(read_appended(&headers).unwrap(), appended);
}

#[test]
fn what_a_blob_gets_is_read_as_it_was_written() {
    let mut conditions = BlobConditions::from(version().etag).if_none_match(BlobETag::from(Timestamp::MIN));
    conditions =
        conditions.if_modified_since(version().last_modified).if_unmodified_since(at("2020-01-01T00:00:00Z"));
    conditions.lease = Some(Uuid::from_u128(7));
    conditions.tags = Some("\"a b\" <> 'c'".parse().unwrap());
    for conditions in [conditions, BlobConditions::absent(), BlobConditions::exists(), BlobConditions::none()]
    {
        let metadata = Metadata::new().with("k", "v").unwrap();
        let tags = BlobTags::new().with("a b", "c=d").unwrap();
        let put =
            PutBlob::new().headers(content()).metadata(metadata).tags(tags).conditions(conditions.clone());
        let mut headers = HeaderMap::new();
        write_put(&put, &mut headers);
        assert_eq!(read_put(&headers, false).unwrap(), put);
        assert_eq!(read_put(&headers, true).unwrap(), put);

        let mut append = AppendBlock::new().position(7).max_size(9).conditions(conditions);
        append.md5 = Some(Md5([1; 16]));
        let mut headers = HeaderMap::new();
        write_append(&append, &mut headers);
        assert_eq!(read_append(&headers).unwrap(), append);
    }
}

#[test]
fn headers_of_http_speak_of_a_blob_only_where_the_body_is_it() {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "text/html".try_into().unwrap());
    headers.insert("x-ms-blob-content-language", "fr".try_into().unwrap());
    headers.insert("content-language", "en".try_into().unwrap());
    let body = read_content(&headers, true).unwrap();
    assert_eq!(
        (body.content_type.as_deref(), body.content_language.as_deref()),
        (Some("text/html"), Some("fr"))
    );
    let list = read_content(&headers, false).unwrap();
    assert_eq!((list.content_type, list.content_language.as_deref()), (None, Some("fr")));
}

#[test]
fn headers_that_are_wrong_are_refused() {
    let with = |name: &'static str, value: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.try_into().unwrap());
        headers
    };
    for (name, value) in [
        ("if-match", "\"a\", \"b\""),
        ("if-modified-since", "yesterday"),
        ("if-unmodified-since", "2019-08-14"),
        ("x-ms-lease-id", "mine"),
        ("x-ms-if-tags", "a"),
    ] {
        let error = read_conditions(&with(name, value)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidHeaderValue, "{name}");
        assert!(error.message().contains(name));
    }
    for value in ["x", "AAAA", "MDEyMzQ1Njc4OWFiY2RlZjA="] {
        assert_eq!(content_md5(&with("content-md5", value)).unwrap_err().code(), ErrorCode::InvalidMd5);
        let of_blob = with("x-ms-blob-content-md5", value);
        assert_eq!(read_content(&of_blob, true).unwrap_err().code(), ErrorCode::InvalidMd5);
        // The hash of a blob that is not in the body can have another length.
        let other = read_content(&of_blob, false).map(|content| (content.content_md5, content.other_md5));
        match value {
            "x" => assert_eq!(other.unwrap_err().code(), ErrorCode::InvalidMd5),
            _ => assert_eq!(other.unwrap(), (None, Some(value.to_owned()))),
        }
    }
    for value in
        ["bytes=", "bytes=-5", "bytes=a-b", "bytes=1", "bytes=0-1,4-5", "items=0-1", "bytes=+1-2", "0-1"]
    {
        let error = read_range(&with("range", value)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidHeaderValue, "{value}");
    }
    for (name, value) in [("x-ms-blob-condition-appendpos", "-1"), ("x-ms-blob-condition-maxsize", "big")] {
        assert_eq!(read_append(&with(name, value)).unwrap_err().code(), ErrorCode::InvalidHeaderValue);
    }
}

#[test]
fn ranges_are_read_as_they_were_written_and_ours_wins() {
    for range in [BlobRange { start: 2, end: Some(12) }, BlobRange { start: 7, end: None }] {
        let mut headers = HeaderMap::new();
        write_range(range, &mut headers);
        headers.insert("range", "bytes=0-0".try_into().unwrap());
        assert_eq!(read_range(&headers).unwrap(), Some(range));
    }
    let mut headers = HeaderMap::new();
    write_range(BlobRange::ALL, &mut headers);
    assert_eq!(read_range(&headers).unwrap(), None);
    headers.insert("range", "bytes=0-".try_into().unwrap());
    assert_eq!(read_range(&headers).unwrap(), Some(BlobRange::ALL));
    headers.insert("range", "bytes=0-18446744073709551615".try_into().unwrap());
    assert_eq!(read_range(&headers).unwrap(), Some(BlobRange { start: 0, end: Some(u64::MAX) }));
    assert_eq!(content_range(Some(2..12), 12), "bytes 2-11/12");
    assert_eq!(content_range(None, 12), "bytes */12");
}

#[test]
fn lists_of_blocks_are_read_as_they_were_written() {
    let id = |text: &str| BlockId::new(text).unwrap();
    let sources = [
        BlockSource::Latest(id("a")),
        BlockSource::Committed(id("b")),
        BlockSource::Uncommitted(id("c")),
        BlockSource::Latest(id("a")),
    ];
    let body = write_blocks(&sources);
    assert_eq!(
        std::str::from_utf8(&body).unwrap(),
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><Latest>YQ==</Latest><Committed>Yg==</Committed>\
         <Uncommitted>Yw==</Uncommitted><Latest>YQ==</Latest></BlockList>"
    );
    assert_eq!(read_blocks(&body).unwrap(), sources);
    assert_eq!(read_blocks(b"<BlockList/>").unwrap(), []);

    let mut list = BlockList::default();
    list.committed = vec![Block { id: id("a"), size: 4_194_304 }];
    list.uncommitted = vec![Block { id: id("b"), size: 1 }];
    let body = write_block_list(&list, BlockListType::All);
    assert_eq!(
        text(&body),
        "<BlockList><CommittedBlocks><Block><Name>YQ==</Name><Size>4194304</Size></Block></CommittedBlocks>\
         <UncommittedBlocks><Block><Name>Yg==</Name><Size>1</Size></Block></UncommittedBlocks></BlockList>"
    );
    assert_eq!(read_block_list(&body).unwrap(), list);
    list.uncommitted.clear();
    assert_eq!(
        text(&write_block_list(&list, BlockListType::Uncommitted)),
        "<BlockList><UncommittedBlocks /></BlockList>"
    );
    assert_eq!(read_block_list(&write_block_list(&list, BlockListType::Committed)).unwrap(), list);
}

#[test]
fn lists_of_blocks_that_are_wrong_are_refused() {
    let code = |body: &str| read_blocks(body.as_bytes()).unwrap_err().code();
    assert_eq!(code("<Blocks/>"), ErrorCode::InvalidXmlDocument);
    assert_eq!(code("<BlockList><Newest>YQ==</Newest></BlockList>"), ErrorCode::UnsupportedXmlNode);
    assert_eq!(code("<BlockList><Latest>a</Latest></BlockList>"), ErrorCode::InvalidBlockId);
    assert_eq!(code("<BlockList><Latest /></BlockList>"), ErrorCode::InvalidBlockId);
    let long = |count: usize| format!("<BlockList>{}</BlockList>", "<Latest>YQ==</Latest>".repeat(count));
    assert_eq!(read_blocks(long(50_000).as_bytes()).unwrap().len(), 50_000);
    assert_eq!(code(&long(50_001)), ErrorCode::BlockListTooLong);
    assert_eq!(BlockListType::read(&QueryString::default()).unwrap(), BlockListType::Committed);
    let wrong = QueryString::parse("blocklisttype=some").unwrap();
    assert_eq!(BlockListType::read(&wrong).unwrap_err().code(), ErrorCode::InvalidQueryParameterValue);
}

#[test]
fn a_listing_of_blobs_is_written_as_the_service_does() {
    let list = ListBlobs::new().prefix("a/").delimiter("/").marker("m").max_results(5);
    let name = |name: &str| name.parse().unwrap();
    let segment = BlobsSegment::new(
        vec![BlobItem::Prefix("a/sub/".to_owned()), BlobItem::blob(name("a/x.txt"), properties())],
        None,
    );
    let body = write_blobs("https://acct.blob.core.windows.net/", "c", &list, Included::ALL, &segment);
    assert_eq!(
        text(&body),
        "<EnumerationResults ServiceEndpoint=\"https://acct.blob.core.windows.net/\" ContainerName=\"c\">\
         <Prefix>a/</Prefix><Marker>m</Marker><MaxResults>5</MaxResults><Delimiter>/</Delimiter><Blobs>\
         <BlobPrefix><Name>a/sub/</Name></BlobPrefix><Blob><Name>a/x.txt</Name><Properties>\
         <Creation-Time>Tue, 13 Aug 2019 00:00:00 GMT</Creation-Time>\
         <Last-Modified>Wed, 14 Aug 2019 03:44:10 GMT</Last-Modified><Etag>0x8D72069AA304835</Etag>\
         <Content-Length>12</Content-Length><Content-Type>text/plain</Content-Type>\
         <Content-Encoding>gzip</Content-Encoding><Content-Language>de</Content-Language>\
         <Content-MD5>MDEyMzQ1Njc4OWFiY2RlZg==</Content-MD5><Cache-Control>no-store</Cache-Control>\
         <Content-Disposition>attachment; filename=\"a.txt\"</Content-Disposition>\
         <BlobType>BlockBlob</BlobType><AccessTier>Hot</AccessTier><AccessTierInferred>true</AccessTierInferred>\
         <LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>\
         <ServerEncrypted>true</ServerEncrypted></Properties><Metadata><k>v</k></Metadata></Blob></Blobs>\
         <NextMarker /></EnumerationResults>"
    );
    assert_eq!(read_blobs(&body).unwrap(), segment);
}

#[test]
fn a_listing_with_tags_is_read_as_it_was_written() {
    let mut tagged = properties();
    tagged.tag_count = 1;
    tagged.tags = Some(BlobTags::new().with("k", "v").unwrap());
    let segment = BlobsSegment::new(vec![BlobItem::blob("a".parse().unwrap(), tagged)], None);
    let body = write_blobs("http://a/", "c", &ListBlobs::new().tags(), Included::default(), &segment);
    assert!(
        text(&body).contains("<TagCount>1</TagCount></Properties><Tags><TagSet><Tag><Key>k</Key>"),
        "{body:?}"
    );
    let read = read_blobs(&body).unwrap();
    let [BlobItem::Blob { properties, .. }] = &read.items[..] else { panic!() };
    assert_eq!((properties.tag_count, properties.tags.as_ref().map(BlobTags::len)), (1, Some(1)));
}

#[test]
fn snapshots_and_copies_are_listed() {
    let mut copied = properties();
    copied.copy = Some(BlobCopy {
        id: Uuid::from_u128(7),
        source: "http://a/c/x?snapshot=y&z".to_owned(),
        completed: at("2019-08-14T03:44:10Z"),
    });
    let mut snapshot = properties();
    snapshot.snapshot = Some(at("2019-08-14T03:44:10.1234567Z").into());
    let name = || "x".parse().unwrap();
    let segment =
        BlobsSegment::new(vec![BlobItem::blob(name(), snapshot), BlobItem::blob(name(), copied)], None);
    let body = write_blobs("http://a/", "c", &ListBlobs::new().snapshots(), Included::ALL, &segment);
    let body_text = text(&body);
    for part in [
        "<Name>x</Name><Snapshot>2019-08-14T03:44:10.1234567Z</Snapshot><Properties>",
        "<CopyId>00000000-0000-0000-0000-000000000007</CopyId>\
         <CopySource>http://a/c/x?snapshot=y&amp;z</CopySource><CopyStatus>success</CopyStatus>\
         <CopyProgress>12/12</CopyProgress>\
         <CopyCompletionTime>Wed, 14 Aug 2019 03:44:10 GMT</CopyCompletionTime>",
    ] {
        assert!(body_text.contains(part), "{body_text}");
    }
    // A snapshot has no lease.
    assert_eq!(body_text.matches("<LeaseState>").count(), 1);
    assert_eq!(read_blobs(&body).unwrap(), segment);
    let body = write_blobs("http://a/", "c", &ListBlobs::new(), Included::default(), &segment);
    assert!(!text(&body).contains("<Copy") && !text(&body).contains("<Metadata>"));
}

#[test]
fn any_name_goes_through_a_listing() {
    for hostile in
        ["a\u{1}b", "\u{fffe}", "<&>\"'", " a ", "a\r\nb", "../..", "%2e%2e\u{0}", "é\u{301}", "\u{10ffff}"]
    {
        let items = vec![
            BlobItem::blob(hostile.parse().unwrap(), properties()),
            BlobItem::Prefix(format!("{hostile}/")),
        ];
        let segment = BlobsSegment::new(items, Some("next".to_owned()));
        let body = write_blobs("http://a/", "c", &ListBlobs::new(), Included::ALL, &segment);
        assert_eq!(read_blobs(&body).unwrap(), segment, "{hostile:?}");
    }
}

#[test]
fn a_listing_of_containers_is_read_as_it_was_written() {
    let list = ListContainers::new().prefix("p").max_results(1);
    let metadata = Metadata::new().with("k", "v").unwrap();
    let container = ContainerProperties::new("photos".parse().unwrap(), version(), metadata);
    let segment = ContainersSegment::new(vec![container], Some("q".to_owned()));
    let body = write_containers("http://a/", &list, true, &segment);
    assert!(text(&body).contains("<Etag>\"0x8D72069AA304835\"</Etag>"));
    assert_eq!(read_containers(&body).unwrap(), segment);
    assert!(!text(&write_containers("http://a/", &list, false, &segment)).contains("Metadata"));
}

#[test]
fn parameters_of_listings_are_read_as_they_were_written() {
    let blobs = ListBlobs::new().prefix("a").marker("b").delimiter("/").max_results(7);
    for blobs in [
        blobs.clone(),
        blobs.clone().uncommitted(),
        blobs.clone().snapshots(),
        blobs.clone().tags(),
        blobs.uncommitted().snapshots().tags(),
    ] {
        assert_eq!(read_blobs_parameters(&query(&blobs_parameters(&blobs))).unwrap(), (blobs, Included::ALL));
    }
    let containers = ListContainers::new().prefix("a").marker("b").max_results(7);
    let sent = query(&containers_parameters(&containers));
    assert_eq!(read_containers_parameters(&sent).unwrap(), (containers, true));

    let code = |text: &str| {
        let query = QueryString::parse(text).unwrap();
        read_blobs_parameters(&query).err().map(|error| error.code())
    };
    assert_eq!(code("include=snapshots,metadata,copy,tags&maxresults=5001"), None);
    assert_eq!(code("include=everything"), Some(ErrorCode::InvalidQueryParameterValue));
    assert_eq!(code("maxresults=0"), Some(ErrorCode::OutOfRangeQueryParameterValue));
    assert_eq!(code("maxresults=-1"), Some(ErrorCode::OutOfRangeQueryParameterValue));
    assert_eq!(code("maxresults=x"), Some(ErrorCode::InvalidQueryParameterValue));
}
