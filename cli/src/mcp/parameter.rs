//! Parameters of tools: the schema that is listed is also the one that is checked.

use serde_json::{Map, Value, json};

use crate::members::with;

/// A named argument of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    about: &'static str,
    /// An example, as JSON.
    example: &'static str,
}

/// Permitted values of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A string with a maximum length in bytes.
    Text(usize),
    /// An array with a maximum number of strings.
    Texts(usize),
    /// An integer from 1 to a maximum.
    Integer(u32),
    Flag,
    /// An object with any members.
    Object,
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl Parameter {
    pub(super) const fn new(
        name: &'static str,
        kind: Kind,
        about: &'static str,
        example: &'static str,
    ) -> Self {
        Self { name, kind, is_required: false, about, example }
    }

    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    fn schema(&self) -> Value {
        let schema = match self.kind {
            Kind::Text(most) => json!({ "type": "string", "maxLength": most }),
            Kind::Texts(most) => json!({ "type": "array", "items": { "type": "string" }, "maxItems": most }),
            Kind::Integer(most) => json!({ "type": "integer", "minimum": 1, "maximum": most }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Object => json!({ "type": "object" }),
            Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        };
        // The examples are constants, and a test reads them.
        let example = serde_json::from_str::<Value>(self.example).unwrap_or_default();
        with(with(schema, "description", self.about), "examples", json!([example]))
    }
}

/// Returns the schema of the arguments.
pub(super) fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.schema())).collect();
    let required = parameters.iter().filter(|parameter| parameter.is_required);
    let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
    Map::from_iter([
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), properties.into()),
        ("required".to_owned(), required.into()),
        ("additionalProperties".to_owned(), false.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::{given::Given, tool::Tool};

    #[test]
    fn every_example_is_accepted() {
        for tool in Tool::ALL {
            let parameters = tool.spec().parameters;
            let example = |parameter: &Parameter| {
                (parameter.name.to_owned(), serde_json::from_str(parameter.example).unwrap())
            };
            let all = parameters.iter().map(example).collect();
            Given::checked(parameters, Some(all)).unwrap_or_else(|error| panic!("{tool:?}: {error}"));
        }
    }
}
