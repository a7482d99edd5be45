//! The primary key and the indexes of an existing design.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::{Fields, Parts, Place, Site, is_valid, owners};
use crate::search::{
    case::facts,
    key::Key,
    standing::{Standing, index_key},
    step::Step,
};
use table_designs::schema::{Freedom, Query};
use table_schema::design::{CopiedFields, EntityDesign, IndexDesign};

impl<'w> Site<'w> {
    /// Returns the key of the existing design, with the indexes that can be kept, added, or both.
    pub(super) fn standing((workload, case, elsewhere): Parts<'w, '_>, keys: &BTreeSet<Key>) -> Option<Self> {
        let standing = case.standing()?;
        let at = match &case.together {
            Some(together) => together.standing?,
            None => 0,
        };
        let is_fixed = standing.freedom != Freedom::All;
        let fields = case.entity.fields.clone();
        let mut entity = EntityDesign { fields, ..standing.entity.clone() };
        if !is_fixed {
            entity.indexes.clear();
            if !is_valid(&entity) {
                return None;
            }
        }
        let owners = owners(workload, case, &entity, &standing.key)?;
        if is_fixed && !owners.is_empty() {
            return None;
        }
        let mut site = Self {
            workload,
            owners,
            case,
            key: standing.key.clone(),
            at,
            count: facts(&elsewhere.bare, &case.entity).count,
            entity,
            paths: Vec::new(),
            is_standing: true,
            is_fixed,
            cache: RefCell::new(BTreeMap::new()),
            elsewhere: Rc::clone(elsewhere),
        };
        match &standing.freedom {
            Freedom::All => {
                let places = standing.indexes.iter().filter_map(|(index, key)| site.stored(index, key));
                site.paths = places.collect();
                site.add_places(keys);
            }
            Freedom::NewIndex => site.add_places(keys),
            Freedom::Index(index) => {
                let key = index_key(&site.entity, index)?;
                site.paths = site.stored(index, &key).into_iter().collect();
            }
            Freedom::Nothing => {}
            Freedom::NewKey => return None,
        }
        Some(site)
    }

    /// Returns what a new key must save per month: a cent.
    pub(in crate::search) const fn handicap(&self) -> f64 {
        if self.case.standing.is_some() && !self.is_standing { 0.01 } else { 0.0 }
    }

    /// Returns an index of the existing design.
    fn stored(&self, index: &IndexDesign, key: &Key) -> Option<Place> {
        let mut entity = self.entity.clone();
        entity.indexes.push(index.clone());
        let last = entity.row_kinds().pop()?;
        let is_near = entity.row_kinds().first().is_some_and(|own| last.is_near(own));
        let design = IndexDesign { copy: CopiedFields::Only(Vec::new()), ..index.clone() };
        let place =
            Place { lead: key.clone(), key: key.clone(), design, is_near, stored: Some(index.clone()) };
        is_valid(&entity).then_some(place)
    }

    /// Returns an index of the existing design with some copied fields. Equal fields stay as they are declared.
    pub(in crate::search) fn kept(&self, place: &Place, stored: &IndexDesign, fields: Fields) -> IndexDesign {
        let declared = match &stored.copy {
            CopiedFields::All => self.copies(place, &self.field_names()),
            CopiedFields::Only(names) => self.copies(place, names),
        };
        if declared == Some(fields) {
            return stored.clone();
        }
        IndexDesign { copy: CopiedFields::Only(self.names(fields)), ..stored.clone() }
    }

    /// Returns the names of all fields.
    pub(in crate::search) fn field_names(&self) -> Vec<String> {
        self.entity.fields.iter().map(|field| field.name.clone()).collect()
    }

    /// Returns the queries that a step can be without another index.
    pub(in crate::search) fn own_queries(&self, step: &Step) -> Vec<Query> {
        let primary = step.on("primary", &self.key, &self.entity);
        let Some(standing) = self.case.standing.as_ref().filter(|_| self.is_fixed) else {
            return vec![primary];
        };
        if let Some(query) = standing.query(step) {
            return vec![query];
        }
        let contains = |(index, _): &&(IndexDesign, Key)| {
            step.alternatives().iter().all(|tests| index.contains(&tests.iter().collect::<Vec<_>>()))
        };
        let on = |(index, key): &(IndexDesign, Key)| step.on(&index.name, key, &self.entity);
        std::iter::once(primary).chain(standing.indexes.iter().filter(contains).map(on)).collect()
    }
}

impl Standing {
    /// Returns whether a new key is the key of the entity, apart from words in its templates.
    pub(super) fn is_at(&self, key: &Key, table: &str, has_prefix: bool) -> bool {
        let own = self.entity.table.as_ref().map_or("", |table| table.text());
        let period = |table: &str| table.split_once('{').map(|(_, period)| period.to_owned());
        let row = self.entity.row.as_ref().and_then(|row| row.template());
        let has_lead = row.is_some_and(|row| !row.lead().is_empty());
        self.key == *key && period(own) == period(table) && (has_lead || !has_prefix)
    }
}
