//! A small program on tables, queues and blobs. Its results contain no times and no versions.

use table_store::{
    BlockingStore, Condition, Entity, Filter, Metadata, Operation, Query,
    blob::{BlobAddress, PutBlob, ReadBlob},
    queue::{GetMessages, PutMessage, QueueName},
    service::ListTables,
};

fn employee(row: &str, age: i32) -> Entity {
    Entity::new("Sales", row).with("Age", age)
}

fn photo() -> BlobAddress {
    BlobAddress::new("photos", "2014/07/jo.jpg").unwrap()
}

/// Writes to a new store and returns the results.
pub(crate) fn change(store: &BlockingStore) -> Vec<String> {
    let mut results = Vec::new();
    let mut note = |result: Result<String, table_store::TableError>| {
        results.push(result.unwrap_or_else(|error| error.code().to_string()));
    };
    let done = |()| "done".to_owned();
    let (table, dropped) = ("Employees".parse().unwrap(), "Dropped".parse().unwrap());
    let written = |_| "written".to_owned();

    note(store.create_table(&table).map(done));
    note(store.create_table(&table).map(done));
    note(store.execute(&table, Operation::Insert(employee("1", 34))).map(written));
    note(store.execute(&table, Operation::Insert(employee("1", 35))).map(written));
    note(store.execute(&table, Operation::Merge(employee("9", 35), Condition::Exists)).map(written));
    let batch: Vec<_> = (2..60).map(|n| Operation::Insert(employee(&n.to_string(), n))).collect();
    note(store.transact(&table, &batch).map(|written| written.len().to_string()));
    // The second operation fails, so the first is not executed.
    let refused = [Operation::InsertOrReplace(employee("1", 1)), Operation::Insert(employee("2", 2))];
    note(store.transact(&table, refused).map(|written| written.len().to_string()));

    note(store.create_table(&dropped).map(done));
    note(store.execute(&dropped, Operation::Insert(employee("1", 1))).map(written));
    note(store.delete_table(&dropped).map(done));
    note(store.swept().map(done));

    let queue: QueueName = "photos-to-shrink".parse().unwrap();
    note(store.create_queue(&queue, Metadata::new()).map(|_| "created".to_owned()));
    note(store.put_message(&queue, PutMessage::new("photo 223")).map(|_| "put".to_owned()));
    note(store.put_message(&queue, PutMessage::new("photo 224")).map(|_| "put".to_owned()));
    for message in store.get_messages(&queue, GetMessages::new()).unwrap() {
        note(Ok(message.text));
        note(store.delete_message(&queue, message.id, &message.pop_receipt).map(done));
    }

    note(store.create_container(&photo().container, Metadata::new()).map(|_| "created".to_owned()));
    let mut writer = store.write_blob(&photo(), PutBlob::new()).unwrap();
    for part in 0..20 {
        writer.write(&[part; 10_000]).unwrap();
    }
    note(writer.finish().map(|_| "written".to_owned()));
    results
}

/// Reads what the program has written.
pub(crate) fn contents(store: &BlockingStore) -> Vec<String> {
    let table = "Employees".parse().unwrap();
    let mut contents = Vec::new();
    for name in store.list_tables(ListTables::new()).unwrap().tables {
        contents.push(format!("table {name}"));
    }
    let query =
        Query { filter: Some(Filter::parse("RowKey ge '3' and Age lt 40").unwrap()), ..Query::default() };
    for row in &store.query(&table, query).unwrap().rows {
        contents.push(format!("{:?} {:?}", row.row_key, row.properties.get("Age")));
    }
    let first = store.get(&table, "Sales", "1", None).unwrap().unwrap();
    contents.push(format!("{:?}", first.properties));
    for message in store.peek_messages(&"photos-to-shrink".parse().unwrap(), 32).unwrap() {
        contents.push(message.text);
    }
    let blob = store.get_blob(&photo(), ReadBlob::new().range(9_990..10_010)).unwrap();
    contents.push(format!("{blob:?}"));
    contents
}
