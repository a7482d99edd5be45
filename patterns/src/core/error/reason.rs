use super::{DecodeError, Error, PropertyValueError, RowError};

impl Error {
    /// Returns the message of the error without values of properties, for a string that is stored or logged. Keys remain.
    pub(crate) fn reason(&self) -> String {
        self.without_values().map_or_else(|| self.to_string(), |error| error.to_string())
    }

    /// Returns the error without values of properties, or `None` if it contains none.
    fn without_values(&self) -> Option<Self> {
        match self {
            Self::Value(reason) => Some(Self::Value(reason.without_value())),
            Self::Property(error) => {
                let error = PropertyValueError { reason: error.reason.without_value(), ..(**error).clone() };
                Some(error.into())
            }
            Self::Decode(error) => {
                let RowError::Property(problem) = &*error.problem else { return None };
                let mut problem = problem.clone();
                problem.reason = problem.reason.without_value();
                let problem = Box::new(RowError::Property(problem));
                Some(DecodeError { problem, ..(**error).clone() }.into())
            }
            Self::DeadLettered { record, cause } => {
                let (record, cause) = (record.clone(), Box::new(cause.without_values()?));
                Some(Self::DeadLettered { record, cause })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use table_model::TableName;

    use crate::{PropertyError, ValueError};

    use super::*;

    #[test]
    fn a_reason_has_keys_and_no_values() {
        let (value, key) = ("v-4711".to_owned(), "k-0815".to_owned());
        let json = ValueError::Json(format!("unknown variant `{value}`"));
        for reason in [
            ValueError::out_of_range(&value, "the limit"),
            ValueError::unreadable(&value, "a date"),
            ValueError::KeyDiffers { property: value.clone(), key: key.clone() },
            json,
        ] {
            let problem = PropertyError { property: "born".into(), reason: reason.clone() };
            let property = PropertyValueError::new("Person", problem.clone());
            let problem = Box::new(RowError::Property(problem));
            let (partition_key, row_key) = (key.clone(), String::new());
            let decode = DecodeError { entity: "Person", partition_key, row_key, problem };
            let table = TableName::new("People").unwrap();
            let record = crate::Address { table, partition_key: key.clone(), row_key: String::new() };
            let cause = Box::new(Error::from(decode.clone()));
            let errors = [
                Error::Value(reason),
                property.into(),
                decode.into(),
                Error::DeadLettered { record: Box::new(record), cause },
            ];
            for error in errors {
                assert!(error.to_string().contains(&value), "{error}");
                let reason = error.reason();
                assert!(!reason.contains(&value), "{reason}");
                let shows_key = matches!(error, Error::Decode(_) | Error::DeadLettered { .. });
                assert!(!shows_key || reason.contains(&key), "{reason}");
            }
        }
    }
}
