use table_codegen::Source;

use super::{Access, Spec};
use crate::{
    advise,
    design::Design,
    mcp::{
        failure::Failure,
        files::Files,
        given::Given,
        limits,
        output::Output,
        parameter::{Kind, Parameter},
    },
};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "advise",
    title: "Advise on a design",
    about: "Reports the problems, the query classes, the cost per month and the scaling of a table design for Azure \
            Table storage or an embedded store, as Markdown: findings with fixes, requests and price of each query, \
            the rows and requests of each write. An invalid design is an error with the line of each mistake. Pass \
            `design` or `file`. The resource tables://guide/design-files describes the language.",
    access: Access::Design,
    parameters: &[
        Parameter::new("design", Kind::Text(limits::FILE), "Text of a design file, in TOML", DESIGN),
        Parameter::new(
            "file",
            Kind::Text(4096),
            "Path of a design file, relative to the directory of --files",
            "\"company.toml\"",
        ),
        Parameter::new(
            "load",
            Kind::Text(limits::FILE),
            "TOML with queries, load, prices, targets and lint that override those of the design",
            r#""tables = 1\n[load.Employee]\ncount = 5_000_000\n""#,
        ),
    ],
};

const DESIGN: &str = r#""tables = 1\n[entity.Employee]\ntable = \"Employees\"\npartition = \"{department}\"\nrow = \"empid_{id:06}\"\n[entity.Employee.fields]\ndepartment = \"string(40)\"\nid = \"u32\"\nage = \"i32?\"\n[query.older]\nfind = \"Employee\"\nwhere = \"department = ? and age > 20%\"\nrate = \"40/s\"\n[load.Employee]\ncount = 100_000\n""#;

pub(super) fn run(files: &Files, given: &Given) -> Result<Output, Failure> {
    let source = match (given.text("design"), given.text("file")) {
        (Some(design), None) => Source::new("design", design),
        (None, Some(file)) => files.read(file, "toml")?,
        _ => return Err(Failure::told("expected one of `design` and `file`")),
    };
    let name = source.name.clone();
    let load = given.text("load").map(|load| Source::new("load", load));
    let design = Design::of(source, load)?;
    Ok(Output::Text(advise::in_markdown(&name, &design)))
}
