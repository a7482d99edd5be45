use table_advisor::{Model, OperationKind, Transactions};

use super::{DESIGNS, Differences, schema, vectors};

fn classes(of: &str, is: &Transactions, expected: &serde_json::Value, differences: &mut Differences) {
    let numbers = [
        ("read", is.read),
        ("scan", is.scan),
        ("write", is.write),
        ("batch", is.batch),
        ("delete", is.delete),
        ("queue", is.queue),
        ("blob", is.blob),
    ];
    for (what, is) in numbers {
        differences.number(&format!("{of} {what}"), is, &expected[what]);
    }
}

#[test]
fn every_design_costs_what_the_vectors_say() {
    let vectors = vectors("costs.json");
    let mut differences = Differences::default();
    for design in DESIGNS {
        let schema = schema(design);
        let (costs, expected) = (Model::new(&schema).costs(), &vectors[design]);
        let of = |what: &str| format!("{design} {what}");
        let mut number =
            |what: &str, is: f64, expected: &serde_json::Value| differences.number(&of(what), is, expected);
        number("table bytes", costs.table_bytes, &expected["table_bytes"]);
        number("blob bytes", costs.blob_bytes, &expected["blob_bytes"]);
        number("total", costs.total(), &expected["total"]);
        number("storage", costs.money.storage, &expected["money"]["storage"]);
        number("blob storage", costs.money.blob_storage, &expected["money"]["blob_storage"]);
        let cosmos = &expected["cosmos"];
        number("RU/s", costs.cosmos.average, &cosmos["ru_s_average"]);
        number("RU/s provisioned", costs.cosmos.provisioned, &cosmos["ru_s_provisioned"]);
        number("Cosmos throughput", costs.cosmos.throughput, &cosmos["throughput"]);
        number("Cosmos storage", costs.cosmos.storage, &cosmos["storage"]);
        number("Cosmos total", costs.cosmos.total(), &cosmos["total"]);
        for line in &costs.lines {
            let known = expected["tables"][&line.table].as_array().expect("rows");
            let known = known.iter().find(|row| row["what"] == line.what.as_str()).expect("a kind of rows");
            number(&line.what, line.rows, &known["entities"]);
            number(&line.what, line.bytes_each, &known["bytes_each"]);
        }
        let known = expected["rows"].as_array().expect("operations");
        assert_eq!(known.len(), costs.operations.len(), "{design}");
        for (operation, known) in costs.operations.iter().zip(known) {
            let kind = if operation.kind == OperationKind::Query { "query" } else { "write" };
            assert_eq!(
                (known["kind"].as_str(), known["name"].as_str()),
                (Some(kind), Some(operation.name.as_str()))
            );
            number(&operation.name, operation.per_month, &known["per_month"]);
            number(&operation.name, operation.requests, &known["requests"]);
        }
        classes(&of("requests"), &costs.transactions, &expected["transactions"], &mut differences);
        classes(&of("money"), &costs.money.requests, &expected["money"], &mut differences);
    }
    differences.end();
}
