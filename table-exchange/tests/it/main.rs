//! Tests of import and export.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod any_bytes;
mod broken;
mod copy;
mod dialects;
mod import;
mod round_trip;
mod samples;

use table_exchange::{Columns, Dialect, Format, Import, Mode, Reader, Sent, Windows, Writer, export};
use table_model::{Entity, Query, RowRef, TableName, TableService};
use table_store::Store;

/// An in-memory table.
struct Table {
    store: Store,
    name: TableName,
}

impl Table {
    fn new() -> Self {
        Self { store: Store::in_memory().unwrap(), name: "People".parse().unwrap() }
    }

    /// Creates a table with the content of a file in which every line is valid.
    fn of(format: Format, file: &[u8]) -> Self {
        let table = Self::new();
        let sent = table.import(format, file, Mode::Upsert);
        assert_eq!(sent.refused, []);
        table
    }

    fn import(&self, format: Format, file: &[u8], mode: Mode) -> Sent {
        let windows =
            Windows::new(Reader::new(format, file).unwrap(), mode, self.store.capabilities().clone());
        let import = Import::new(&self.store, &self.name);
        pollster::block_on(async {
            import.prepare().await.unwrap();
            let mut sum = Sent::default();
            for window in windows {
                let window = window.unwrap();
                assert_eq!(window.broken, []);
                let sent = import.send(window).await.unwrap();
                sum.written += sent.written;
                sum.transactions += sent.transactions;
                sum.refused.extend(sent.refused);
            }
            sum
        })
    }

    fn export(&self, form: Form) -> Vec<u8> {
        let (store, name) = (&self.store, &self.name);
        let mut file = Vec::new();
        pollster::block_on(async {
            let mut writer = match form {
                Form::Csv(dialect) => {
                    let columns = Columns::of_query(store, name, Query::new()).await.unwrap();
                    Writer::csv(&mut file, columns, dialect).unwrap()
                }
                Form::JsonLines => Writer::json_lines(&mut file),
            };
            export(store, name, Query::new(), &mut writer, |_, _| {}).await.unwrap();
            writer.finish().unwrap();
        });
        file
    }

    /// Returns all entities in key order.
    fn content(&self) -> Vec<Entity> {
        let mut query = Query::new();
        let mut entities = Vec::new();
        loop {
            let segment = pollster::block_on(self.store.query(&self.name, query.clone())).unwrap();
            entities.extend(segment.rows.iter().filter_map(RowRef::to_entity));
            let Some(next) = segment.continuation else { return entities };
            query = query.continuation(next);
        }
    }
}

/// The formats of a written file.
#[derive(Clone, Copy, Debug)]
enum Form {
    Csv(Dialect),
    JsonLines,
}

impl Form {
    const ALL: [Self; 3] = [Self::Csv(Dialect::Plain), Self::Csv(Dialect::Edm), Self::JsonLines];

    fn format(self) -> Format {
        match self {
            Self::Csv(_) => Format::Csv,
            Self::JsonLines => Format::JsonLines,
        }
    }
}

/// Sorts the properties of each entity by name, because the columns of a file have a single order for all entities.
fn sorted(mut entities: Vec<Entity>) -> Vec<Entity> {
    for entity in &mut entities {
        let mut pairs: Vec<_> = std::mem::take(&mut entity.properties).into_iter().collect();
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        entity.properties = pairs.into_iter().collect();
    }
    entities
}

/// Returns the entity or the error of each line of a file.
fn lines(format: Format, file: &[u8]) -> Vec<Result<Entity, String>> {
    let lines = Reader::new(format, file).unwrap().map(|line| line.unwrap().entity);
    lines.map(|entity| entity.map_err(|broken| broken.to_string())).collect()
}
