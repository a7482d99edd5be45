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
    let (endpoint, mut request) = (format!("{}/", call.root), list.clone());
    let listed = account.share.aside(call.probe.queued(async {
        loop {
            let segment = account.queues.list_queues(request.clone()).await?;
            let body = write_queues(&endpoint, &list, &segment);
            match account.share.fewer(&body, segment.queues.len()) {
                None => return Ok::<_, Refusal>((body, segment.queues.len())),
                fewer => request.max_results = fewer,
            }
        }
    }));
    let (body, count) = listed.await?;
    Ok(xml(StatusCode::OK, body).facts(facts(count)))
}
