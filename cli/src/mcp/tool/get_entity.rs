use super::{
    Access, Spec,
    entities::{self, PARTITION, ROW, SELECT, TABLE, data_only},
};
use crate::mcp::{failure::Failure, given::Given, output::Output, session::Session, stop::Stop};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "get_entity",
    title: "Read an entity",
    about: data_only!(
        "Reads the entity with these keys: one point read, the cheapest request. The result contains the \
         properties, annotations such as \"Big@odata.type\" for types that JSON does not distinguish, and \
         `odata.etag`."
    ),
    access: Access::Read,
    parameters: &[TABLE, PARTITION.required(), ROW.required(), SELECT],
};

pub(super) async fn run(session: &Session, stop: &Stop, given: &Given) -> Result<Output, Failure> {
    let table = entities::table(given)?;
    let select = entities::select(given);
    let (partition, row) = (given.required("partition"), given.required("row"));
    let opened = session.open_to_read(stop).await?;
    let find = async { Ok(opened.place.tables.find(&table, partition, row, select.as_deref()).await?) };
    let done = stop.limit(find).await;
    let rows = opened.end(done).await?;
    match rows.iter().next() {
        Some(row) => Ok(Output::Json(entities::entity(&table, select.as_deref(), &row))),
        None => Err(Failure::new(
            "no entity has these keys",
            "call `query_entities` with a range of rows for the keys that exist",
        )),
    }
}
