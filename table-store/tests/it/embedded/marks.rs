//! Listing of rows with unapplied commit records.

use table_store::{
    Condition, Entity, Operation, Properties, Store, TableName, TableService, service::OutboxKind,
};

fn row(row_key: &str, kind: &str) -> Entity {
    let mut properties = Properties::new();
    properties.set("_k", kind);
    Entity { partition_key: "p".into(), row_key: row_key.into(), properties }
}

fn listed(store: &Store, which: OutboxKind) -> Vec<String> {
    let rows = pollster::block_on(store.list_outbox(which, None, 100)).unwrap();
    rows.into_iter().map(|row| row.row_key).collect()
}

fn send(store: &Store, operation: &Operation) {
    pollster::block_on(store.execute(&TableName::new("Rows").unwrap(), operation)).unwrap();
}

#[test]
fn records_are_listed_until_they_go_and_markers_of_aborted_attempts_never() {
    let store = Store::in_memory().unwrap();
    pollster::block_on(store.create_table(&TableName::new("Rows").unwrap())).unwrap();
    for (row_key, kind) in [("!o_1", "c"), ("!o_2", "a"), ("!o_3", "c"), ("!x_4", "c"), ("o_5", "c")] {
        send(&store, &Operation::Insert(row(row_key, kind)));
    }
    assert_eq!(listed(&store, OutboxKind::Commits), ["!o_1", "!o_3"]);
    assert_eq!(listed(&store, OutboxKind::DeadLetters), ["!x_4"]);

    send(&store, &Operation::InsertOrReplace(row("!o_1", "a")));
    send(&store, &Operation::Merge(row("!o_2", "c"), Condition::Exists));
    assert_eq!(listed(&store, OutboxKind::Commits), ["!o_2", "!o_3"]);

    let delete = |row_key: &str| Operation::Delete {
        partition_key: "p".into(),
        row_key: row_key.into(),
        condition: Condition::Exists,
    };
    for row_key in ["!o_1", "!o_2", "!o_3"] {
        send(&store, &delete(row_key));
    }
    assert_eq!(listed(&store, OutboxKind::Commits), [""; 0]);
}
