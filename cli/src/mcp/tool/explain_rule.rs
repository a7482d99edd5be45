use table_schema::catalogue::Code;

use super::{Access, Spec};
use crate::{
    advise,
    mcp::{
        failure::Failure,
        given::Given,
        output::Output,
        parameter::{Kind, Parameter},
    },
};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "explain_rule",
    title: "Explain a rule",
    about: "Explains a rule of `advise` by its code: condition, reason, pattern, and an example before and after. \
            Lists all rules if `code` is omitted.",
    access: Access::Design,
    parameters: &[Parameter::new("code", Kind::Text(8), "Code of a rule", "\"K01\"")],
};

pub(super) fn run(given: &Given) -> Result<Output, Failure> {
    let code = given.text("code").map(str::parse::<Code>).transpose();
    let code =
        code.map_err(|error| Failure::new(error.to_string(), "omit `code` for the list of all rules"))?;
    Ok(Output::Text(advise::rules(code)))
}
