use super::{
    Accounts, Call, Reply, RequestBody, authenticate, blobs, queues, refuse_unknown, refused, tables,
};
use crate::ServiceKind;

/// Answers a request: its account is found, its signature is checked, and the service it was sent to is asked.
pub async fn dispatch(accounts: &Accounts, call: &Call, body: RequestBody) -> Reply {
    let Some(account) = accounts.find(&call.account) else {
        return refused(call, &refuse_unknown(call));
    };
    let grant = match authenticate(account, call).await {
        Ok(grant) => grant,
        Err(refusal) => return refused(call, &refusal),
    };
    match call.kind {
        ServiceKind::Blob => blobs::serve(account, &grant, call, body).await,
        ServiceKind::Queue => queues::serve(account, &grant, call, body).await,
        ServiceKind::Table => tables::serve(account, &grant, call, body).await,
    }
}
