//! The remedies of findings, with text to paste.

use super::{
    Lock, LockCode, LockedVersion,
    older::{contributions, declaration, default, index, name, rust_type, templates},
    write::{header, line},
};
use crate::{
    default_of,
    evolution::{Change, ChangeCode, Verdict, is_only_in_keys, likeliest},
};
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, TemplateText},
    toml_text::key,
};

/// The language of a design, which determines the text to paste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// Structs with the derive.
    Rust,
    /// A design file.
    File,
}

impl FrontEnd {
    /// Returns the word for the declarations of this language.
    pub(super) const fn design(self) -> &'static str {
        match self {
            Self::Rust => "code",
            Self::File => "design",
        }
    }
}

/// The remedy of an addition.
pub(super) const ACCEPT: &str = "accept it";

/// Both sides of a comparison.
pub(super) struct Remedies<'l> {
    /// The lock with the names in its file.
    pub(super) file: &'l Lock,
    pub(super) locked: &'l Lock,
    pub(super) code: &'l Lock,
    pub(super) front_end: FrontEnd,
}

impl Remedies<'_> {
    /// Returns the stored name of the entity in the subject of a change.
    pub(super) fn entity<'s>(&'s self, subject: &'s str) -> &'s str {
        let names =
            self.locked.versions.keys().chain(self.code.versions.keys()).map(|(name, _)| name.as_str());
        let is_owner = |name: &&str| {
            subject.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        names.filter(is_owner).max_by_key(|name| name.len()).unwrap_or(subject)
    }

    /// Returns the remedy of a change.
    pub(super) fn of(&self, code: LockCode, change: &Change) -> String {
        let entity = self.entity(&change.subject);
        let part =
            change.subject.strip_prefix(entity).and_then(|part| part.strip_prefix('.')).unwrap_or_default();
        let old = self.locked.versions_of(entity).next_back();
        let new = self.code.versions_of(entity).next_back().map(|version| &version.design);
        let field = |design: Option<&EntityDesign>| {
            design.and_then(|design| design.fields.iter().find(|field| field.property == part)).cloned()
        };
        let procedure = change.code.class().remedy;
        match code {
            LockCode::L01 if change.verdict == Verdict::Safe => ACCEPT.to_owned(),
            LockCode::L02 => match (field(new), old.zip(new)) {
                // A default would replace the value that the keys of older rows contain.
                (Some(field), Some((old, new))) => match old.design.field(&field.name) {
                    Some(kept) if is_only_in_keys(&old.design, kept) => {
                        self.kept_or_raised(Some(kept), old, new)
                    }
                    _ => self.required(&field, change, old, new),
                },
                _ => procedure.to_owned(),
            },
            LockCode::L03 if change.code == ChangeCode::C29 => match change.verdict {
                Verdict::Refused => format!("{procedure}\n{}", self.type_name(old, new)),
                _ => deploy(procedure),
            },
            LockCode::L03 if change.verdict == Verdict::Refused => match old.zip(new) {
                Some((old, new)) => self.kept_or_raised(field(Some(&old.design)).as_ref(), old, new),
                None => procedure.to_owned(),
            },
            LockCode::L04 => self.other_name(part),
            LockCode::L05 => match old {
                Some(old) => self.keys(&old.design, procedure),
                None => deploy(procedure),
            },
            LockCode::L06 if change.code == ChangeCode::C14 => {
                let index =
                    |design: &EntityDesign| design.indexes.iter().find(|index| index.name == part).cloned();
                let both = old.and_then(|old| index(&old.design)).zip(new.and_then(index));
                both.map_or_else(
                    || deploy(procedure),
                    |(old, new)| self.both_indexes(entity, &old, new, procedure),
                )
            }
            LockCode::L07 if change.code == ChangeCode::C30 => {
                let versions = self.locked.versions_of(entity).map(|version| version.design.version);
                if let Some(form) = old.filter(|old| old.moved_from().is_some()) {
                    let moved = "the state of `tables.migration` must be `gone` in every store; ";
                    let name = self.file.name_of_form(form);
                    return moved.to_owned() + &self.retire_entity(name, &[form.design.version]);
                }
                let renamed = format!(
                    "if it was renamed, declare `entity_type = {entity:?}` or `aliases = [{entity:?}]` on the new \
                     entity; else "
                );
                renamed + &self.retire_entity(entity, &versions.collect::<Vec<_>>())
            }
            LockCode::L07 => {
                let version = old.map_or(1, |version| version.design.version);
                format!("declare `version = {version}` again, or a higher version; a version never decreases")
            }
            // The reason of a refused change can end with its own remedy.
            _ if change.verdict == Verdict::Refused => match change.reason.split_once("; ") {
                Some((_, remedy)) => remedy.to_owned(),
                None => procedure.to_owned(),
            },
            _ => deploy(procedure),
        }
    }

    /// Returns the declarations that make a required field readable in older rows.
    fn required(
        &self,
        field: &FieldDesign,
        change: &Change,
        old: &LockedVersion,
        new: &EntityDesign,
    ) -> String {
        let version = old.design.version + 1;
        let (entity, older) = (&new.name, name(&old.design.name, old.design.version));
        let mut choices: Vec<String> = Vec::new();
        let renamed = old.design.stored_fields().filter(|other| is_renamed(other, field, new));
        let renamed = likeliest(renamed, &field.property);
        match self.front_end {
            FrontEnd::Rust => {
                if let Some(other) = renamed.filter(|_| change.code == ChangeCode::C03) {
                    let attribute = format!("#[table(rename = {:?})]", other.property);
                    choices.push(format!(
                        "// if `{}` was renamed\n{}",
                        other.name,
                        attributed(&attribute, field)
                    ));
                }
                choices.push(match code_type(field) {
                    Some(ty) => format!("{}: Option<{ty}>,", field.name),
                    None => format!("// an `Option` of the type of `{}`", field.name),
                });
                choices.push(attributed("#[table(default)]", field));
                if can_have_versions(new) {
                    let attribute =
                        format!("#[table(.., version = {version}, from({older}))] // on `{entity}`");
                    choices.push(format!("{attribute}\n\n{}", self.declaration(old, new)));
                }
            }
            FrontEnd::File => {
                let (name, word) = (key(&field.name), field.kind.word());
                if let Some(other) = renamed.filter(|_| change.code == ChangeCode::C03) {
                    let rename = format!("{name} = {{ type = \"{word}\", rename = {:?} }}", other.property);
                    choices.push(format!("# if `{}` was renamed\n{rename}", other.name));
                }
                choices.push(format!("{name} = \"{word}?\""));
                choices.extend(
                    default_of(&field.kind)
                        .map(|default| format!("{name} = {{ type = \"{word}\", default = {default} }}")),
                );
                if can_have_versions(new) {
                    choices.push(format!(
                        "# `{older}` and the conversion are written in Rust\nversion = {version} # in [entity.{}]",
                        key(entity)
                    ));
                }
            }
        }
        format!("one of these:\n{}", indented(&choices.join("\n\n")))
    }

    /// Returns the declaration that keeps a stored form, and the older struct of a new version.
    fn kept_or_raised(&self, field: Option<&FieldDesign>, old: &LockedVersion, new: &EntityDesign) -> String {
        let version = old.design.version + 1;
        let older = name(&old.design.name, old.design.version);
        let kept = match field {
            Some(field) => self.kept(field, new),
            None => "the previous declaration".to_owned(),
        };
        let function = field.and_then(FieldDesign::default_path);
        let with = function.map_or_else(String::new, |path| format!(", with the function `{path}`"));
        if !can_have_versions(new) {
            let part = field.map_or("", |field| field.property.as_str());
            let changed = new.fields.iter().find(|field| field.property == part);
            return format!(
                "keep the stored form{with}:\n{}\n  or add a field of the new type, and convert the values in a program, \
                 because `{}` cannot have versions (it is wide, or other entities maintain its fields){}",
                indented(&kept),
                new.name,
                changed.map(|changed| self.added(part, changed)).unwrap_or_default()
            );
        }
        let raised = match self.front_end {
            FrontEnd::Rust => {
                let attribute =
                    format!("#[table(.., version = {version}, from({older}))] // on `{}`", new.name);
                format!("{attribute}\n\n{}", self.declaration(old, new))
            }
            FrontEnd::File => format!(
                "# `{older}` and the conversion are written in Rust\nversion = {version} # in [entity.{}]",
                key(&new.name)
            ),
        };
        format!(
            "keep the stored form{with}:\n{}\n  or use another stored name in a new version:\n{}",
            indented(&kept),
            indented(&raised)
        )
    }

    /// Returns the declaration of a field as it was, with the value of rows without it.
    fn kept(&self, field: &FieldDesign, new: &EntityDesign) -> String {
        let name = &field.name;
        if self.front_end == FrontEnd::File {
            let ty = format!("\"{}{}\"", field.kind.word(), if field.optional { "?" } else { "" });
            return match (field.default_path(), &field.default) {
                (Some(path), _) => {
                    format!("{} = {{ type = {ty}, default_function = {path:?} }}", key(name))
                }
                (None, Some(default)) => format!("{} = {{ type = {ty}, default = {default} }}", key(name)),
                (None, None) => format!("{} = {ty}", key(name)),
            };
        }
        let part = new.fields.iter().find(|known| known.property == field.property);
        let part = part.and_then(|known| known.part_of.as_ref());
        let lines = [
            part.map(|part| format!("// in `{}`", part.rust_type)),
            default(field).map(|word| format!("#[table({word})]")),
            Some(match code_type(field) {
                Some(_) => {
                    let name = part.map_or(name, |part| &part.inner);
                    format!("{name}: {},", rust_type(field))
                }
                None => format!("// the previous type of `{name}`"),
            }),
        ];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// Returns the declaration of an optional field in addition to another one.
    fn added(&self, part: &str, changed: &FieldDesign) -> String {
        let name = format!("{}_2", changed.name);
        let field = FieldDesign { name, property: format!("{part}_2"), ..changed.clone() };
        let text = match (self.front_end, code_type(&field)) {
            (FrontEnd::Rust, Some(ty)) => format!("{}: Option<{ty}>,", field.name),
            (FrontEnd::Rust, None) => format!("// `{}`: an `Option` of the new type", field.name),
            (FrontEnd::File, _) => format!("{} = \"{}?\"", key(&field.name), field.kind.word()),
        };
        format!(":\n{}", indented(&text))
    }

    /// Returns the remedy for a new version of rows without `EntityType`.
    pub(super) fn typed_first(&self) -> String {
        let declaration = match self.front_end {
            FrontEnd::Rust => "remove `entity_type = none`",
            FrontEnd::File => "add `entity_type = \"always\"`",
        };
        format!(
            "{declaration} without the other changes, accept it, deploy it, and replace all entities; then raise `version`"
        )
    }

    /// Returns the declaration of the previous type name: as an alias, or as the name if the alias does not suffice.
    fn type_name(&self, old: Option<&LockedVersion>, new: Option<&EntityDesign>) -> String {
        let name = old.and_then(|old| old.design.entity_type_value()).unwrap_or_default();
        let declaration = if new.is_some_and(|new| new.aliases.contains(&name)) {
            format!("entity_type = {name:?}")
        } else {
            format!("aliases = [{name:?}]")
        };
        indented(&match self.front_end {
            FrontEnd::Rust => format!("#[table(.., {declaration})]"),
            FrontEnd::File => declaration,
        })
    }

    fn other_name(&self, property: &str) -> String {
        let text = match self.front_end {
            FrontEnd::Rust => format!("#[table(rename = \"{property}_2\")]"),
            FrontEnd::File => format!("rename = \"{property}_2\""),
        };
        format!("use a stored name that no version had:\n{}", indented(&text))
    }

    /// Returns the previous keys.
    fn keys(&self, old: &EntityDesign, procedure: &str) -> String {
        let templates = [("table", &old.table), ("partition", &old.partition), ("row", &old.row)];
        let words = templates.map(|(word, template)| {
            let word = if word == "table" && self.front_end == FrontEnd::Rust { "name" } else { word };
            format!("{word} = {:?}", template.as_ref().map(TemplateText::text).unwrap_or_default())
        });
        let text = match self.front_end {
            FrontEnd::Rust => format!("#[table({})]", words.join(", ")),
            FrontEnd::File => words.join("\n"),
        };
        format!("keep the previous form:\n{}\n  or {}", indented(&text), deploy(procedure))
    }

    /// Returns an index as it was, and the new one under another name.
    fn both_indexes(&self, entity: &str, old: &IndexDesign, mut new: IndexDesign, procedure: &str) -> String {
        new.name.push_str("_2");
        let text = [old, &new].map(|one| {
            if self.front_end == FrontEnd::Rust {
                return index(one);
            }
            let mut words =
                templates(&[("table", &one.table), ("partition", &one.partition), ("row", &one.row)]);
            words.extend(one.unique.then(|| "unique = true".to_owned()));
            format!("[entity.{}.index.{}]\n{}", key(entity), key(&one.name), words.join("\n"))
        });
        let both = indented(&text.join(if self.front_end == FrontEnd::Rust { "\n" } else { "\n\n" }));
        format!(
            "keep it as it was, and declare the new one under another name:\n{both}\n  Deployment: {procedure}"
        )
    }

    fn declaration(&self, old: &LockedVersion, new: &EntityDesign) -> String {
        let oldest = self.locked.versions_of(&old.design.name).next();
        let has_older = oldest.is_some_and(|oldest| oldest.design.version < old.design.version);
        let name = &old.design.name;
        let contributions = self.locked.newest().flat_map(|target| contributions(name, &target.design));
        declaration(old, has_older, new, contributions.collect())
    }

    /// Returns the older struct as it must be.
    pub(super) fn older_struct(&self, locked: &LockedVersion, new: &LockedVersion) -> String {
        format!(
            "declare the older struct as its rows are stored:\n{}",
            indented(&self.declaration(locked, &new.design))
        )
    }

    /// Returns how an entity that is no longer declared is retired, with all its versions.
    fn retire_entity(&self, entity: &str, versions: &[u32]) -> String {
        retire(
            entity,
            versions,
            match self.front_end {
                FrontEnd::Rust => KEEP_STRUCT,
                FrontEnd::File => "keep the entity in the design",
            },
        )
    }

    /// Returns how a version that a declared entity no longer reads is retired.
    pub(super) fn retire_version(&self, entity: &str, version: u32) -> String {
        let keep = match self.front_end {
            FrontEnd::Rust => KEEP_STRUCT.to_owned(),
            FrontEnd::File => format!("declare `oldest = {version}`"),
        };
        retire(entity, &[version], &keep)
    }
}

const KEEP_STRUCT: &str = "keep the struct in the code and in `lock!(..)`";

/// Returns the lines that prove that no row has these versions. `keep` is what must be done until then.
fn retire(entity: &str, versions: &[u32], keep: &str) -> String {
    let proofs = versions.iter().map(|version| {
        let proof = "DATE, and how it was proven that no row has this version";
        format!("{}\n{}", header(entity, *version), line("retired", proof))
    });
    format!(
        "{keep} while rows can have it. When no row has it, add the proof below its header in the file:\n{}",
        indented(&proofs.collect::<Vec<_>>().join("\n"))
    )
}

/// Returns whether a new version of an entity is supported.
fn can_have_versions(entity: &EntityDesign) -> bool {
    let is_maintained = !entity.totals.is_empty()
        || !entity.embeds.is_empty()
        || entity.fields.iter().any(|field| field.from_source);
    !is_maintained && entity.wide.is_none()
}

/// Returns the type of a field in code without `Option`, or `None` if a lock does not contain it.
fn code_type(field: &FieldDesign) -> Option<String> {
    let is_known =
        !matches!(field.kind, FieldKind::Enum { .. } | FieldKind::Unknown | FieldKind::Json { .. });
    is_known.then(|| rust_type(&FieldDesign { optional: false, ..field.clone() }))
}

/// Returns an attribute with its field, or with the name of the field if its type is unknown.
fn attributed(attribute: &str, field: &FieldDesign) -> String {
    match code_type(field) {
        Some(ty) => format!("{attribute}\n{}: {ty},", field.name),
        None => format!("{attribute} // on `{}`", field.name),
    }
}

/// Returns whether a stored field may be the new one under another name.
fn is_renamed(old: &FieldDesign, field: &FieldDesign, new: &EntityDesign) -> bool {
    let is_gone = !new.fields.iter().any(|known| known.property == old.property);
    is_gone && old.kind == field.kind && old.optional == field.optional
}

/// Indents text to paste.
fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("      {line}") };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the remedy of a change that can be accepted, with its deployment.
fn deploy(procedure: &str) -> String {
    format!("{ACCEPT}. Deployment: {procedure}")
}
