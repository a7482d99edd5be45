//! The arguments of a call, checked.

use serde_json::{Map, Value};

use super::{
    failure::Failure,
    parameter::{Kind, Parameter},
};

/// Arguments of the kinds that the tool declares.
#[derive(Debug, Default)]
pub(super) struct Given(Map<String, Value>);

impl Given {
    /// Checks arguments. A null is a missing argument.
    ///
    /// # Errors
    /// Fails if a required argument is missing, or an argument is unknown or has a value that its kind does not permit.
    pub(super) fn checked(
        parameters: &[Parameter],
        arguments: Option<Map<String, Value>>,
    ) -> Result<Self, Failure> {
        let mut arguments = arguments.unwrap_or_default();
        arguments.retain(|_, value| !value.is_null());
        for (name, value) in &arguments {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let name: String = name.chars().take(40).collect();
                return Err(Failure::told(format!(
                    "the tool has no argument `{name}`; its arguments are {}",
                    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
                )));
            };
            if let Some(expected) = refused(parameter.kind, value) {
                return Err(Failure::told(format!("`{}` must be {expected}", parameter.name)));
            }
        }
        let is_missing =
            |parameter: &&Parameter| parameter.is_required && !arguments.contains_key(parameter.name);
        match parameters.iter().find(is_missing) {
            Some(missing) => Err(Failure::told(format!("`{}` is required", missing.name))),
            None => Ok(Self(arguments)),
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Returns a required string. It is empty only if the tool does not declare it.
    pub(super) fn required(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<&str>> {
        let texts = self.0.get(name)?.as_array()?;
        Some(texts.iter().filter_map(Value::as_str).collect())
    }

    pub(super) fn integer(&self, name: &str) -> Option<u32> {
        self.0.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns the argument that contains a string, in a value or a name.
    pub(super) fn containing(&self, text: &str) -> Option<&str> {
        self.0.iter().find(|(_, value)| contains(value, text)).map(|(name, _)| name.as_str())
    }

    pub(super) fn object(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

fn contains(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value.contains(text),
        Value::Array(values) => values.iter().any(|value| contains(value, text)),
        Value::Object(values) => {
            values.iter().any(|(name, value)| name.contains(text) || contains(value, text))
        }
        _ => false,
    }
}

/// Returns the expected values if a value is not permitted.
fn refused(kind: Kind, value: &Value) -> Option<String> {
    let (is_valid, expected) = match kind {
        Kind::Text(most) => (
            value.as_str().is_some_and(|text| text.len() <= most),
            format!("a string of at most {most} bytes"),
        ),
        Kind::Texts(most) => (
            value.as_array().is_some_and(|texts| texts.len() <= most && texts.iter().all(Value::is_string)),
            format!("an array of at most {most} strings"),
        ),
        Kind::Integer(most) => (
            value.as_u64().is_some_and(|number| (1..=u64::from(most)).contains(&number)),
            format!("an integer from 1 to {most}"),
        ),
        Kind::Flag => (value.is_boolean(), "true or false".to_owned()),
        Kind::Object => (value.is_object(), "an object".to_owned()),
        Kind::Choice(words) => {
            (value.as_str().is_some_and(|word| words.contains(&word)), format!("one of {}", words.join(", ")))
        }
    };
    (!is_valid).then_some(expected)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PARAMETERS: [Parameter; 4] = [
        Parameter::new("table", Kind::Text(10), "", "\"T\"").required(),
        Parameter::new("top", Kind::Integer(9), "", "1"),
        Parameter::new("select", Kind::Texts(2), "", "[]"),
        Parameter::new("mode", Kind::Choice(&["a", "b"]), "", "\"a\""),
    ];

    fn checked(arguments: Value) -> Result<Given, String> {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        Given::checked(&PARAMETERS, Some(arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn valid_arguments_are_returned_by_kind() {
        let given = checked(json!({ "table": "T", "top": 9, "select": ["A"], "mode": null })).unwrap();
        assert_eq!((given.required("table"), given.integer("top"), given.text("mode")), ("T", Some(9), None));
        assert_eq!(given.texts("select"), Some(vec!["A"]));
    }

    #[test]
    fn errors_name_the_argument_and_the_permitted_values() {
        for (arguments, error) in [
            (json!({}), "`table` is required"),
            (json!({ "table": 1 }), "`table` must be a string of at most 10 bytes"),
            (json!({ "table": "12345678901" }), "`table` must be a string of at most 10 bytes"),
            (json!({ "table": "T", "top": 0 }), "`top` must be an integer from 1 to 9"),
            (json!({ "table": "T", "top": "5" }), "`top` must be an integer from 1 to 9"),
            (json!({ "table": "T", "select": "A" }), "`select` must be an array of at most 2 strings"),
            (json!({ "table": "T", "mode": "c" }), "`mode` must be one of a, b"),
            (
                json!({ "table": "T", "tip": 1 }),
                "the tool has no argument `tip`; its arguments are table, top, select, mode",
            ),
        ] {
            assert_eq!(checked(arguments).unwrap_err(), format!("error: {error}"));
        }
    }
}
