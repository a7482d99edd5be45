//! The table service.
//!
//! A request is processed in steps. The operation is derived from method and address ([`asked`]), its permissions are
//! checked, and then the body is read. A write produces the same [`answer`] alone and in a batch.

mod answer;
mod asked;
mod batch;
mod catalog;
mod negotiated;
mod options;
mod page;
mod query;
mod write;

use http::{HeaderMap, header};
use table_model::{ErrorCode, TableError, TableName};

use super::{Call, Facts, Grant, Refusal, Reply, RequestBody, ServedAccount, refused};
use crate::wire::{operation::effective_method, path::TablePath};
use asked::Asked;
use negotiated::Negotiated;

/// Maximum size of a body, which is the limit of a batch. An entity of 1 MiB in JSON is smaller unless most of it is
/// escaped.
const BODY_BYTES: usize = 4 << 20;

/// First version with JSON; earlier versions use Atom.
const SPEAKS_JSON: &str = "2013-08-15";

/// Executes a request to the tables of an account.
pub(crate) async fn serve(account: &ServedAccount, grant: &Grant, call: &Call, body: RequestBody) -> Reply {
    let mut facts = Facts::default();
    let served = Served { account, grant, call };
    match served.answer(&mut facts, body).await {
        Ok(reply) => reply.facts(facts),
        Err(refusal) => refused(call, &refusal).facts(facts),
    }
}

/// A request with its account and its permissions.
#[derive(Clone, Copy)]
struct Served<'a> {
    account: &'a ServedAccount,
    grant: &'a Grant,
    call: &'a Call,
}

impl Served<'_> {
    async fn answer(self, facts: &mut Facts, body: RequestBody) -> Result<Reply, Refusal> {
        let call = self.call;
        let path = TablePath::parse(&call.path)?;
        let tunnelled =
            call.headers.get_all("x-http-method").iter().map(|verb| verb.to_str().unwrap_or_default());
        let method = effective_method(call.method.as_str(), tunnelled)?;
        let asked = Asked::of(method, path, call.headers.contains_key(header::IF_MATCH))?;
        *facts = Facts::of(asked.name());
        call.probe.set_operation(asked.name());
        self.grant.permit(&asked.need())?;
        if let Some(table) = asked.table() {
            self.grant.permit_table(&table_name(table)?)?;
            call.probe.set_table(table);
        }
        if call.secondary && !asked.is_read() {
            let message = "Write operations are not allowed.";
            return Err(TableError::with_message(ErrorCode::InsufficientAccountPermissions, message).into());
        }
        if (asked.is_read() || asked.has_body()) && call.version() < SPEAKS_JSON {
            return Err(ErrorCode::JsonFormatNotSupported.into());
        }
        if asked.has_body() && !is_framed(&call.headers) {
            return Err(ErrorCode::MissingContentLengthHeader.into());
        }
        let negotiated = Negotiated::of_call(call);
        match asked {
            Asked::QueryTables => self.query_tables(facts, negotiated.level?).await,
            Asked::QueryTable(name) => self.query_table(facts, &name, negotiated.level?).await,
            Asked::CreateTable => self.create_table(negotiated, body).await,
            Asked::DeleteTable(name) => self.delete_table(&name).await,
            Asked::QueryEntities(table) => self.query_entities(facts, &table, negotiated.level?).await,
            Asked::QueryEntity(path) => {
                let select = options::Options::of(&call.query)?.select;
                self.query_entity(facts, &path, select.as_ref(), negotiated.level?)
                    .await
                    .map(answer::Answer::into_reply)
            }
            Asked::Write(_, path) => self.write(method, &path, negotiated, body).await,
            Asked::Batch => self.batch(body).await,
            Asked::Beneath(table) => Err(self.nothing_beneath(&table).await),
        }
    }
}

/// Parses the table name of an address. The system tables of the service cannot be created here, so they do not exist.
fn table_name(name: &str) -> Result<TableName, TableError> {
    TableName::new(name)
        .map_err(|error| if name.starts_with("$Metrics") { ErrorCode::TableNotFound.into() } else { error })
}

/// Returns `true` if the end of the body is defined.
fn is_framed(headers: &HeaderMap) -> bool {
    headers.contains_key(header::CONTENT_LENGTH) || headers.contains_key(header::TRANSFER_ENCODING)
}
