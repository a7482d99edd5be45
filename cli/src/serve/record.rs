//! The file of recorded requests.

use std::{
    collections::BTreeSet,
    fs::{File, OpenOptions},
    io,
    path::PathBuf,
};

use clap::Args;
use table_designs::schema::Schema;
use table_rest::server::{RecordOptions, Recorder};
use table_schema::template::SegmentKind;

use super::ServeError;
use crate::design::Design;

/// Recording options.
#[derive(Debug, Args)]
pub(crate) struct Recording {
    /// Record the requests for entities as JSON lines in a new file, for `tables advise --trace`; keys and values are
    /// replaced by hashes
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Keep the literals of the key templates and conditions of this design in recorded keys and filters, so that rows of
    /// different types, and queries with literals, can be recognized
    #[arg(long, value_name = "DESIGN", requires = "record")]
    record_design: Option<PathBuf>,

    /// Record keys and the literals of filters instead of their hashes
    #[arg(long, requires = "record", conflicts_with = "record_design")]
    record_values: bool,

    /// Size of the file in bytes at which the recording ends
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30, requires = "record")]
    record_limit: u64,
}

/// Starts the recording, if a file is specified.
pub(super) fn start(recording: &Recording) -> Result<Option<Recorder>, ServeError> {
    let Some(path) = &recording.record else { return Ok(None) };
    let words = match &recording.record_design {
        Some(design) => {
            let design = Design::read(design, None);
            words(&design.map_err(|error| ServeError::design("--record-design", error))?.schema)
        }
        None => BTreeSet::new(),
    };
    let options = RecordOptions { values: recording.record_values, words, limit: recording.record_limit };
    let started = create(path).and_then(|file| Recorder::start(file, options));
    started.map(Some).map_err(|error| ServeError::Record { path: path.clone(), error })
}

/// Creates a file that only its owner can read.
fn create(path: &PathBuf) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Returns the words of the literals in the key templates and conditions of a design, and the literals of conditions.
fn words(schema: &Schema) -> BTreeSet<String> {
    let kinds = schema.entities.iter().flat_map(table_schema::design::EntityDesign::row_kinds);
    let templates = kinds.flat_map(|kind| [kind.partition, kind.row]);
    let segments = templates.flat_map(|template| template.segments().to_vec());
    let in_keys = segments.filter_map(|segment| match segment.kind {
        SegmentKind::Literal(text) => Some(text),
        SegmentKind::Field(_) => None,
    });
    let conditions = schema.queries.iter().filter_map(|query| query.filter.as_ref());
    let tests = conditions.flat_map(|condition| &condition.alternatives).flat_map(|all| &all.tests);
    let values = tests.filter_map(|test| Some(test.value.as_ref()?.text().to_owned()));
    let values: Vec<String> = values.collect();
    let words = in_keys.chain(values.iter().cloned()).flat_map(|text| {
        let words = text.split(|next: char| next.is_ascii_punctuation()).map(str::to_owned);
        words.collect::<Vec<_>>()
    });
    words.filter(|word| !word.is_empty()).chain(values.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_literals_of_keys_and_conditions() {
        let text = "tables = 1\n[entity.Task]\ntable = \"Tasks\"\npartition = \"all\"\nrow = \"task-{id}\"\n\
                    [entity.Task.fields]\nid = \"string(9)\"\nstate = \"string(20)\"\nn = \"u32\"\n\
                    [query.some]\nfind = \"Task\"\nwhere = \"state = 'in-work' and n = 4\"\n";
        let words = words(&table_codegen::read(text, "tasks.toml").unwrap());
        assert_eq!(words.into_iter().collect::<Vec<_>>(), ["4", "all", "in", "in-work", "task", "work"]);
    }
}
