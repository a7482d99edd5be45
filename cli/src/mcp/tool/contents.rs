use super::{
    Access, Spec,
    entities::{self, TABLE, data_only},
};
use crate::{
    mcp::{failure::Failure, given::Given, limits, output::Output, session::Session, stop::Stop},
    stats,
};

pub(in crate::mcp) const LIST: Spec = Spec {
    name: "list_contents",
    title: "List tables, queues and containers",
    about: "Lists the tables, the queues with their approximate number of messages, and the blob containers of the \
            store. Cheap: no entity is read.",
    access: Access::Read,
    parameters: &[],
};

pub(in crate::mcp) const SCAN: Spec = Spec {
    name: "scan_table",
    title: "Measure a table",
    about: data_only!(
        "Reads a table and returns its stored schema: the names of the properties with their types and counts, the \
         number and bytes of entities and partitions, and the largest partitions. Ends after 100,000 entities; \
         `complete` is then false. On a served account, each 1,000 entities are a request that costs money."
    ),
    access: Access::Read,
    parameters: &[TABLE],
};

pub(super) async fn list(session: &Session, stop: &Stop) -> Result<Output, Failure> {
    let opened = session.open_to_read(stop).await?;
    let done = stop.limit(async { Ok(stats::contents(&opened.place).await?) }).await;
    let object = opened.end(done).await?;
    Ok(Output::Json(object.to_string()))
}

pub(super) async fn scan(session: &Session, stop: &Stop, given: &Given) -> Result<Output, Failure> {
    let table = entities::table(given)?;
    let opened = session.open_to_read(stop).await?;
    let scan = async { Ok(stats::scanned(&opened.place, &table, limits::SCANNED).await?) };
    let done = stop.limit(scan).await;
    let object = opened.end(done).await?;
    Ok(Output::Json(object.to_string()))
}
