use table_model::{
    Condition, ETag, Entity, ErrorCode, Filter, Operation, Query, TableName, TableService, Timestamp, Uuid,
    Value, ValueRef, service::ListTables,
};
use table_rest::client::Account;

use super::{code, fresh};

/// Tests all table operations.
pub(crate) async fn all(account: &Account) {
    let tables = account.tables().unwrap();
    tables_are_made_listed_and_deleted(&tables).await;
    let table: TableName = fresh("t").parse().unwrap();
    tables.create_table(&table).await.unwrap();
    every_type_comes_back_as_it_was_sent(&tables, &table).await;
    a_selection_gives_what_it_names(&tables, &table).await;
    conditions_decide_about_writes(&tables, &table).await;
    queries_go_on_where_they_ended(&tables, &table).await;
    orders_are_those_of_the_capabilities(&tables, &table).await;
    bad_input_is_refused_before_it_is_sent(&tables, &table).await;
    transactions_are_whole(&tables, &table).await;
    tables.delete_table(&table).await.unwrap();
}

async fn tables_are_made_listed_and_deleted(tables: &dyn TableService) {
    let table: TableName = fresh("t").parse().unwrap();
    tables.create_table(&table).await.unwrap();
    assert_eq!(code(tables.create_table(&table).await), ErrorCode::TableAlreadyExists);
    let mut found = Vec::new();
    let mut list = ListTables::new();
    loop {
        let segment = tables.list_tables(list).await.unwrap();
        found.extend(segment.tables);
        let Some(next) = segment.continuation else { break };
        list = ListTables::new().continuation(next);
    }
    assert!(found.contains(&table));
    tables.delete_table(&table).await.unwrap();
    assert_eq!(code(tables.delete_table(&table).await), ErrorCode::ResourceNotFound);
    assert_eq!(code(tables.find(&table, "p", "r", None).await), ErrorCode::TableNotFound);
}

async fn every_type_comes_back_as_it_was_sent(tables: &dyn TableService, table: &TableName) {
    let time: Timestamp = "2014-07-31T18:00:00.1234567Z".parse().unwrap();
    let entity = Entity::new("p'%+ ä", "r&=,()\u{1d11e}")
        .with("Binary", vec![0_u8, 255, 7])
        .with("Boolean", true)
        .with("DateTime", time)
        .with("Double", 10.0)
        .with("Small", 5e-324)
        .with("NaN", f64::NAN)
        .with("Infinite", f64::NEG_INFINITY)
        .with("Guid", Uuid::from_u128(7))
        .with("Int32", i32::MIN)
        .with("Int64", i64::MIN)
        .with("String", "Größe \"\\\n\u{1f600}")
        .with("Empty", "");
    let written = tables.execute(table, &Operation::Insert(entity.clone())).await.unwrap();
    let rows = tables.find(table, &entity.partition_key, &entity.row_key, None).await.unwrap();
    let row = rows.get(0).unwrap();
    assert_eq!(Some(row.etag), written.etag());
    for (name, value) in entity.properties.refs() {
        assert_eq!(row.properties.get(name), Some(value), "{name}");
    }
    let filter =
        Filter::eq("PartitionKey", entity.partition_key.as_str()).and(Filter::ge("Int64", 5_i64 - i64::MAX));
    assert!(tables.query(table, Query::new().filter(filter)).await.unwrap().rows.is_empty());
    let selected = tables
        .find(table, &entity.partition_key, &entity.row_key, Some(&["Int32".into(), "Gone".into()]))
        .await;
    let selected = selected.unwrap();
    assert_eq!(selected.get(0).unwrap().properties.get("Int32"), Some(ValueRef::Int32(i32::MIN)));
    assert_eq!(selected.get(0).unwrap().properties.len(), 1);
}

async fn a_selection_gives_what_it_names(tables: &dyn TableService, table: &TableName) {
    let entity = Entity::new("select", "1").with("A", 1).with("B", 2);
    tables.execute(table, &Operation::Insert(entity)).await.unwrap();
    let filter = || Filter::eq("PartitionKey", "select");
    let select = |names: &'static [&'static str]| Query::new().filter(filter()).select(names.iter().copied());
    let one =
        async |names| tables.query(table, select(names)).await.unwrap().rows.into_iter().next().unwrap();
    let row = one(&["RowKey", "B", "no name"]).await;
    assert_eq!((row.partition_key, row.row_key.as_deref()), (None, Some("1")));
    assert_eq!(row.properties.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["B"]);
    assert!(one(&["no name"]).await.properties.is_empty());
    let nothing = filter().and(Filter::Or(Vec::new()));
    assert!(tables.query(table, Query::new().filter(nothing)).await.unwrap().rows.is_empty());
}

async fn conditions_decide_about_writes(tables: &dyn TableService, table: &TableName) {
    let entity = |age: i32| Entity::new("conditions", "1").with("Age", age);
    assert_eq!(
        code(tables.execute(table, &Operation::Merge(entity(1), Condition::Exists)).await),
        ErrorCode::ResourceNotFound
    );
    let first = tables.execute(table, &Operation::InsertOrMerge(entity(1))).await.unwrap();
    assert_eq!(
        code(tables.execute(table, &Operation::Insert(entity(2))).await),
        ErrorCode::EntityAlreadyExists
    );
    let etag = first.etag().unwrap().clone();
    let second = tables.execute(table, &Operation::Replace(entity(2), etag.clone().into())).await.unwrap();
    assert_ne!(second.etag(), Some(&etag));
    let stale = tables.execute(table, &Operation::Replace(entity(3), etag.clone().into())).await;
    assert_eq!(code(stale), ErrorCode::UpdateConditionNotSatisfied);
    let more = Entity::new("conditions", "1").with("Name", "Jo");
    tables.execute(table, &Operation::Merge(more, Condition::Exists)).await.unwrap();
    let row = tables.get(table, "conditions", "1", None).await.unwrap().unwrap();
    assert_eq!(
        (row.properties.get("Age"), row.properties.get("Name")),
        (Some(&Value::from(2)), Some(&Value::from("Jo")))
    );
    let delete =
        |condition| Operation::Delete { partition_key: "conditions".into(), row_key: "1".into(), condition };
    assert_eq!(
        code(tables.execute(table, &delete(etag.into())).await),
        ErrorCode::UpdateConditionNotSatisfied
    );
    tables.execute(table, &delete(Condition::Exists)).await.unwrap();
    assert_eq!(code(tables.execute(table, &delete(Condition::Exists)).await), ErrorCode::ResourceNotFound);
    assert!(tables.find(table, "conditions", "1", None).await.unwrap().is_empty());
}

async fn queries_go_on_where_they_ended(tables: &dyn TableService, table: &TableName) {
    for number in 0..25 {
        let entity = Entity::new("pages", format!("{number:03}")).with("Number", number);
        tables.execute(table, &Operation::Insert(entity)).await.unwrap();
    }
    let mut query =
        Query::new().filter(Filter::eq("PartitionKey", "pages").and(Filter::lt("Number", 20))).top(7);
    let mut keys = Vec::new();
    loop {
        let segment = tables.query(table, query.clone()).await.unwrap();
        keys.extend(segment.rows.iter().filter_map(|row| row.row_key.map(str::to_owned)));
        let Some(next) = segment.continuation else { break };
        query.continuation = Some(next);
    }
    assert_eq!(keys, (0..20).map(|number| format!("{number:03}")).collect::<Vec<_>>());
}

async fn bad_input_is_refused_before_it_is_sent(tables: &dyn TableService, table: &TableName) {
    let insert = |entity| Operation::Insert(entity);
    assert_eq!(
        code(tables.execute(table, &insert(Entity::new("a/b", "1"))).await),
        ErrorCode::OutOfRangeInput
    );
    assert_eq!(
        code(tables.execute(table, &insert(Entity::new("a", "x".repeat(513)))).await),
        ErrorCode::KeyValueTooLarge
    );
    assert_eq!(code(tables.query(table, Query::new().top(1001)).await), ErrorCode::InvalidInput);
    let many = Filter::Or((0..16).map(|number| Filter::eq("A", number)).collect());
    assert_eq!(code(tables.query(table, Query::new().filter(many)).await), ErrorCode::InvalidInput);
}

async fn transactions_are_whole(tables: &dyn TableService, table: &TableName) {
    let entity = |row: i32| Entity::new("egt's %41", format!("{row:03}")).with("Row", row);
    let all: Vec<_> = (0..100).map(|row| Operation::Insert(entity(row))).collect();
    let written = tables.transact(table, &all).await.unwrap();
    assert_eq!(written.len(), 100);
    let row = tables.get(table, "egt's %41", "042", None).await.unwrap().unwrap();
    assert_eq!(Some(&row.etag), written[42].etag());
    let delete = Operation::Delete {
        partition_key: "egt's %41".into(),
        row_key: "000".into(),
        condition: written[0].etag().unwrap().clone().into(),
    };
    let mixed =
        [delete.clone(), Operation::Merge(entity(1), Condition::Exists), Operation::Insert(entity(2))];
    let error = tables.transact(table, &mixed).await.unwrap_err();
    assert_eq!((error.code(), error.index()), (ErrorCode::EntityAlreadyExists, Some(2)));
    assert!(tables.get(table, "egt's %41", "000", None).await.unwrap().is_some());
    let written = tables.transact(table, &[delete, Operation::InsertOrReplace(entity(100))]).await.unwrap();
    assert_eq!(written[0].etag(), None);
    assert!(written[1].etag().is_some());
    let twice = [Operation::Insert(entity(200)), Operation::InsertOrMerge(entity(200))];
    assert_eq!(code(tables.transact(table, &twice).await), ErrorCode::InvalidDuplicateRow);
    let stale = [Operation::Replace(entity(100), ETag::from(Timestamp::UNIX_EPOCH).into())];
    let error = tables.transact(table, &stale).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::UpdateConditionNotSatisfied);
}

async fn orders_are_those_of_the_capabilities(tables: &dyn TableService, table: &TableName) {
    let rows: Vec<_> =
        (0..20).map(|row| Operation::Insert(Entity::new("order", format!("{row:02}")))).collect();
    tables.transact(table, &rows).await.unwrap();
    let query = Query::new().filter(Filter::parse("PartitionKey eq 'order'").unwrap()).top(6);
    if !tables.capabilities().reads_backward {
        assert_eq!(code(tables.query(table, query.descending()).await), ErrorCode::NotImplemented);
        return;
    }
    let read = async |query: Query| {
        let segment = tables.query(table, query).await.unwrap();
        let keys: Vec<_> = segment.rows.iter().map(|row| row.row_key.unwrap().to_owned()).collect();
        (keys, segment.continuation, segment.previous)
    };
    let expected = |rows: std::ops::Range<u32>| rows.rev().map(|row| format!("{row:02}")).collect::<Vec<_>>();
    let back = query.clone().descending();
    let (first, next, previous) = read(back.clone()).await;
    assert_eq!((first, previous), (expected(14..20), None));
    let (second, next, previous) = read(back.clone().continuation(next.unwrap())).await;
    assert_eq!((second, next.is_some()), (expected(8..14), true));
    let (mut before, _, again) = read(query.continuation(previous.unwrap())).await;
    before.reverse();
    assert_eq!(before, expected(14..20));
    assert_eq!(read(back.continuation(again.unwrap())).await.0, expected(8..14));
}
