//! Conversions into [`Error`], and errors of operations as errors of transactions.

use table_model::{ErrorCode, TableError};

use super::{DecodeError, Error, PropertyValueError, TransactionError};
use crate::{Address, core::key::EntityKeyError};

impl Error {
    pub(crate) fn no_random(reason: getrandom::Error) -> Self {
        Self::NoRandom(reason.to_string().into())
    }

    /// Returns the same error with the index of the operation in its transaction.
    pub(crate) fn at(self, index: usize) -> Self {
        match self {
            Self::Service(error) => Self::Service(error.at(index)),
            other => other,
        }
    }

    /// Returns the error of a verb that sent its own transaction, without the operation index, which has no meaning for
    /// the caller.
    pub(crate) fn alone(self) -> Self {
        match self {
            Self::Service(error) => Self::Service(error.without_index()),
            other => other,
        }
    }

    /// Names the entity in the error of an insert of an entity that exists.
    pub(crate) fn naming(self, inserted: impl FnOnce() -> Option<Address>) -> Self {
        match self {
            Self::Service(error) if error.code() == ErrorCode::EntityAlreadyExists => match inserted() {
                Some(address) => Self::AlreadyExists(Box::new(address)),
                None => Self::Service(error),
            },
            other => other,
        }
    }

    /// Names the operation and its entity in the error of a transaction with an operation that the service rejected,
    /// because the entity exists or does not exist.
    pub(crate) fn of_operation(self, address: impl FnOnce(usize) -> Option<Address>) -> Self {
        let Self::Service(error) = &self else { return self };
        let rejected = match error.code() {
            ErrorCode::EntityAlreadyExists => Self::AlreadyExists,
            ErrorCode::ResourceNotFound => Self::NotFound,
            _ => return self,
        };
        match error.index().and_then(|index| Some((index, address(index)?))) {
            Some((index, address)) => {
                let error = Box::new(rejected(Box::new(address)));
                Self::Transaction(Box::new(TransactionError::Operation { index, error }))
            }
            None => self,
        }
    }

    /// Returns the error of an operation as the error of a group that contains only this operation.
    pub(crate) fn at_first(self) -> Self {
        match self {
            Self::Service(error) => Self::Service(error.at(0)),
            Self::Unique(mut violation) => {
                violation.operation = 0;
                Self::Unique(violation)
            }
            other => other,
        }
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        if error.is_not_connected() { Self::NotConnected(error) } else { Self::Service(error) }
    }
}

impl From<EntityKeyError> for Error {
    fn from(problem: EntityKeyError) -> Self {
        Box::new(problem).into()
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Box::new(error).into()
    }
}

impl From<PropertyValueError> for Error {
    fn from(error: PropertyValueError) -> Self {
        Box::new(error).into()
    }
}
