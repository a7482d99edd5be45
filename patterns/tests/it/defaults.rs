//! Default values of fields that older rows lack.

use table_patterns::{Stored, prelude::*};

/// The type before it had defaults.
mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Plans", partition = "{tenant}", row = "{id:04}", entity_type = "Plan")]
    pub(super) struct Plan {
        pub(super) tenant: String,
        pub(super) id: u32,
    }
}

fn quota() -> u32 {
    50
}

mod texts {
    pub(super) fn region() -> String {
        "westeurope".to_owned()
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Plans", partition = "{tenant}", row = "{id:04}", entity_type = "Plan")]
#[table(index(by_region, row = "region_{region}_{id:04}"))]
struct Plan {
    tenant: String,
    id: u32,
    #[table(default = quota)]
    quota: u32,
    #[table(default = texts::region)]
    region: String,
    #[table(json, default = Vec::new)]
    tags: Vec<String>,
    #[table(default)]
    visits: i64,
}

#[test]
fn missing_properties_are_results_of_functions() {
    let tables = Tables::in_memory().unwrap();
    let tables = tables.blocking();
    tables.insert(&before::Plan { tenant: "contoso".into(), id: 1 }).unwrap();
    let read = || tables.get(&Plan::point("contoso", 1)).unwrap().unwrap();
    let mut plan: Stored<Plan> = read();
    let expected = Plan {
        tenant: "contoso".into(),
        id: 1,
        quota: 50,
        region: texts::region(),
        tags: Vec::new(),
        visits: 0,
    };
    assert_eq!(*plan, expected);
    assert!(plan.unread().next().is_none());
    plan.quota = 0;
    tables.replace(&plan).unwrap();
    assert_eq!(read().quota, 0, "a stored value is not replaced");
    let indexed = tables.get(&Plan::by_region("contoso", "westeurope", 1)).unwrap();
    assert_eq!(indexed.map(|plan| plan.quota), Some(0));
}

#[test]
fn design_contains_the_names_of_functions() {
    let design = Plan::DESIGN.declared();
    let functions: Vec<_> = design
        .fields
        .iter()
        .filter_map(|field| Some((field.name.as_str(), field.default_function()?)))
        .collect();
    assert_eq!(functions, [("quota", "quota()"), ("region", "texts::region()"), ("tags", "Vec::new()")]);
}
