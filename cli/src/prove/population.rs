//! Synthetic entities with the declared distributions of values.

use std::collections::{HashMap, HashSet};

use table_designs::schema::{EntityLoad, Schema, Values};
use table_patterns::FieldValues;
use table_schema::design::{EntityDesign, FieldKind, IndexDesign, TemplateText};

use super::{
    random::{Frequencies, Random},
    value::Encoder,
    write::Used,
};

/// Number of attempts to create an entity with a new key.
const ATTEMPTS: usize = 200;

/// Entities of a type. The first `count` are stored; the others are new.
#[derive(Debug)]
pub(super) struct Population {
    pub(super) columns: Vec<Column>,
    pub(super) count: usize,
    /// The columns of each key that no two entities share, first of the primary key.
    unique: Vec<Vec<usize>>,
}

/// The values of a field, one for each entity.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) encoder: Encoder,
    frequencies: Frequencies,
    /// The declared fractions of some values.
    shares: Vec<(usize, f64)>,
    numbers: Vec<Option<usize>>,
    /// The order of the stored entities by this field.
    order: Vec<usize>,
    /// The order of the new entities, if some values have declared fractions.
    new: Vec<usize>,
    /// `true` if some values are more frequent.
    is_skewed: bool,
    /// The fraction of entities with a value.
    present: f64,
    /// The column that this column determines, and its value for each value.
    within: Option<(usize, Vec<usize>)>,
    /// Its values for each value of that column.
    among: HashMap<usize, Vec<usize>>,
}

impl Column {
    pub(super) fn number(&self, entity: usize) -> Option<usize> {
        self.numbers.get(entity).copied().flatten()
    }

    /// Returns another value with the declared frequency.
    pub(super) fn other(&self, number: Option<usize>, random: &mut Random) -> usize {
        let drawn = self.frequencies.at(random.share());
        if Some(drawn) == number { (drawn + 1) % self.frequencies.distinct() } else { drawn }
    }

    /// Returns whether some entities have no value.
    pub(super) fn is_partial(&self) -> bool {
        self.present < 1.0
    }

    fn is_unique(&self, count: usize) -> bool {
        self.shares.is_empty() && self.frequencies.distinct() >= count
    }

    /// Returns the fraction of entities with a value, and the fraction that the model assumes.
    pub(super) fn fractions(&self, number: usize) -> (f64, f64) {
        let said = self.shares.iter().find(|(known, _)| *known == number).map(|(_, share)| *share);
        let equal = 1.0 / crate::text::real(self.distinct());
        (self.frequencies.of(number), said.unwrap_or(equal))
    }

    /// Returns the number of distinct values.
    pub(super) fn distinct(&self) -> usize {
        self.frequencies.distinct()
    }

    fn owner(&self, number: usize, owners: &Frequencies) -> usize {
        let known = self.within.as_ref().and_then(|(_, owned)| owned.get(number)).copied();
        known.unwrap_or_else(|| owners.at(Random::of(&format!("{} {number}", self.name)).share()))
    }
}

impl Population {
    /// Creates the entities of a type, and `more` new ones.
    ///
    /// # Errors
    /// Returns the reason why no entities can be created.
    pub(super) fn new(
        schema: &Schema,
        entity: &EntityDesign,
        load: &EntityLoad,
        more: usize,
    ) -> Result<Self, String> {
        let count = usize::try_from(load.count.unwrap_or(1)).unwrap_or(usize::MAX);
        let seconds = entity.keep.unwrap_or(schema.load.horizon).seconds();
        let fields = entity.fields.iter().filter(|field| !field.skip);
        let columns = fields.map(|field| {
            let values = load.values_of(&field.name).cloned().unwrap_or_default();
            let distinct =
                values.distinct.and_then(|distinct| usize::try_from(distinct).ok()).unwrap_or(count);
            let named = named(schema, entity, &field.name, &values);
            let encoder = Encoder::of(field, &values, count, seconds)
                .and_then(|encoder| encoder.with_named(&named, distinct));
            let encoder = encoder.ok_or_else(|| format!("no values are generated for `{}`", field.name))?;
            let is_time = matches!(field.kind, FieldKind::Time | FieldKind::Date);
            let name = [entity.name.as_str(), &field.name];
            Ok(Column::new(name, encoder, &values, distinct, is_time, [count, more]))
        });
        let mut columns = columns.collect::<Result<Vec<Column>, String>>()?;
        let owners: Vec<Option<usize>> = columns
            .iter()
            .map(|column| {
                let within = load.values_of(&column.name)?.within.as_ref()?;
                columns.iter().position(|owner| owner.name == *within)
            })
            .collect();
        for (number, owner) in owners.iter().enumerate() {
            let Some(owner) = *owner else { continue };
            let Some((column, of)) = columns.get(number).zip(columns.get(owner)) else { continue };
            let names = [&column.name, &of.name].map(|field| canonical(schema, &entity.name, field));
            let distinct = column.frequencies.distinct();
            let order = Random::of(&names.join(" within ")).order(distinct);
            let place = |place: usize| (crate::text::real(place) + 0.5) / crate::text::real(distinct);
            let values: Vec<usize> =
                order.into_iter().map(|number| of.frequencies.at(place(number))).collect();
            let mut among: HashMap<usize, Vec<usize>> = HashMap::new();
            for (value, owner) in values.iter().enumerate() {
                among.entry(*owner).or_default().push(value);
            }
            if let Some(column) = columns.get_mut(number) {
                (column.within, column.among) = (Some((owner, values)), among);
            }
        }
        let place = |name: &String| columns.iter().position(|column| column.name == *name);
        let unique = keys(entity).iter().map(|key| key.iter().filter_map(place).collect()).collect();
        let mut population = Self { columns, count, unique };
        population.fill(entity, more)?;
        Ok(population)
    }

    fn fill(&mut self, entity: &EntityDesign, more: usize) -> Result<(), String> {
        let unique = self.unique.clone();
        let mut taken: Vec<HashSet<Vec<Option<usize>>>> = vec![HashSet::new(); unique.len()];
        let mut random = Random::of(&entity.name);
        for row in 0..self.count.saturating_add(more) {
            let drawn = (0..ATTEMPTS).find_map(|attempt| {
                let drawn = self.drawn(row, attempt, &mut random);
                let key = |places: &Vec<usize>| -> Vec<Option<usize>> {
                    places.iter().map(|place| drawn.get(*place).copied().flatten()).collect()
                };
                let keys: Vec<_> = unique.iter().map(key).collect();
                keys.iter().zip(&taken).all(|(key, taken)| !taken.contains(key)).then_some((drawn, keys))
            });
            let Some((drawn, keys)) = drawn else {
                return Err("the declared values have too few combinations for its keys".to_owned());
            };
            for (taken, key) in taken.iter_mut().zip(keys) {
                taken.insert(key);
            }
            for (column, number) in self.columns.iter_mut().zip(drawn) {
                column.numbers.push(number);
            }
        }
        Ok(())
    }

    /// Returns the values of an entity.
    fn drawn(&self, row: usize, attempt: usize, random: &mut Random) -> Vec<Option<usize>> {
        let mut drawn: Vec<Option<usize>> = vec![None; self.columns.len()];
        for place in 0..self.columns.len() {
            self.draw(place, row, attempt, random, &mut drawn);
        }
        for (column, number) in self.columns.iter().zip(&mut drawn) {
            let place = (crate::text::real(row) * 0.618_033_988_749_895).fract();
            number.take_if(|_| place >= column.present);
        }
        drawn
    }

    fn draw(
        &self,
        place: usize,
        row: usize,
        attempt: usize,
        random: &mut Random,
        drawn: &mut [Option<usize>],
    ) {
        let Some(column) = self.columns.get(place) else { return };
        if drawn.get(place).copied().flatten().is_some() {
            return;
        }
        // Of several columns that determine this one, that with most values is drawn first. If each entity has another
        // value, all of them can be combined with all values of this one.
        let of = |other: &(usize, &Column)| other.1.within.as_ref().is_some_and(|(owner, _)| *owner == place);
        let by = self.columns.iter().enumerate().filter(of);
        let by = by.max_by_key(|(_, other)| (!other.is_unique(self.count), other.frequencies.distinct()));
        let number = if let Some((number, other)) = by {
            self.draw(number, row, attempt, random, drawn);
            let value = drawn.get(number).copied().flatten();
            value.map(|value| other.owner(value, &column.frequencies))
        } else {
            let owner = column.within.as_ref().and_then(|(owner, _)| drawn.get(*owner).copied().flatten());
            match owner.and_then(|owner| column.among.get(&owner)) {
                Some(values) if !column.is_unique(self.count) => {
                    values.get(random.below(values.len())).copied()
                }
                _ => Some(column.free(row, attempt, self.count, random)),
            }
        };
        if let Some(slot) = drawn.get_mut(place) {
            *slot = number;
        }
    }

    /// Returns the values that an update of fields sets, as numbers: in keys that no two entities share, unused ones, also
    /// by earlier updates.
    ///
    /// # Errors
    /// Returns the reason if there are none.
    pub(super) fn changes(
        &self,
        entity: usize,
        fields: &[String],
        stored: &FieldValues,
        Used { drawn, keys: used, .. }: &mut Used,
        random: &mut Random,
    ) -> Result<FieldValues, String> {
        let places = fields.iter().filter_map(|name| self.columns.iter().position(|one| one.name == *name));
        let places: Vec<usize> = places.collect();
        let keys = self.unique.iter().skip(1).filter(|key| key.iter().any(|place| places.contains(place)));
        let keys: Vec<&Vec<usize>> = keys.collect();
        for _ in 0..ATTEMPTS {
            let mut changes: Vec<(&Column, usize)> = Vec::new();
            for place in &places {
                let Some(column) = self.columns.get(*place) else { continue };
                let is_new = column.is_unique(self.count) && keys.iter().any(|key| key.contains(place));
                *drawn += usize::from(is_new);
                let new = column.numbers.len() + *drawn;
                let mut other = if is_new { new } else { column.other(column.number(entity), random) };
                if stored.get(&column.name) == Some(&column.encoder.value(other)) {
                    other = column.other(Some(other), random);
                }
                changes.push((column, other));
            }
            let key = |places: &[usize], row: Option<usize>| -> Vec<Option<usize>> {
                let value = |column: &Column| {
                    let change = changes.iter().find(|(one, _)| row.is_none() && one.name == column.name);
                    change.map(|(_, number)| *number).or_else(|| column.number(row.unwrap_or(entity)))
                };
                places.iter().map(|place| self.columns.get(*place).and_then(value)).collect()
            };
            let is_unused = |places: &&Vec<usize>| {
                let columns = || places.iter().filter_map(|place| self.columns.get(*place));
                let new = key(places, None);
                let all = columns().map(|column| column.numbers.len()).max().unwrap_or(0);
                columns().any(|column| column.is_unique(self.count) && fields.contains(&column.name))
                    || !used.contains(&new) && (0..all).all(|row| key(places, Some(row)) != new)
            };
            if keys.iter().all(is_unused) {
                used.extend(keys.iter().map(|places| key(places, None)));
                let change =
                    |(column, number): (&Column, usize)| (column.name.clone(), column.encoder.value(number));
                return Ok(changes.into_iter().map(change).collect());
            }
        }
        Err("the declared values have too few combinations for its unique fields".to_owned())
    }

    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns the values of an entity.
    pub(super) fn row(&self, entity: usize) -> FieldValues {
        let value = |column: &Column| {
            let number = column.number(entity)?;
            Some((column.name.clone(), column.encoder.value(number)))
        };
        self.columns.iter().filter_map(value).collect()
    }
}

impl Column {
    fn new(
        [entity, name]: [&str; 2],
        encoder: Encoder,
        values: &Values,
        distinct: usize,
        is_time: bool,
        [count, more]: [usize; 2],
    ) -> Self {
        let share = |(text, share): &(String, f64)| Some((encoder.number_of(text)?, *share));
        let shares: Vec<(usize, f64)> = values.share.iter().filter_map(share).collect();
        let new = if shares.is_empty() { 0 } else { more };
        let rises = values.rising.unwrap_or(is_time);
        Self {
            name: name.to_owned(),
            encoder,
            frequencies: Frequencies::new(distinct, values.zipf.unwrap_or(0.0), &shares),
            shares,
            new: Random::of(&format!("new {entity}.{name}")).order(new),
            numbers: Vec::new(),
            order: if rises {
                (0..count).collect()
            } else {
                Random::of(&format!("{entity}.{name}")).order(count)
            },
            is_skewed: values.zipf.is_some_and(|zipf| zipf > 0.0),
            present: values.present.unwrap_or(1.0),
            within: None,
            among: HashMap::new(),
        }
    }

    /// Returns a value that no other column determines. All stored entities together have the declared frequencies.
    fn free(&self, row: usize, attempt: usize, count: usize, random: &mut Random) -> usize {
        let new = row.checked_sub(count).filter(|_| attempt == 0).and_then(|new| self.new.get(new));
        if let Some(place) = new {
            return self
                .frequencies
                .at((crate::text::real(*place) + 0.5) / crate::text::real(self.new.len()));
        }
        match self.order.get(row) {
            Some(place) if self.is_unique(count) => *place,
            // For a new key, the less frequent values are drawn again first.
            Some(place) if attempt == 0 || self.is_skewed && attempt < ATTEMPTS / 2 => {
                self.frequencies.at((crate::text::real(*place) + 0.5) / crate::text::real(count))
            }
            None if self.is_unique(count) => row,
            _ => self.frequencies.at(random.share()),
        }
    }
}

/// Returns the values of a field that the design names: in its load, in queries and in the conditions of indexes.
pub(super) fn named<'s>(
    schema: &'s Schema,
    entity: &'s EntityDesign,
    field: &str,
    values: &'s Values,
) -> Vec<&'s str> {
    let queries = schema.queries.iter().filter(|query| query.find == entity.name);
    let tests = queries
        .flat_map(|query| &query.filter)
        .flat_map(|filter| &filter.alternatives)
        .flat_map(|one| &one.tests)
        .filter_map(|test| Some((test.field.as_str(), test.value.as_ref()?)));
    let when = entity.indexes.iter().flat_map(|index| &index.when).flat_map(|when| &when.equalities);
    let when = when.map(|one| (one.field.as_str(), &one.value));
    let compared = tests.chain(when).filter(|(name, _)| *name == field).map(|(_, value)| value.text());
    let mut named: Vec<&str> = Vec::new();
    for text in values.share.iter().map(|(text, _)| text.as_str()).chain(compared) {
        if !named.contains(&text) {
            named.push(text);
        }
    }
    named
}

/// Returns the fields of each key that no two entities share.
fn keys(entity: &EntityDesign) -> Vec<Vec<String>> {
    let of = |parts: [&Option<TemplateText>; 2]| -> Vec<String> {
        let templates = parts.into_iter().flatten().filter_map(|text| text.template());
        templates.flat_map(|template| template.holes().map(|hole| hole.field.clone())).collect()
    };
    let of_index = |index: &IndexDesign| {
        let partition = if index.partition.is_some() { &index.partition } else { &entity.partition };
        of([partition, &index.row])
    };
    let indexes = entity.indexes.iter().filter(|index| index.unique).map(of_index);
    std::iter::once(of([&entity.partition, &entity.row])).chain(indexes).collect()
}

/// Returns the field whose values a field has: through relations, that of the first parent.
fn canonical(schema: &Schema, entity: &str, field: &str) -> String {
    let (mut entity, mut field) = (entity, field);
    for _ in 0..schema.relations.len() {
        let parent = schema.relations.iter().filter(|relation| relation.to == entity).find_map(|relation| {
            let (from, _) = relation.on.iter().find(|(_, to)| to == field)?;
            Some((relation.from.as_str(), from.as_str()))
        });
        let Some(parent) = parent else { break };
        (entity, field) = parent;
    }
    format!("{entity}.{field}")
}
