//! HTTP status of an error in a web service.

use table_model::ErrorCode;

use super::Error;

impl Error {
    /// Returns the status with which a web service can respond to its own client if a request fails with this error.
    ///
    /// | status | errors |
    /// |---|---|
    /// | 400 | a key, value, property or cursor of the request is invalid |
    /// | 404 | the entity does not exist |
    /// | 409 | the entity or a unique value exists already, or concurrent writers changed the entity in all attempts |
    /// | 412 | the entity was changed since it was read |
    /// | 413 | the entity or transaction is too large |
    /// | 422 | the function of `#[table(validate = function)]` rejected the entity |
    /// | 503 | the server is busy or not reachable; retry later |
    /// | 504 | the outcome of a write is unknown; read before retrying |
    /// | 500 | all others: errors of the program, of stored data or of its configuration |
    ///
    /// The status of the service itself is not passed on, because it describes the request of this program: for example,
    /// 403 means that its account key is wrong. The text of an error contains keys and addresses: log it, and respond with
    /// the status.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&employee(1)).await?;
    /// let status = |result: Result<_>| result.err().map(|error| error.http_status());
    /// assert_eq!(status(tables.insert(&employee(1)).await), Some(409));
    /// assert_eq!(status(tables.replace_any(&employee(2)).await), Some(404));
    /// let invalid = Employee { department: "a/b".into(), ..employee(3) };
    /// assert_eq!(status(tables.insert(&invalid).await), Some(400));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn http_status(&self) -> u16 {
        match self.root() {
            Self::Key(_) | Self::Value(_) | Self::Property(_) | Self::Cursor(_) => 400,
            Self::Invalid(_) => 422,
            Self::NotConnected(_) => 503,
            _ if self.is_outcome_unknown() => 504,
            _ if self.is_not_found() && self.code() == Some(ErrorCode::ResourceNotFound) => 404,
            Self::Contended { .. } | Self::Unique(_) => 409,
            _ => status_of(self.code()),
        }
    }
}

/// Returns the status of a code of the service.
const fn status_of(code: Option<ErrorCode>) -> u16 {
    match code {
        Some(ErrorCode::EntityAlreadyExists) => 409,
        Some(ErrorCode::UpdateConditionNotSatisfied) => 412,
        Some(
            ErrorCode::EntityTooLarge | ErrorCode::PropertyValueTooLarge | ErrorCode::RequestBodyTooLarge,
        ) => 413,
        Some(ErrorCode::ServerBusy) => 503,
        _ => 500,
    }
}

#[cfg(test)]
mod tests {
    use table_model::TableError;

    use super::*;

    #[test]
    fn the_status_is_that_for_the_client_of_the_program() {
        let of = |code| Error::from(TableError::new(code)).http_status();
        assert_eq!(of(ErrorCode::UpdateConditionNotSatisfied), 412);
        assert_eq!(of(ErrorCode::AuthenticationFailed), 500, "the key of the program, not of its client");
        assert_eq!(of(ErrorCode::TableNotFound), 500);
        assert_eq!([of(ErrorCode::ServerBusy), of(ErrorCode::OperationTimedOut)], [503, 504]);
        assert_eq!(Error::from(TableError::not_connected("nobody listens")).http_status(), 503);
    }
}
