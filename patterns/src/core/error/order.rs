use table_model::{ErrorCode, QueryClass, TableError, TableService};

use super::Error;

/// A query in [descending order](crate::Query::descending) that cannot run. No rows were read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The backend reads keys in ascending order only: the protocol of the service has no other request.
    #[error(
        "the backend `{backend}` reads keys in ascending order only; declare a key or an index in descending order, such as \
         `{{version:inverted_06}}` or `{{at:inverted_ticks}}`"
    )]
    Backend {
        /// Name of the backend.
        backend: &'static str,
    },
    /// The query reads points or the members of a lookup, which have the order of their list.
    #[error("a {class} query reads its points in their given order; reverse the points, or sort the items")]
    Class {
        /// Class of the query.
        class: QueryClass,
    },
}

impl OrderError {
    /// Returns the error of a query. A backend that was not known may reject the order at the first request.
    pub(crate) fn of_query(service: &dyn TableService, descending: bool, error: TableError) -> Error {
        if descending && error.code() == ErrorCode::NotImplemented {
            return Self::Backend { backend: service.capabilities().name }.into();
        }
        error.into()
    }
}
