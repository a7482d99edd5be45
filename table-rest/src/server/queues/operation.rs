use http::Method;
use table_model::{ErrorCode, Uuid, queue::QueueName};

use crate::{
    auth::{Need, ResourceType},
    server::{
        Call, Refusal,
        resource::{missing_parameter, names, wrong_parameter},
    },
};

/// Operations on queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    ListQueues,
    CreateQueue,
    DeleteQueue,
    GetQueueMetadata,
    SetQueueMetadata,
    PutMessage,
    GetMessages,
    PeekMessages,
    ClearMessages,
    UpdateMessage,
    DeleteMessage,
}

impl Operation {
    /// Returns the name in spans and metrics.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ListQueues => "ListQueues",
            Self::CreateQueue => "CreateQueue",
            Self::DeleteQueue => "DeleteQueue",
            Self::GetQueueMetadata => "GetQueueMetadata",
            Self::SetQueueMetadata => "SetQueueMetadata",
            Self::PutMessage => "PutMessage",
            Self::GetMessages => "GetMessages",
            Self::PeekMessages => "PeekMessages",
            Self::ClearMessages => "ClearMessages",
            Self::UpdateMessage => "UpdateMessage",
            Self::DeleteMessage => "DeleteMessage",
        }
    }

    /// Returns the permissions that a signature must grant.
    pub(super) const fn need(self) -> Need {
        use ResourceType::{Container, Object, Service};
        let (resource, account, service): (&[_], &[_], &[_]) = match self {
            Self::ListQueues => (&[Service], &["l"], &[]),
            Self::CreateQueue => (&[Container], &["c", "w"], &[]),
            Self::DeleteQueue => (&[Container], &["d"], &[]),
            Self::GetQueueMetadata => (&[Container], &["r"], &["r"]),
            Self::SetQueueMetadata => (&[Container], &["w"], &[]),
            Self::PutMessage => (&[Object], &["a"], &["a"]),
            Self::GetMessages | Self::DeleteMessage => (&[Object], &["p"], &["p"]),
            Self::PeekMessages => (&[Object], &["r"], &["r"]),
            Self::ClearMessages => (&[Object], &["d"], &["p"]),
            Self::UpdateMessage => (&[Object], &["u"], &["u"]),
        };
        Need { resource, account, service }
    }
}

/// An operation and its target. The names are validated only after the operation is permitted.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) operation: Operation,
    names: Vec<String>,
}

impl Request {
    /// Reads the operation of a request.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri`, `UnsupportedHttpVerb`, `InvalidQueryParameterValue` or `MissingRequiredQueryParameter`.
    pub(super) fn read(call: &Call) -> Result<Self, Refusal> {
        let names = names(&call.path, 3)?;
        let operation = match names.get(1).map(String::as_str) {
            None if names.is_empty() => of_account(call)?,
            None => of_queue(call)?,
            Some("messages") if names.len() == 2 => of_messages(call)?,
            Some("messages") => of_message(call)?,
            Some(_) => return Err(ErrorCode::InvalidUri.into()),
        };
        Ok(Self { operation, names })
    }

    /// Returns the queue name.
    ///
    /// # Errors
    ///
    /// Fails like [`QueueName::new`].
    pub(super) fn queue(&self) -> Result<QueueName, Refusal> {
        Ok(QueueName::new(self.names.first().map(String::as_str).unwrap_or_default())?)
    }

    /// Returns the message ID; `None` for an invalid ID, which no message has.
    pub(super) fn message(&self) -> Option<Uuid> {
        self.names.get(2).and_then(|id| id.parse().ok())
    }
}

fn of_account(call: &Call) -> Result<Operation, Refusal> {
    match (&call.method, call.query.said("comp")) {
        (&Method::GET, Some("list")) => Ok(Operation::ListQueues),
        (_, Some("list")) => Err(ErrorCode::UnsupportedHttpVerb.into()),
        (_, Some(_)) => Err(wrong_parameter(call, "comp")),
        (_, None) => Err(missing_parameter("comp")),
    }
}

fn of_queue(call: &Call) -> Result<Operation, Refusal> {
    match (&call.method, call.query.said("comp")) {
        (&Method::PUT, None) => Ok(Operation::CreateQueue),
        (&Method::DELETE, None) => Ok(Operation::DeleteQueue),
        (&Method::GET | &Method::HEAD, None) => Err(missing_parameter("comp")),
        (&Method::GET | &Method::HEAD, Some("metadata")) => Ok(Operation::GetQueueMetadata),
        (&Method::PUT, Some("metadata")) => Ok(Operation::SetQueueMetadata),
        (_, None | Some("metadata")) => Err(ErrorCode::UnsupportedHttpVerb.into()),
        (_, Some(_)) => Err(wrong_parameter(call, "comp")),
    }
}

fn of_messages(call: &Call) -> Result<Operation, Refusal> {
    match call.method {
        Method::POST => Ok(Operation::PutMessage),
        Method::GET => match call.query.said("peekonly") {
            Some(peek) if peek.eq_ignore_ascii_case("true") => Ok(Operation::PeekMessages),
            _ => Ok(Operation::GetMessages),
        },
        Method::DELETE => Ok(Operation::ClearMessages),
        _ => Err(ErrorCode::UnsupportedHttpVerb.into()),
    }
}

fn of_message(call: &Call) -> Result<Operation, Refusal> {
    match call.method {
        Method::PUT => Ok(Operation::UpdateMessage),
        Method::DELETE => Ok(Operation::DeleteMessage),
        _ => Err(ErrorCode::UnsupportedHttpVerb.into()),
    }
}
