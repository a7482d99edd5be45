use proptest::prelude::*;

use super::*;

fn entity(partition_key: &str, row_key: &str) -> TablePath {
    TablePath::Entity { table: "people".into(), partition_key: partition_key.into(), row_key: row_key.into() }
}

#[test]
fn every_form_that_clients_send_is_read() {
    for (text, path) in [
        ("/", TablePath::Service),
        ("/Tables", TablePath::Tables),
        ("/Tables()", TablePath::Tables),
        ("/Tables/", TablePath::Tables),
        ("/Tables('people')", TablePath::Table("people".into())),
        ("/Tables(%27people%27)", TablePath::Table("people".into())),
        ("/Tables(TableName='people')", TablePath::Table("people".into())),
        ("/people", TablePath::Entities("people".into())),
        ("/people()", TablePath::Entities("people".into())),
        ("/a%2F%2F", TablePath::Entities("a//".into())),
        ("/people/Tables", TablePath::Beneath { table: "people".into(), is_one: false }),
        ("/people/$batch", TablePath::Beneath { table: "people".into(), is_one: false }),
        ("/people/Tables('people')", TablePath::Beneath { table: "people".into(), is_one: true }),
        ("/$batch", TablePath::Batch),
        ("/%24batch", TablePath::Batch),
        ("/$metadata", TablePath::Metadata),
        ("/people(PartitionKey='',RowKey='')", entity("", "")),
        ("/people(PartitionKey='a', RowKey='b')", entity("a", "b")),
        ("/people%28PartitionKey%3D%27a%27%2CRowKey%3D%27b%27%29", entity("a", "b")),
        ("/people(RowKey='b',PartitionKey='a')", entity("a", "b")),
        ("/people(PartitionKey='%27%27%27%27',RowKey='a''b')", entity("''", "a'b")),
        ("/people(PartitionKey='a,RowKey=',RowKey='(')", entity("a,RowKey=", "(")),
        ("/people(PartitionKey='%2541',RowKey='%C3%B6+')", entity("%41", "ö+")),
    ] {
        assert_eq!(TablePath::parse(text).ok(), Some(path), "{text}");
    }
}

#[test]
fn what_is_no_path_is_refused() {
    for text in [
        "/people/",
        "/Tables('people')/",
        "//",
        "//people",
        "/people/people(PartitionKey='a',RowKey='b')",
        "/people(PartitionKey='a/b',RowKey='')",
        "/()",
        "/people(",
        "/people)",
        "/people('a')",
        "/people(PartitionKey='a')",
        "/people(PartitionKey='a',RowKey='b'",
        "/people(PartitionKey='a',RowKey='b')x",
        "/people(PartitionKey='a',RowKey='b',RowKey='c')",
        "/people(PartitionKey='a'RowKey='b')",
        "/people(PartitionKey='a',RowKey=''')",
        "/people(PartitionKey=a,RowKey='b')",
        "/people(partitionkey='a',RowKey='b')",
        "/Tables('a','b')",
        "/Tables('a",
        "/$batch('a')",
        "/people(PartitionKey='%zz',RowKey='')",
        "/people(PartitionKey='%ff',RowKey='')",
        "/people(PartitionKey='%4', RowKey='')",
        "/people(PartitionKey='a%2Fb',RowKey='')",
        "/people(PartitionKey='',RowKey='a%5Cb')",
    ] {
        let error = TablePath::parse(text).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidInput, "{text}");
        assert_eq!(error.message(), "Bad Request - Error in query syntax.", "{text}");
    }
    for text in ["%23", "%3F", "%00", "%0D%0A", "%7F", "%C2%85"] {
        let path = format!("/people(PartitionKey='a',RowKey='{text}')");
        let error = TablePath::parse(&path).unwrap_err();
        assert_eq!(error.message(), "One of the request inputs is out of range.", "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(partition_key in "[^/\\\\#?\\x00-\\x1f\\x7f-\\u{9f}]{0,12}", row_key in "['%+&= (),a-zäß€𝄞]{0,12}") {
        let path = entity(&partition_key, &row_key);
        let printed = path.to_string();
        prop_assert!(printed.is_ascii());
        prop_assert_eq!(TablePath::parse(&printed).ok(), Some(path));
    }
}
