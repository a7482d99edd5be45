//! Several versions of one entity in source files: a design contains the latest version.

use table_grammar::file::{Entity, RuleViolation};

use super::SourceDiagnostic;

/// Removes entities that another entity reads as its older version, and adds a note for each. `files` contains the file
/// of each entity.
pub(super) fn keep_newest(entities: &mut Vec<Entity>, files: &mut Vec<&String>, notes: &mut Vec<String>) {
    let newer: Vec<Option<String>> = entities
        .iter()
        .map(|older| Some(entities.iter().find(|newer| replaces(newer, older))?.design.name.clone()))
        .collect();
    for (entity, newer) in entities.iter().zip(&newer) {
        if let Some(newer) = newer {
            let (name, version) = (&entity.design.name, entity.design.version);
            notes.push(format!(
                "`{name}` of version {version} is an older version of `{newer}` and is omitted"
            ));
        }
    }
    let mut kept = newer.iter().map(Option::is_none);
    entities.retain(|_| kept.next().unwrap_or(true));
    let mut kept = newer.iter().map(Option::is_none);
    files.retain(|_| kept.next().unwrap_or(true));
}

fn replaces(newer: &Entity, older: &Entity) -> bool {
    let is_named =
        |path: &String| path.rsplit("::").next().is_some_and(|last| last.trim() == older.design.name);
    newer.design.version > older.design.version && newer.design.from.iter().any(is_named)
}

/// Finds entities with duplicate names. A design has one entity per name.
pub(super) fn duplicates(entities: &[Entity], files: &[&String]) -> Vec<SourceDiagnostic> {
    let mut found = Vec::new();
    for (number, (entity, file)) in entities.iter().zip(files).enumerate() {
        let name = &entity.design.name;
        let first = entities.iter().zip(files).take(number).find(|(other, _)| other.design.name == *name);
        let Some((_, first)) = first else { continue };
        let message = format!(
            "a second entity is named `{name}` (the first is in {first}); rename one, or pass only one of the files"
        );
        found.push(SourceDiagnostic {
            file: (*file).clone(),
            mistake: RuleViolation { line: 1, column: 1, message },
        });
    }
    found
}
