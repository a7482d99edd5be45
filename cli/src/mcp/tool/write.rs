use serde_json::{Map, Value, json};
use table_rest::{HIDDEN, wire::entity::EntityBody};
use table_store::{Condition, ETag, Entity, Operation, TableError};

use super::{
    Access, Spec,
    entities::{self, PARTITION, ROW, TABLE},
};
use crate::mcp::{
    failure::Failure,
    given::Given,
    output::Output,
    parameter::{Kind, Parameter},
    session::Session,
    stop::Stop,
};

/// Appends the limitation to one row to the description of a tool that writes.
macro_rules! one_row {
    ($about:literal) => {
        concat!(
            $about,
            " Only this row is written: the rows that a design derives from it, such as index rows, are not. Do not \
             use it on tables of such a design; its program or `tables reindex` maintains them."
        )
    };
}

pub(in crate::mcp) const UPSERT: Spec = Spec {
    name: "upsert_entity",
    title: "Write an entity",
    about: one_row!(
        "Creates an entity, or replaces all its properties. With `etag`, only replaces this version. Returns the new \
         `etag`."
    ),
    access: Access::Write,
    parameters: &[TABLE, PARTITION.required(), ROW.required(), PROPERTIES, ETAG],
};

pub(in crate::mcp) const MERGE: Spec = Spec {
    name: "merge_entity",
    title: "Change properties of an entity",
    about: one_row!(
        "Writes the given properties of an existing entity and keeps its others. Returns the new `etag`."
    ),
    access: Access::Write,
    parameters: &[TABLE, PARTITION.required(), ROW.required(), PROPERTIES, ETAG.required()],
};

pub(in crate::mcp) const DELETE: Spec = Spec {
    name: "delete_entity",
    title: "Delete an entity",
    about: one_row!("Deletes an existing entity."),
    access: Access::Write,
    parameters: &[TABLE, PARTITION.required(), ROW.required(), ETAG.required()],
};

const PROPERTIES: Parameter = Parameter::new(
    "properties",
    Kind::Object,
    "Properties in the JSON format of the service, without the keys: strings, Booleans, 32-bit integers and doubles as \
     they are, other types as strings with an annotation",
    r#"{"Name":"Jo","Age":34,"Salary":"5000000000","Salary@odata.type":"Edm.Int64"}"#,
)
.required();

const ETAG: Parameter = Parameter::new(
    "etag",
    Kind::Text(1024),
    "`odata.etag` of the version that is expected, from `get_entity`; or * for any version",
    r#""W/\"datetime'2026-11-22T00%3A12%3A14.1200421Z'\"""#,
);

/// Creates the operation that the arguments describe.
type Create = fn(&Given) -> Result<Operation, Failure>;

pub(super) async fn run(
    session: &Session,
    stop: &Stop,
    given: &Given,
    create: Create,
) -> Result<Output, Failure> {
    let table = entities::table(given)?;
    if let Some(name) = given.containing(HIDDEN) {
        return Err(Failure::new(
            format!("`{name}` contains {HIDDEN}, which results contain in place of a credential"),
            "use `merge_entity` with the other properties only, which keeps the stored credential; or ask the user to \
             write the entity with another program",
        ));
    }
    let operation = create(given)?;
    let opened = session.open_to_write(stop).await?;
    let done = stop.limit(async { Ok(opened.place.tables.execute(&table, &operation).await?) }).await;
    let written = opened.end(done).await?;
    Ok(Output::Json(match written.etag() {
        Some(etag) => json!({ "etag": etag.to_string() }).to_string(),
        None => json!({ "deleted": true }).to_string(),
    }))
}

pub(super) fn upsert(given: &Given) -> Result<Operation, Failure> {
    let entity = entity(given)?;
    Ok(match condition(given)? {
        Some(condition) => Operation::Replace(entity, condition),
        None => Operation::InsertOrReplace(entity),
    })
}

pub(super) fn merge(given: &Given) -> Result<Operation, Failure> {
    Ok(Operation::Merge(entity(given)?, required_condition(given)?))
}

pub(super) fn delete(given: &Given) -> Result<Operation, Failure> {
    Ok(Operation::Delete {
        partition_key: given.required("partition").to_owned(),
        row_key: given.required("row").to_owned(),
        condition: required_condition(given)?,
    })
}

fn entity(given: &Given) -> Result<Entity, Failure> {
    let properties = given.object("properties").map(Value::to_string).unwrap_or_default();
    let body = EntityBody::read(properties.as_bytes()).map_err(|error| explained(given, error))?;
    if body.partition_key.is_some() || body.row_key.is_some() {
        return Err(Failure::told(
            "`properties` contains a key; pass the keys as `partition` and `row` only",
        ));
    }
    let mut entity = Entity::new(given.required("partition"), given.required("row"));
    entity.properties = body.properties;
    Ok(entity)
}

/// Returns the failure of properties that cannot be read, with the name of the first one that is invalid by itself.
fn explained(given: &Given, error: TableError) -> Failure {
    let properties = given.object("properties").and_then(Value::as_object);
    let invalid = properties.into_iter().flatten().find_map(|(name, value)| {
        if name.contains('@') {
            return None;
        }
        let mut alone = Map::from_iter([(name.clone(), value.clone())]);
        let annotation = format!("{name}@odata.type");
        if let Some(kind) = properties.and_then(|all| all.get(&annotation)) {
            alone.insert(annotation, kind.clone());
        }
        EntityBody::read(Value::from(alone).to_string().as_bytes()).err().map(|error| (name, error))
    });
    match invalid {
        Some((name, error)) => Failure::new(
            format!("property `{}`: {error}", name.chars().take(255).collect::<String>()),
            "pass a string, a Boolean, a 32-bit integer or a double; another type is a string with an annotation, such \
             as \"Salary\":\"5000000000\",\"Salary@odata.type\":\"Edm.Int64\"",
        ),
        None => error.into(),
    }
}

fn condition(given: &Given) -> Result<Option<Condition>, Failure> {
    let Some(text) = given.text("etag") else { return Ok(None) };
    if text == "*" {
        return Ok(Some(Condition::Exists));
    }
    let etag = text.parse::<ETag>();
    let etag =
        etag.map_err(|error| Failure::new(error.to_string(), "pass the etag as it was returned, or *"))?;
    Ok(Some(Condition::Matches(etag)))
}

fn required_condition(given: &Given) -> Result<Condition, Failure> {
    condition(given)?.ok_or_else(|| Failure::told("`etag` is required"))
}
