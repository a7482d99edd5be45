use http::Method;
use table_model::{ErrorCode, TableError};

use super::{
    Accounts, Call, Grant, Refusal, Reply, RequestBody, ServedAccount, authenticate, blobs, cors,
    hosts::{foreign_origin, is_cross_site, refused_origin},
    observe::Stage,
    queues, refuse_unknown, refused, settings,
    share::count_reply,
    tables,
};
use crate::ServiceKind;

/// Executes a request: determines the account, verifies the signature and calls the target service. A page of another
/// site requires a CORS rule that allows it.
pub async fn dispatch(accounts: &Accounts, call: &Call, body: RequestBody) -> Reply {
    let found = accounts.find(&call.account);
    if cors::is_question(call) {
        return cors::answer(found, call).await;
    }
    let Some(account) = found else {
        let refusal =
            foreign_origin(call).map_or_else(|| refuse_unknown(call), |origin| refused_origin(call, origin));
        return refused(call, &refusal);
    };
    let mut reply = match admit_origin(account, call).await {
        Ok(()) => serve(accounts, account, call, body).await,
        Err(refusal) => refused(call, &refusal),
    };
    cors::mark(account, call, &mut reply).await;
    reply
}

/// Rejects a request of a page of another site unless a CORS rule allows it.
async fn admit_origin(account: &ServedAccount, call: &Call) -> Result<(), Refusal> {
    match foreign_origin(call) {
        Some(origin) if !cors::allows(account, call, origin).await? => Err(refused_origin(call, origin)),
        // Getting messages makes them invisible, so this GET is a write.
        None if call.kind == ServiceKind::Queue && is_cross_site(call) => {
            Err(refused_origin(call, "of another site"))
        }
        _ => Ok(()),
    }
}

async fn serve(accounts: &Accounts, account: &ServedAccount, call: &Call, body: RequestBody) -> Reply {
    let grant = match call.probe.time(Stage::Auth, authenticate(account, call)).await {
        Ok(grant) => grant,
        Err(refusal) => return refused(call, &refusal),
    };
    // A client without credentials takes no place of the account.
    let reply = match account.share.enter() {
        Ok(_place) => permitted(accounts, account, &grant, call, body.of(account)).await,
        Err(refusal) => refused(call, &refusal),
    };
    Reply { authenticated: true, ..reply }
}

/// Executes an authenticated request. Its response is counted until it is sent.
async fn permitted(
    accounts: &Accounts,
    account: &ServedAccount,
    grant: &Grant,
    call: &Call,
    body: RequestBody,
) -> Reply {
    let mut reply = execute(accounts, account, grant, call, body).await;
    let is_read = matches!(call.method, Method::GET | Method::HEAD);
    match count_reply(&account.share, &mut reply, is_read) {
        Ok(()) => reply,
        Err(refusal) => refused(call, &refusal).facts(reply.facts),
    }
}

async fn execute(
    accounts: &Accounts,
    account: &ServedAccount,
    grant: &Grant,
    call: &Call,
    body: RequestBody,
) -> Reply {
    if call.secondary && !is_read(call) {
        let message = "Write operations are not allowed.";
        let error = TableError::with_message(ErrorCode::InsufficientAccountPermissions, message);
        return refused(call, &error.into());
    }
    if settings::are_asked(call) {
        return settings::serve(account, grant, call, body).await;
    }
    match call.kind {
        ServiceKind::Blob => {
            // Boxed: this future is large compared with the others.
            let mut reply = Box::pin(blobs::serve(accounts, account, grant, call, body)).await;
            grant.set_headers(call, &mut reply);
            reply
        }
        ServiceKind::Queue => queues::serve(account, grant, call, body).await,
        ServiceKind::Table => tables::serve(account, grant, call, body).await,
    }
}

/// Returns `true` if the method is allowed on the secondary endpoint. The table service checks batches and tunneled
/// methods itself.
fn is_read(call: &Call) -> bool {
    match call.kind {
        ServiceKind::Table if !settings::are_asked(call) => true,
        _ => matches!(call.method, Method::GET | Method::HEAD),
    }
}
