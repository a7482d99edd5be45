use super::*;

#[test]
fn another_order_of_a_key_moves_the_entities() {
    let mut from = employee();
    from.entities[0].indexes.clear();
    for (old, new) in
        [("empid_{id:06}", "empid_{id:inverted_06}"), ("empid_{id:inverted_06}", "empid_{id:06}")]
    {
        from.entities[0].row = Some(old.into());
        let found = changes(&from, |schema| schema.entities[0].row = Some(new.into()));
        assert_eq!(told(&found), [("C17", "Employee", "migrate")]);
    }
}
