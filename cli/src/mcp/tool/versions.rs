use super::{Access, Spec, entities::data_only};
use crate::{
    mcp::{
        failure::Failure,
        given::Given,
        limits,
        output::Output,
        parameter::{Kind, Parameter},
        session::Session,
        stop::Stop,
    },
    versions,
};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "count_versions",
    title: "Count entity types and versions",
    about: data_only!(
        "Reads all tables and counts the rows of each entity type and version of the library, index rows included. \
         Rows without a type are listed without one. Ends after 100,000 rows; `complete` is then false."
    ),
    access: Access::Read,
    parameters: &[Parameter::new(
        "entities",
        Kind::Texts(100),
        "Entity types to count, without their version [default: all]",
        "[\"Employee\"]",
    )],
};

pub(super) async fn run(session: &Session, stop: &Stop, given: &Given) -> Result<Output, Failure> {
    let entities = given.texts("entities").unwrap_or_default();
    let opened = session.open_to_read(stop).await?;
    let count = async { Ok(versions::counted(&opened.place, &entities, limits::SCANNED).await?) };
    let done = stop.limit(count).await;
    let object = opened.end(done).await?;
    Ok(Output::Json(object.to_string()))
}
