use table_codegen::Source;

use super::{Access, Spec};
use crate::{
    mcp::{
        failure::Failure,
        files::Files,
        given::Given,
        limits,
        output::Output,
        parameter::{Kind, Parameter},
    },
    schema,
};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "design_from_rust",
    title: "Design of Rust entities",
    about: "Returns the design file, in TOML, of the entities that Rust source files declare with \
            `#[derive(TableEntity)]`. Comments at the top list what a design file does not express. Pass `source` or \
            `files`. Add queries and load to the result, and pass it to `advise`.",
    access: Access::Design,
    parameters: &[
        Parameter::new(
            "source",
            Kind::Text(limits::FILE),
            "Rust source text with the entities and the enums of their fields",
            r##""#[derive(TableEntity)]\n#[table(name = \"Employees\", partition = \"{department}\", row = \"empid_{id:06}\")]\nstruct Employee { department: String, id: u32 }""##,
        ),
        Parameter::new(
            "files",
            Kind::Texts(64),
            "Paths of source files, relative to the directory of --files",
            "[\"src/entities.rs\"]",
        ),
        Parameter::new("name", Kind::Text(128), "Name of the design", "\"company\""),
    ],
};

pub(super) fn run(files: &Files, given: &Given) -> Result<Output, Failure> {
    let sources = match (given.text("source"), given.texts("files")) {
        (Some(source), None) => vec![Source::new("source.rs", source)],
        (None, Some(paths)) => {
            let mut sources = Vec::with_capacity(paths.len());
            let mut bytes = 0;
            for path in paths {
                let source = files.read(path, "rs")?;
                bytes += source.text.len();
                if bytes > limits::FILE {
                    let most = limits::FILE >> 10;
                    return Err(Failure::told(format!(
                        "the files have more than {most} KiB; pass fewer files"
                    )));
                }
                sources.push(source);
            }
            sources
        }
        _ => return Err(Failure::told("expected one of `source` and `files`")),
    };
    let (design, _) = schema::design(given.text("name").unwrap_or("design"), &sources)?;
    Ok(Output::Text(design))
}
