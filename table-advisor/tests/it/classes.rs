use table_advisor::Model;

use super::{DESIGNS, Differences, schema, vectors};

#[test]
fn every_query_is_answered_as_in_the_vectors() {
    let vectors = vectors("classes.json");
    let mut differences = Differences::default();
    for design in DESIGNS {
        let schema = schema(design);
        let model = Model::new(&schema);
        let expected = vectors[design].as_object().expect("queries");
        assert_eq!(expected.len(), model.accesses().len(), "{design}");
        for access in model.accesses() {
            let expected = &expected[&access.query];
            let of = |what: &str| format!("{design} {} {what}", access.query);
            differences.text(&of("class"), access.class.as_str(), &expected["class"]);
            differences.text(&of("path"), &access.path, &expected["path"]);
            let numbers = [
                ("partitions", access.partitions),
                ("tables", access.tables),
                ("requests", access.requests),
                ("read", access.read),
                ("match", access.matching),
                ("returned", access.returned),
                ("bytes", access.bytes),
                ("fetch", access.fetch),
                ("rate", access.rate),
            ];
            for (what, is) in numbers {
                differences.number(&of(what), is, &expected[what]);
            }
            assert_eq!(expected["tail"].as_bool(), Some(access.is_in_order), "{}", of("tail"));
            assert_eq!(expected["residual"], serde_json::json!(access.residual), "{}", of("residual"));
        }
    }
    differences.end();
}
