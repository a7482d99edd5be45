//! Several forms of one version of an entity: while an entity is moved to other keys, the code declares its old and its
//! new keys, with one `EntityType`. The new form has the stored name, and the old one that of its struct.

use super::{Lock, LockedVersion};
use table_schema::design::{EntityDesign, TemplateText};

/// Renames all but one of the entities with the same stored name and version. `entities` are the name in code and the
/// design, whose name is the stored name.
pub(super) fn named(entities: Vec<(String, EntityDesign)>) -> Vec<(String, EntityDesign)> {
    let mut sorted: Vec<(String, EntityDesign)> = Vec::new();
    for entity in entities {
        // A struct that is listed, and also the older version of another one.
        if !sorted.iter().any(|(_, known)| *known == entity.1) {
            sorted.push(entity);
        }
    }
    // The order in code has no meaning. The struct with the stored name is last, and keeps it.
    let rank = |(code, design): &(String, EntityDesign)| {
        let identity = (design.name.clone(), design.version);
        (identity, *code == design.name, code.clone(), keys(design).map(str::to_owned))
    };
    sorted.sort_by_key(rank);
    let mut found: Vec<(String, EntityDesign)> = Vec::new();
    while let Some((code, mut design)) = sorted.pop() {
        let is_taken = |name: &str| {
            let is_same = |other: &EntityDesign| other.name == name && other.version == design.version;
            found.iter().chain(&sorted).any(|(_, other)| is_same(other))
        };
        if found.iter().any(|(_, other)| other.name == design.name && other.version == design.version) {
            let [table, partition, row] = keys(&design);
            let at_table = format!("{} in {table}", design.name);
            let at_keys = format!("{at_table}, {partition}, {row}");
            let names = [code.clone(), at_table, at_keys];
            design.name = names.into_iter().find(|name| !is_taken(name)).unwrap_or(design.name);
        }
        found.push((code, design));
    }
    found
}

/// Returns the templates of the table and of both keys.
pub(super) fn keys(design: &EntityDesign) -> [&str; 3] {
    [&design.table, &design.partition, &design.row].map(|text| text.as_ref().map_or("", TemplateText::text))
}

impl LockedVersion {
    /// Returns the stored name, if this is the old form of an entity that is moved.
    pub(super) fn moved_from(&self) -> Option<&str> {
        self.design.stored_as()
    }
}

impl Lock {
    /// Returns the name of a form in this file.
    pub(super) fn name_of_form<'l>(&'l self, form: &'l LockedVersion) -> &'l str {
        let stem = |form: &'l LockedVersion| form.moved_from().unwrap_or(&form.design.name);
        let mut forms = self.versions.values().filter(|one| stem(one) == stem(form));
        let found = forms
            .find(|one| one.design.version == form.design.version && keys(&one.design) == keys(&form.design));
        &found.unwrap_or(form).design.name
    }

    /// Exchanges the names of both forms of an entity if the code declares the keys of the old one under the stored
    /// name: the struct with the new keys had another name until the move ended.
    pub(super) fn exchange_forms(&mut self, code: &Self) {
        let is_now_alone = |form: &LockedVersion| {
            let stored = form.moved_from()?.to_owned();
            let is_gone = !code.versions.contains_key(&form.key());
            let now = code.versions.get(&(stored.clone(), form.design.version))?;
            let before = self.versions.get(&(stored, form.design.version))?;
            let is_same =
                |left: &LockedVersion, right: &LockedVersion| keys(&left.design) == keys(&right.design);
            (is_gone && is_same(form, now) && !is_same(before, now)).then(|| (form.key(), before.key()))
        };
        let pairs: Vec<_> = self.versions.values().filter_map(is_now_alone).collect();
        for (form, plain) in pairs {
            let (Some(mut new), Some(mut old)) = (self.versions.remove(&form), self.versions.remove(&plain))
            else {
                continue;
            };
            std::mem::swap(&mut new.design.name, &mut old.design.name);
            self.versions.extend([(new.key(), new), (old.key(), old)]);
        }
    }
}
