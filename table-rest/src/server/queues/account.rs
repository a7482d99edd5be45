use http::StatusCode;
use table_model::queue::limits::LIST_RESULTS;

use super::{facts, xml};
use crate::{
    server::{Call, Refusal, Reply, ServedAccount, resource::explain},
    wire::queues::{read_list_parameters, write_queues},
};

/// Lists the queues of the account by name.
pub(super) async fn list(account: &ServedAccount, call: &Call) -> Result<Reply, Refusal> {
    let bounds = [("maxresults", 1, LIST_RESULTS as u64)];
    let list = read_list_parameters(&call.query).map_err(|error| explain(call, error, &bounds))?;
    let segment = account.queues.list_queues(list.clone()).await?;
    let body = write_queues(&format!("{}/", call.root), &list, &segment);
    Ok(xml(StatusCode::OK, body).facts(facts(segment.queues.len())))
}
