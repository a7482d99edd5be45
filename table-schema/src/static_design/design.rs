//! The design as a whole.

use std::fmt;

use super::{Path, PathKind};

/// A checked design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// The entity's name.
    pub name: &'static str,
    /// What its rows have in `EntityType`; `None`: nothing is written.
    pub entity_type: Option<&'static str>,
    /// Older values of `EntityType` that are read as this entity.
    pub aliases: &'static [&'static str],
    /// The version of the stored form.
    pub version: u32,
    /// The kinds of rows, the entity's own first.
    pub paths: &'static [Path],
    /// The fields, in the order of declaration.
    pub fields: &'static [Field],
    /// The most properties of the user's in one row, if the entity is split over several.
    pub wide: Option<usize>,
    /// Whether table scans do not compile.
    pub deny_table_scan: bool,
}

/// A field of a checked design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name.
    pub name: &'static str,
    /// Its property's name.
    pub property: &'static str,
    /// Where its value is.
    pub held: Held,
    /// The service's name for its type; `None` where it could not be seen.
    pub edm: Option<&'static str>,
    /// Whether it may be absent.
    pub optional: bool,
}

/// Where a field's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// Given back by the key.
    Key,
    /// In a property.
    Property,
    /// In the key and in a property, which must agree.
    Both,
    /// Sealed in a property.
    Encrypted,
    /// In so many properties; 0 where the number could not be seen.
    Series(usize),
    /// Not stored.
    Nowhere,
}

impl Design {
    /// The path of the entity's own rows.
    pub fn primary(&self) -> Option<&'static Path> {
        self.paths.iter().find(|path| path.kind == PathKind::Primary)
    }

    /// The path of this name.
    pub fn path(&self, name: &str) -> Option<&'static Path> {
        self.paths.iter().find(|path| path.name == name)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether rows with this `EntityType` are rows of this entity.
    pub fn is_named(&self, entity_type: &str) -> bool {
        self.entity_type == Some(entity_type) || self.aliases.contains(&entity_type)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.held {
            Held::Series(0) => write!(f, "{}_..", self.property)?,
            Held::Series(slots) => write!(f, "{}_.. ({slots})", self.property)?,
            _ => f.write_str(self.property)?,
        }
        if let Some(edm) = self.edm {
            write!(f, " {edm}")?;
        }
        f.write_str(if self.optional { "?" } else { "" })?;
        f.write_str(if self.held == Held::Encrypted { " (encrypted)" } else { "" })
    }
}

impl fmt::Display for Design {
    /// A line for the entity, a table of its paths, a line of its properties.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own_table = self.primary().map_or("", |path| path.table.text);
        writeln!(f, "{} in {own_table}", self.name)?;
        let mut lines = vec![["path", "PartitionKey", "RowKey", "holds"].map(str::to_owned)];
        for path in self.paths {
            let mut holds = path.holds();
            if path.table.text != own_table {
                holds.push_str(", in ");
                holds.push_str(path.table.text);
            }
            lines.push([path.name, path.partition.text, path.row.text, &holds].map(str::to_owned));
        }
        let mut widths = [0; 4];
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in &lines {
            let cells: Vec<String> =
                line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            writeln!(f, "  {}", cells.join("  ").trim_end())?;
        }
        let stored = self.fields.iter().filter(|field| !matches!(field.held, Held::Key | Held::Nowhere));
        let mut properties: Vec<String> = stored.map(ToString::to_string).collect();
        properties.extend(self.entity_type.map(|name| format!("EntityType = {name}")));
        writeln!(
            f,
            "  properties: {}",
            if properties.is_empty() { "none".to_owned() } else { properties.join(", ") }
        )
    }
}
