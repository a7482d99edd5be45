//! The comparison of a lock with the code.

use std::collections::BTreeSet;

use super::{
    FrontEnd, Lock, LockCode, LockFinding, LockedVersion, forms,
    remedy::{ACCEPT, Remedies},
};
use crate::{
    check_schema,
    evolution::{Change, ChangeCode, Verdict, compare},
    schema::Schema,
};
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, EntityTypeRule, FieldDesign, FieldKind},
};

impl Lock {
    /// Compares the lock with the entities in code, and returns everything that the lock does not contain, sorted by
    /// code and subject.
    pub fn check(&self, code: &Self, front_end: FrontEnd) -> Vec<LockFinding> {
        let locked = self.renamed(code);
        let check = Check {
            locked: &locked,
            code,
            remedies: Remedies { file: self, locked: &locked, code, front_end },
        };
        let mut found = check.newest();
        check.earlier(&mut found);
        check.older_structs(&mut found);
        check.new_forms(&mut found);
        check.missing(&mut found);
        check.collisions(&mut found);
        found.sort_by(|left, right| (left.code, &left.subject).cmp(&(right.code, &right.subject)));
        found.dedup_by(|left, right| {
            (left.code, left.class, &left.subject) == (right.code, right.class, &right.subject)
        });
        found.dedup_by(|next, first| {
            let is_same = is_same_move(next, first);
            if is_same {
                first.merge(next);
            }
            is_same
        });
        found
    }

    /// Returns the lock where entities whose type name is now an alias have their new name.
    pub(super) fn renamed(&self, code: &Self) -> Self {
        let new_name = |version: &LockedVersion| {
            let value = version.design.entity_type_value().unwrap_or_else(|| version.design.name.clone());
            let is_gone =
                code.versions_of(&version.design.name).next().is_none() && version.moved_from().is_none();
            let reads = |new: &&LockedVersion| new.design.aliases.contains(&value);
            code.newest().find(reads).filter(|_| is_gone).map(|new| new.design.name.clone())
        };
        let mut renamed = Self::default();
        for version in self.versions.values() {
            let mut version = version.clone();
            if let Some(name) = new_name(&version) {
                version.design.name = name;
            }
            renamed.versions.entry(version.key()).or_insert(version);
        }
        renamed.exchange_forms(code);
        renamed
    }
}

/// Returns whether an older struct has text in place of an enum, as the proposed struct has: it reads each word.
fn is_text_of_enum(locked: &LockedVersion, older: &LockedVersion, subject: &str) -> bool {
    let kind = |version: &LockedVersion| {
        let fields = version.design.fields.iter();
        let mut fields = fields.filter(|field| {
            subject.strip_suffix(&field.property).is_some_and(|entity| entity.ends_with('.'))
        });
        fields.next().map(|field| field.kind.clone())
    };
    matches!((kind(locked), kind(older)), (Some(FieldKind::Enum { .. }), Some(FieldKind::Text { max: None })))
}

/// Returns whether both findings are changes of the keys of one entity, which one move performs.
fn is_same_move(one: &LockFinding, other: &LockFinding) -> bool {
    use ChangeCode::{C15, C17, C18};
    let is_move = |finding: &LockFinding| matches!(finding.class, Some(C15 | C17 | C18));
    is_move(one) && is_move(other) && (one.code, &one.subject) == (other.code, &other.subject)
}

fn schema<'v>(versions: impl Iterator<Item = &'v LockedVersion>) -> Schema {
    // A file has its older versions as tables, and no `oldest`.
    let design = |version: &LockedVersion| EntityDesign { oldest: 1, ..version.design.clone() };
    Schema { entities: versions.map(design).collect(), ..Schema::default() }
}

struct Check<'l> {
    locked: &'l Lock,
    code: &'l Lock,
    remedies: Remedies<'l>,
}

impl Check<'_> {
    /// Compares the newest versions.
    fn newest(&self) -> Vec<LockFinding> {
        let mut old = schema(self.locked.newest());
        self.restore_removed(&mut old);
        let changes = compare(&old, &schema(self.code.newest()));
        changes.iter().filter_map(|change| self.finding(change)).collect()
    }

    /// Adds removed fields that the code declares again. Their values may still be in rows.
    fn restore_removed(&self, old: &mut Schema) {
        for entity in &mut old.entities {
            let Some(new) = self.code.versions_of(&entity.name).next_back() else { continue };
            for field in self.removed(&entity.name) {
                let is_new = new.design.stored_fields().any(|new| new.property == field.property);
                if is_new && !entity.fields.iter().any(|known| known.property == field.property) {
                    entity.fields.push(field.clone());
                }
            }
        }
    }

    fn removed(&self, entity: &str) -> &[FieldDesign] {
        self.locked.versions_of(entity).next_back().map_or(&[], |version| &version.removed)
    }

    fn finding(&self, change: &Change) -> Option<LockFinding> {
        let entity = self.remedies.entity(&change.subject);
        let newest = |lock: &Lock| lock.versions_of(entity).next_back().map(|version| version.design.version);
        let is_raised = newest(self.code) > newest(self.locked) && newest(self.locked).is_some();
        let part = change.subject.strip_prefix(entity).and_then(|part| part.strip_prefix('.'));
        let is_removed = self.removed(entity).iter().any(|field| Some(field.property.as_str()) == part);
        let code = LockCode::of(change, is_raised || is_removed)?;
        let old_rows = self.locked.versions_of(entity).next_back().map(|old| &old.design.entity_type);
        if is_raised && code == LockCode::L01 && old_rows == Some(&EntityTypeRule::None) {
            return Some(self.untyped(change, entity));
        }
        let gone = self.locked.versions_of(entity).next_back().filter(|form| {
            code == LockCode::L07 && change.code == ChangeCode::C30 && form.moved_from().is_some()
        });
        if let Some(form) = gone {
            return Some(self.gone_form(change, form));
        }
        Some(LockFinding {
            code,
            class: Some(change.code),
            subject: change.subject.clone(),
            reason: match change.verdict {
                // The remedy of the finding replaces that of the change.
                Verdict::Refused => change.reason.split("; ").next().unwrap_or_default().to_owned(),
                _ => change.reason.clone(),
            },
            remedy: self.remedies.of(code, change),
            is_acceptable: change.verdict != Verdict::Refused,
        })
    }

    /// Returns the finding for the old form of a moved entity, which left the code. Its name in the file may be that of
    /// the struct that remains, so that the reason contains the keys.
    fn gone_form(&self, change: &Change, form: &LockedVersion) -> LockFinding {
        let [table, partition, row] = forms::keys(&form.design);
        LockFinding {
            code: LockCode::L07,
            class: Some(change.code),
            subject: self.remedies.file.name_of_form(form).to_owned(),
            reason: format!(
                "rows may exist at the old keys of a moved entity, in the table `{table}` at `{partition}` | `{row}`"
            ),
            remedy: self.remedies.of(LockCode::L07, change),
            is_acceptable: false,
        }
    }

    /// Returns the finding for a new version of rows that do not contain their version.
    fn untyped(&self, change: &Change, entity: &str) -> LockFinding {
        LockFinding {
            code: LockCode::L03,
            class: Some(change.code),
            subject: entity.to_owned(),
            reason: "older rows have no `EntityType`, and would be read as the new version".to_owned(),
            remedy: self.remedies.typed_first(),
            is_acceptable: false,
        }
    }

    /// Compares the stored names with those of all earlier versions in the lock.
    fn earlier(&self, found: &mut Vec<LockFinding>) {
        for new in self.code.newest() {
            let newest = self.locked.versions_of(&new.design.name).next_back().map(LockedVersion::key);
            let earlier = self.locked.versions_of(&new.design.name).filter(|old| Some(old.key()) != newest);
            for old in earlier.filter(|old| old.design.version < new.design.version) {
                let changes = compare(&schema([old].into_iter()), &schema([new].into_iter()));
                let is_reused =
                    |change: &&Change| change.code == ChangeCode::C06 && change.verdict == Verdict::Refused;
                for change in changes.iter().filter(is_reused) {
                    found.extend(self.finding(change).map(|finding| LockFinding {
                        code: LockCode::L04,
                        remedy: self.remedies.of(LockCode::L04, change),
                        ..finding
                    }));
                }
            }
        }
    }

    /// Compares older structs in code with the versions that they read.
    fn older_structs(&self, found: &mut Vec<LockFinding>) {
        for new in self.code.newest() {
            let name = &new.design.name;
            let older = self.code.versions_of(name).filter(|older| older.design.version < new.design.version);
            for older in older {
                let subject = format!("{name}.v{}", older.design.version);
                let Some(locked) = self.locked.versions.get(&older.key()) else {
                    if self.locked.versions_of(name).next().is_some() {
                        found.push(LockFinding {
                            code: LockCode::L01,
                            class: None,
                            subject,
                            reason: "the code reads this version, and the file does not contain it"
                                .to_owned(),
                            remedy: ACCEPT.to_owned(),
                            is_acceptable: true,
                        });
                    }
                    continue;
                };
                let changes = compare(&schema([locked].into_iter()), &schema([older].into_iter()));
                let is_form = |change: &&Change| {
                    let code = LockCode::of(change, false);
                    matches!(code, Some(LockCode::L02 | LockCode::L03 | LockCode::L05))
                        && change.code != ChangeCode::C08
                        && !is_text_of_enum(locked, older, &change.subject)
                };
                for change in changes.iter().filter(is_form) {
                    found.push(LockFinding {
                        code: LockCode::L03,
                        class: Some(change.code),
                        subject: change.subject.replacen(name.as_str(), &subject, 1),
                        reason: format!(
                            "the older struct no longer has the form of its rows: {}",
                            change.reason
                        ),
                        remedy: self.remedies.older_struct(locked, new),
                        is_acceptable: false,
                    });
                }
            }
        }
    }

    /// Finds forms of entities that are moved, and that the file does not contain.
    fn new_forms(&self, found: &mut Vec<LockFinding>) {
        let is_new = |form: &&LockedVersion| {
            form.moved_from().is_some() && !self.locked.versions.contains_key(&form.key())
        };
        for form in self.code.newest().filter(is_new) {
            if found.iter().any(|finding| finding.subject == form.design.name) {
                continue;
            }
            let of = form.moved_from().unwrap_or_default();
            found.push(LockFinding {
                code: LockCode::L01,
                class: None,
                subject: form.design.name.clone(),
                reason: format!("another form of `{of}`, with its own keys, that the file does not contain"),
                remedy: ACCEPT.to_owned(),
                is_acceptable: true,
            });
        }
    }

    /// Finds versions that the code no longer reads.
    fn missing(&self, found: &mut Vec<LockFinding>) {
        // The comparison of the newest versions reports entities that are gone completely.
        for new in self.code.newest() {
            let name = &new.design.name;
            let known: BTreeSet<u32> =
                self.code.versions_of(name).map(|version| version.design.version).collect();
            // A design file does not contain the older versions that its generated code reads.
            let is_read = |number: &u32| {
                known.contains(number) || !new.design.from.is_empty() && *number >= new.design.oldest
            };
            let older = self.locked.versions_of(name).map(|version| version.design.version);
            for number in older.filter(|number| *number < new.design.version && !is_read(number)) {
                found.push(LockFinding {
                    code: LockCode::L07,
                    class: None,
                    subject: format!("{name}.v{number}"),
                    reason: format!("rows of version {number} may exist and could not be read"),
                    remedy: self.remedies.retire_version(name, number),
                    is_acceptable: false,
                });
            }
        }
    }

    /// Finds entities whose rows can have the same key.
    fn collisions(&self, found: &mut Vec<LockFinding>) {
        // Both forms of an entity that is moved may have the same keys: the job lists such entities.
        let schema = schema(self.code.newest().filter(|version| version.moved_from().is_none()));
        for (number, violation) in check_schema(&schema) {
            let Some(entity) = schema.entities.get(number).filter(|_| violation.code == Code::K15) else {
                continue;
            };
            found.push(LockFinding {
                code: LockCode::L08,
                class: None,
                subject: entity.name.clone(),
                reason: violation.message,
                remedy: violation.help.unwrap_or_default(),
                is_acceptable: false,
            });
        }
    }
}
