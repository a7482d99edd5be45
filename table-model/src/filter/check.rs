use super::{Filter, word};
use crate::{
    ErrorCode, TableError, Value,
    limits::{FILTER_BYTES, FILTER_COMPARISONS, FILTER_DEPTH},
    name,
};

/// Maximum number of bytes of a comparison besides its name and the content of its literal: operator, prefix, quotes,
/// numbers, parentheses and the joining word.
const COMPARISON_BYTES: usize = 64;

impl Filter {
    /// Checks a filter that was built in code: the number of comparisons, the depth, the names and the printed length.
    /// A valid filter can be printed and parsed again, and is executed like a parsed filter.
    ///
    /// # Errors
    /// `InvalidInput`, or `PropertyNameInvalid` and `PropertyNameTooLong` for a name.
    ///
    /// ```
    /// use table_model::Filter;
    ///
    /// let days = (0..16).map(|day| Filter::eq("PartitionKey", format!("2014-07-{day:02}")));
    /// let filter = Filter::Or(days.collect());
    /// assert!(filter.check().unwrap_err().message().contains("16 comparisons"));
    /// ```
    pub fn check(&self) -> Result<(), TableError> {
        let mut count = Count::default();
        count.visit(self, 0)?;
        if count.comparisons > FILTER_COMPARISONS {
            return refuse(&format!(
                "The filter has {} comparisons; at most {FILTER_COMPARISONS} are allowed. Send several \
                 queries.",
                count.comparisons
            ));
        }
        // The estimate is never too low. The filter is only printed if the estimate exceeds the limit.
        if count.bytes > FILTER_BYTES {
            let length = self.to_string().len();
            if length > FILTER_BYTES {
                return refuse(&format!(
                    "The filter has {length} bytes; at most {FILTER_BYTES} are allowed. Shorten its values."
                ));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Count {
    comparisons: usize,
    bytes: usize,
}

impl Count {
    fn visit(&mut self, filter: &Filter, depth: usize) -> Result<(), TableError> {
        if depth > FILTER_DEPTH {
            return refuse(&format!("The filter is nested more than {FILTER_DEPTH} levels deep."));
        }
        match filter {
            Filter::Compare { property, value, .. } => self.comparison(property, Some(value)),
            Filter::Flag(property) => self.comparison(property, None),
            Filter::Constant(_) => Ok(()),
            Filter::And(parts) | Filter::Or(parts) => {
                parts.iter().try_for_each(|part| self.visit(part, depth + 1))
            }
            Filter::Not(inner) => self.visit(inner, depth + 1),
        }
    }

    fn comparison(&mut self, property: &str, value: Option<&Value>) -> Result<(), TableError> {
        if !name::SYSTEM.contains(&property) {
            name::check(property)?;
        }
        if word::is_reserved(property) {
            return refuse(&format!(
                "`{property}` is a keyword of the filter language and cannot be used as a property name in a \
                 filter."
            ));
        }
        let content = match value {
            Some(Value::String(text)) => text.len(),
            Some(Value::Binary(bytes)) => bytes.len(),
            // Numbers, times and Guids fit into `COMPARISON_BYTES`.
            _ => 0,
        };
        self.comparisons += 1;
        self.bytes = self.bytes.saturating_add(property.len() + 2 * content + COMPARISON_BYTES);
        Ok(())
    }
}

fn refuse(what: &str) -> Result<(), TableError> {
    let message = format!("{} {what}", ErrorCode::InvalidInput.message());
    Err(TableError::with_message(ErrorCode::InvalidInput, message))
}
