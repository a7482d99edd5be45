use crate::simulate::harmonic;
use table_designs::{
    language::Rate,
    schema::{EntityLoad, Schema, Values},
};
use table_schema::{
    design::{EntityDesign, EntityTypeRule, FieldDesign, FieldKind, LookupDesign, RowKind, Series},
    language::{Argument, Comparison, Literal, Test, When},
    template::{DateUnit, Shape, Template, TemplateField},
};

/// Number of entities if neither the load nor the insert rate specifies it.
const UNKNOWN_COUNT: f64 = 1_000.0;
/// Fraction of values in a range of unspecified width.
const GUESSED_RANGE: f64 = 0.1;
/// Fraction of strings with an unspecified prefix.
const GUESSED_BEGINNING: f64 = 0.01;

/// The assumptions about an entity: its number and its values.
#[derive(Debug)]
pub(super) struct Facts<'s> {
    pub entity: &'s EntityDesign,
    schema: &'s Schema,
    load: Option<&'s EntityLoad>,
    /// Its row kinds.
    pub kinds: Vec<RowKind>,
    /// Number of entities.
    pub count: f64,
    /// `true` if the file specifies the number.
    pub is_counted: bool,
    /// Evaluated period in seconds: the retention period of the rows, or the horizon of the file.
    pub horizon: f64,
    /// `true` if rows contain their type name.
    pub is_typed: bool,
    /// Rows per entity.
    pub parts: f64,
    /// The peak load as a multiple of the average.
    peak: f64,
}

impl<'s> Facts<'s> {
    pub(super) fn new(
        schema: &'s Schema,
        entity: &'s EntityDesign,
        load: Option<&'s EntityLoad>,
        requires_type: bool,
    ) -> Self {
        let horizon = seconds(entity.keep.unwrap_or(schema.load.horizon));
        let said = load.and_then(|load| load.count).map(whole);
        let inserts = load.and_then(|load| load.insert).map_or(0.0, Rate::per_second);
        let count = said.unwrap_or(if inserts > 0.0 { inserts * horizon } else { UNKNOWN_COUNT });
        let mut facts = Self {
            entity,
            schema,
            load,
            kinds: entity.row_kinds(),
            count,
            is_counted: said.is_some(),
            horizon,
            is_typed: match entity.entity_type {
                EntityTypeRule::None => false,
                EntityTypeRule::Always | EntityTypeRule::Named(_) => true,
                EntityTypeRule::Auto => requires_type,
            },
            parts: 1.0,
            peak: schema.load.peak,
        };
        facts.parts = facts.count_parts();
        facts
    }

    /// Returns the load of the entity.
    pub(super) fn load(&self) -> Option<&'s EntityLoad> {
        self.load
    }

    /// Returns the row kind of the entity itself, or `None` if templates are missing.
    pub(super) fn primary(&self) -> Option<&RowKind> {
        self.kinds.first()
    }

    fn values(&self, field: &str) -> Option<&'s Values> {
        self.load?.values_of(field)
    }

    fn count_parts(&self) -> f64 {
        let Some(wide) = self.entity.wide else { return 1.0 };
        let properties: usize = self.entity.stored_fields().map(slots).sum();
        real(properties.div_ceil(wide.max(1)).max(1))
    }

    /// Returns the number of distinct values of a field that the file specifies.
    pub(super) fn said_distinct(&self, field: &str) -> Option<u64> {
        self.values(field).and_then(|values| values.distinct)
    }

    /// Returns the values of a field that conditions and shares name. A total has the fields of its source.
    pub(super) fn literals(&self, field: &str) -> impl Iterator<Item = &'s str> {
        let (entity, field) = (self.entity, field.to_owned());
        let shares = self.values(&field).map_or(&[][..], |values| values.share.as_slice());
        let is_source = |name: &String| entity.totals.iter().any(|total| total.entity == *name);
        let queries =
            self.schema.queries.iter().filter(move |one| one.find == entity.name || is_source(&one.find));
        let conditions = queries.filter_map(|query| query.filter.as_ref());
        let tests = conditions.flat_map(|condition| &condition.alternatives).flat_map(|all| &all.tests);
        let values = tests.filter(move |test| test.field == field).filter_map(|test| test.value.as_ref());
        values.map(Literal::text).chain(shares.iter().map(|(value, _)| value.as_str()))
    }

    /// Returns the number of distinct values of a field.
    pub(super) fn distinct(&self, field: &str) -> f64 {
        if let Some(distinct) = self.values(field).and_then(|values| values.distinct) {
            return whole(distinct).max(1.0);
        }
        let all = self.count.max(1.0);
        match self.entity.field(field).map(|field| &field.kind) {
            Some(FieldKind::Bool) => 2.0,
            Some(FieldKind::Enum { variants }) if !variants.is_empty() => real(variants.len()),
            Some(FieldKind::Int { bits: 8, .. }) => all.min(256.0),
            Some(FieldKind::Int { bits: 16, .. }) => all.min(65_536.0),
            // Short codes: letters and digits.
            Some(FieldKind::Text { max: Some(max @ ..=4) }) => all.min(36_f64.powf(real(*max))),
            _ => all,
        }
    }

    /// Returns the fraction of entities with a value of a field.
    pub(super) fn share_of(&self, field: &str, value: &Literal) -> f64 {
        let shares = self.values(field).map_or(&[][..], |values| values.share.as_slice());
        let said = shares.iter().find(|(known, _)| known == value.text());
        said.map_or_else(|| 1.0 / self.distinct(field), |(_, share)| *share)
    }

    /// Returns the fraction of entities that satisfy a condition. Without a condition, all do.
    pub(super) fn selected(&self, when: Option<&When>) -> f64 {
        let equalities = when.into_iter().flat_map(|when| &when.equalities);
        equalities.map(|one| self.share_of(&one.field, &one.value)).product()
    }

    /// Returns the number of distinct encodings in a template field. A date has as many values as the evaluated period
    /// has date periods.
    pub(super) fn distinct_in(&self, hole: &TemplateField) -> f64 {
        match (hole.field.as_str(), hole.shape.ascending()) {
            ("part", _) => self.parts,
            ("shard", _) => self.entity.shard.as_ref().map_or(1.0, |shard| f64::from(shard.count)),
            (field, Shape::Date(format)) => match self.values(field).and_then(|values| values.distinct) {
                Some(distinct) => whole(distinct).max(1.0),
                None => (self.horizon / period(format.finest())).ceil().max(1.0),
            },
            (field, _) => self.distinct(field),
        }
    }

    /// Returns the Zipf exponent of the value frequencies.
    pub(super) fn zipf(&self, field: &str) -> f64 {
        self.values(field).and_then(|values| values.zipf).unwrap_or(0.0)
    }

    /// Returns whether new values sort after old values.
    pub(super) fn is_rising(&self, field: &str) -> bool {
        let said = self.values(field).and_then(|values| values.rising);
        let kind = self.entity.field(field).map(|field| &field.kind);
        said.unwrap_or(matches!(kind, Some(FieldKind::Time | FieldKind::Date)))
    }

    /// Returns the fraction of entities that have a value.
    pub(super) fn present(&self, field: &str) -> f64 {
        self.values(field).and_then(|values| values.present).unwrap_or(1.0)
    }

    /// Returns the average length in characters.
    pub(super) fn chars(&self, field: &FieldDesign) -> f64 {
        let half = |max: usize| real(max.div_ceil(2));
        let by_kind = || match &field.kind {
            FieldKind::Text { max } => max.map_or(16.0, half),
            FieldKind::Json { max } => max.map_or(200.0, half),
            FieldKind::Enum { .. } => real(field.kind.longest_text().unwrap_or(16)),
            _ => 16.0,
        };
        self.values(&field.name).and_then(|values| values.chars).unwrap_or_else(by_kind)
    }

    /// Returns the average length of binary values and blobs in bytes.
    pub(super) fn bytes(&self, field: &FieldDesign) -> f64 {
        let by_kind = match field.kind {
            FieldKind::Blob => 100_000.0,
            FieldKind::Binary { max: Some(max) } => real(max.div_ceil(2)),
            _ => 100.0,
        };
        self.values(&field.name).and_then(|values| values.bytes).unwrap_or(by_kind)
    }

    /// Returns the average length of a key in UTF-16 units.
    pub(super) fn key_chars(&self, template: &Template) -> f64 {
        let of = |segment: &table_schema::template::Segment| match &segment.kind {
            table_schema::template::SegmentKind::Literal(text) => real(table_schema::key::units(text)),
            table_schema::template::SegmentKind::Field(hole) => {
                let field = self.entity.field(&hole.field);
                match hole.shape {
                    shape if shape.is_text() => field.map_or(16.0, |field| self.chars(field)),
                    shape => real(shape.longest(None).unwrap_or(16)),
                }
            }
        };
        template.segments().iter().map(of).sum()
    }

    /// Returns the fields that no other of the given fields determines.
    pub(super) fn independent<'f>(&self, fields: &[&'f str]) -> Vec<&'f str> {
        let determined = |field: &str| {
            let by = |other: &&str| *other != field && self.determined(other) == Some(field);
            fields.iter().any(by)
        };
        fields.iter().copied().filter(|field| !determined(field)).collect()
    }

    /// Returns a product over the template fields, without fields whose values are determined by other fields. Shards
    /// of a field that the template contains or determines have no effect.
    fn product(&self, template: &Template, of: impl Fn(&TemplateField) -> f64) -> f64 {
        let fields: Vec<&str> = template.holes().map(|hole| hole.field.as_str()).collect();
        let mut independent = self.independent(&fields);
        if let Some(shard) = &self.entity.shard
            && (fields.contains(&shard.of.as_str())
                || fields.iter().any(|field| self.determined(field) == Some(&shard.of)))
        {
            independent.retain(|field| *field != "shard");
        }
        let holes = template.holes().filter(|hole| independent.contains(&hole.field.as_str()));
        holes.map(of).product()
    }

    /// Returns the field that another field determines.
    fn determined(&self, field: &str) -> Option<&'s str> {
        self.values(field)?.within.as_deref()
    }

    /// Returns the number of distinct keys of a template.
    pub(super) fn keys(&self, template: &Template) -> f64 {
        let own = self.primary().is_some_and(|primary| primary.partition.text() == template.text());
        let said = self.load.and_then(|load| load.partitions).filter(|_| own).map(whole);
        said.unwrap_or_else(|| self.product(template, |hole| self.distinct_in(hole)).min(self.count)).max(1.0)
    }

    /// Returns the fraction of rows in the largest partition.
    pub(super) fn largest_share(&self, partition: &Template) -> f64 {
        self.product(partition, |hole| self.head(hole)).max(1.0 / self.keys(partition))
    }

    /// Returns the number of partitions that contain given values of some fields, and the fraction of the reads in the
    /// busiest of them.
    pub(super) fn spread(&self, partition: &Template, given: &[&str]) -> (f64, f64) {
        if given.is_empty() {
            return (self.keys(partition), self.largest_share(partition));
        }
        let other = |hole: &TemplateField| !given.contains(&hole.field.as_str());
        let keys = self.product(partition, |hole| if other(hole) { self.distinct_in(hole) } else { 1.0 });
        let keys = keys.min(self.keys(partition)).max(1.0);
        let share = self.product(partition, |hole| if other(hole) { self.head(hole) } else { 1.0 });
        (keys, share.max(1.0 / keys))
    }

    /// Returns the number of partitions that new entities are written to within a second. A rising field has only its
    /// new values.
    pub(super) fn active(&self, partition: &Template) -> f64 {
        let of = |hole: &TemplateField| self.new_values(hole).unwrap_or_else(|| self.distinct_in(hole));
        self.product(partition, of).min(self.keys(partition)).max(1.0)
    }

    /// Returns the fraction of new entities in the busiest of these partitions.
    pub(super) fn busiest_share(&self, partition: &Template) -> f64 {
        let of =
            |hole: &TemplateField| self.new_values(hole).map_or_else(|| self.head(hole), |new| 1.0 / new);
        self.product(partition, of).max(1.0 / self.active(partition))
    }

    /// Returns the number of new values of a rising field within a second at the peak: a date has one, the current
    /// period. `None` for other fields.
    fn new_values(&self, hole: &TemplateField) -> Option<f64> {
        if !self.is_rising(&hole.field) {
            return None;
        }
        let new = match hole.shape.ascending() {
            Shape::Date(_) => 1.0,
            _ => self.inserts() * self.distinct_in(hole) / self.count.max(1.0),
        };
        Some(new.max(1.0))
    }

    /// Returns the inserts per second at the peak.
    pub(super) fn inserts(&self) -> f64 {
        self.peak * self.load.and_then(|load| load.insert).map_or(0.0, Rate::per_second)
    }

    /// Returns the fraction of the most frequent value.
    pub(super) fn head(&self, hole: &TemplateField) -> f64 {
        let shares = self.values(&hole.field).map_or(&[][..], |values| values.share.as_slice());
        let most = shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        most.max(1.0 / harmonic(self.distinct_in(hole), self.zipf(&hole.field)))
    }

    /// Returns the number of tables.
    pub(super) fn tables(&self, table: &Template) -> f64 {
        let of = |hole: &TemplateField| match hole.shape {
            Shape::Date(format) => (self.horizon / period(format.finest())).max(1.0),
            _ => self.distinct_in(hole),
        };
        table.holes().map(of).product()
    }

    /// Returns the fraction of entities that match a test. `hole` is the template field that contains the tested field.
    pub(super) fn selectivity(&self, test: &Test, hole: Option<&TemplateField>) -> f64 {
        if let Some(value) = &test.value {
            return self.share_of(&test.field, value);
        }
        let distinct = hole.map_or_else(|| self.distinct(&test.field), |hole| self.distinct_in(hole));
        match (test.comparison, test.argument) {
            (Comparison::NotEqual, _) => 1.0 - 1.0 / distinct,
            (Comparison::In, Argument::Values(values)) => (whole(values) / distinct).min(1.0),
            (Comparison::Equal | Comparison::In, _) => 1.0 / distinct,
            (_, Argument::Window(window)) => (seconds(window) / self.horizon).min(1.0),
            (_, Argument::Share(share)) => share,
            (Comparison::Starts, _) => GUESSED_BEGINNING,
            _ => GUESSED_RANGE,
        }
    }

    /// Returns the number of lists of a lookup.
    pub(super) fn lists(&self, lookup: &LookupDesign) -> f64 {
        let partitions = self.primary().map_or(1.0, |primary| self.keys(&primary.partition));
        let partitions =
            if lookup.place == table_schema::design::LookupPlace::Partition { partitions } else { 1.0 };
        let on: Vec<&str> = lookup.on.iter().map(String::as_str).collect();
        let values: f64 = self.independent(&on).iter().map(|field| self.distinct(field)).product();
        (values * partitions).min(self.count).max(1.0)
    }

    /// Returns the number of entities in the lists of a lookup: those with a value in each of its fields.
    pub(super) fn listed(&self, lookup: &LookupDesign) -> f64 {
        self.count * lookup.on.iter().map(|field| self.present(field)).product::<f64>()
    }

    /// Returns the average number of members of a list.
    pub(super) fn members(&self, lookup: &LookupDesign) -> f64 {
        self.listed(lookup) / self.lists(lookup)
    }

    /// Returns the number of members of its longest list.
    pub(super) fn longest_list(&self, lookup: &LookupDesign) -> f64 {
        let near = lookup.place == table_schema::design::LookupPlace::Partition;
        let partition = self.primary().filter(|_| near);
        let partition = partition.map_or(1.0, |primary| self.largest_share(&primary.partition));
        let on: Vec<&str> = lookup.on.iter().map(String::as_str).collect();
        let head = |field: &&str| 1.0 / harmonic(self.distinct(field), self.zipf(field));
        self.listed(lookup) * self.independent(&on).iter().map(head).product::<f64>() * partition
    }
}

/// Returns the number of properties of a field.
pub(super) fn slots(field: &FieldDesign) -> usize {
    match field.series {
        Some(Series::Slots(slots)) => slots,
        Some(Series::Unknown) | None => 1,
    }
}

/// Returns the length of the period of a per-period table.
pub(super) fn table_period(table: &Template) -> Option<f64> {
    table.holes().find_map(|hole| match hole.shape {
        Shape::Date(format) => Some(period(format.finest())),
        _ => None,
    })
}

/// Returns the length of a unit in seconds; a month has 730 hours, a year 365 days.
pub(super) fn period(unit: DateUnit) -> f64 {
    match unit {
        DateUnit::Year => 365.0 * 86_400.0,
        DateUnit::Month => 730.0 * 3_600.0,
        DateUnit::Day => 86_400.0,
        DateUnit::Hour => 3_600.0,
        DateUnit::Minute => 60.0,
        DateUnit::Second => 1.0,
    }
}

pub(super) fn seconds(span: table_schema::language::Span) -> f64 {
    whole(span.seconds())
}

/// Converts a count to a float.
#[expect(clippy::cast_precision_loss, reason = "a count above 2^53 is reckoned with to 16 digits")]
pub(super) fn whole(count: u64) -> f64 {
    count as f64
}

pub(super) fn real(count: usize) -> f64 {
    whole(count as u64)
}

/// Rounds up. A number that exceeds an integer only by a rounding error is rounded to that integer.
pub(super) fn up(number: f64) -> f64 {
    (number - number.abs() * 1e-9).ceil()
}
