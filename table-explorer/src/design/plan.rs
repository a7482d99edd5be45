//! Writes of entities through the write plan of their design, with index rows and commit records.

use table_model::{Condition, ETag, Name, Operation, Properties, Row, TableName, Timestamp, Value};
use table_patterns::{
    DesignError, DesignedEntities, FieldValues, StoredFields, Tables, Transaction, TransactionPlan,
};
use table_schema::design::{EntityDesign, FieldDesign, FieldKind, Stamp};

use super::{Design, Sort, entity_type, failure::failure, field_of};
use crate::{
    Place,
    edit::{self, Failure},
};

type Failed = (Option<usize>, Failure);

/// A transaction of entities of the design.
pub(crate) struct Plan {
    tables: Tables,
    writes: Vec<Write>,
}

/// A write of an entity.
enum Write {
    Insert(DesignedEntities, FieldValues),
    Update(DesignedEntities, StoredFields, FieldValues),
    Replace(DesignedEntities, StoredFields, FieldValues),
    Move(DesignedEntities, StoredFields, FieldValues),
    Delete(StoredFields),
}

/// Sends operations on the rows of entities with all rows that follow from them; operations on other rows as they are.
///
/// # Errors
///
/// Returns the failure, and the index of the failed operation of a transaction. Nothing is sent again.
pub(crate) async fn send(
    design: Option<&Design>,
    place: &Place,
    table: &TableName,
    operations: &[Operation],
) -> Result<(), Failed> {
    match Plan::of(design, place, table, operations).await? {
        Some(plan) => plan.commit().await,
        None => edit::send(place, table, operations).await,
    }
}

/// Writes an entity of a file with all rows that follow from it. Properties that the library sets, or that are in keys,
/// are not changed.
///
/// # Errors
///
/// Returns the failure. Nothing is sent again.
pub(crate) async fn import(
    design: &Design,
    place: &Place,
    table: &TableName,
    mut operation: Operation,
) -> Result<(), Failed> {
    if let Operation::Replace(row, _) | Operation::Merge(row, _) = &mut operation {
        let kind = design.kind(table.as_str(), (&row.partition_key, &row.row_key), &row.properties);
        if let Some(entity) = design.entity(kind.sort) {
            let is_kept = |name: &str| {
                field_of(entity, name).is_some_and(|(field, _)| !super::is_editable(entity, field))
            };
            let all = std::mem::take(&mut row.properties);
            row.properties =
                all.iter().filter(|(name, _)| !is_set(name) && !is_kept(name)).cloned().collect();
        }
    }
    send(Some(design), place, table, &[operation]).await
}

/// Returns whether the library sets a property.
fn is_set(name: &str) -> bool {
    name.starts_with('_') || name == super::ENTITY_TYPE
}

/// Returns what a transaction sends. `None` if it concerns no entity of the design.
pub(crate) async fn preview(
    design: Option<&Design>,
    place: &Place,
    table: &TableName,
    operations: &[Operation],
) -> Result<Option<TransactionPlan>, Failed> {
    match Plan::of(design, place, table, operations).await? {
        Some(plan) => plan.transaction().plan().await.map(Some).map_err(|error| failure(&error)),
        None => Ok(None),
    }
}

/// Moves an entity of the design to another key of its partition. Returns `None` if the row is none.
pub(crate) async fn moved(
    design: &Design,
    place: &Place,
    table: &TableName,
    (from, to): (&Row, &str),
) -> Option<Result<(), Failed>> {
    let (partition, key) = from.partition_key.as_deref().zip(from.row_key.as_deref())?;
    let kind = design.kind(table.as_str(), (partition, key), &from.properties);
    let Sort::Entity(number) = kind.sort else { return None };
    let entity = design.schema.entities.get(number)?;
    let plan = async {
        let writes = Writes { design, place, entity };
        let (tables, entities) = writes.entities().await?;
        let stored = stored(&entities, partition, key, &from.etag).await?;
        let fields = writes.fields(&entities, (partition, to), &from.properties, &[Stamp::Updated])?;
        Ok(Plan { tables, writes: vec![Write::Move(entities, stored, fields)] })
    };
    Some(match plan.await {
        Ok(plan) => plan.commit().await,
        Err(failure) => Err((None, failure)),
    })
}

/// Returns why the design rejects a row as an entity of it. `None` also for other rows.
pub(crate) async fn invalid(
    design: &Design,
    place: &Place,
    table: &str,
    (keys, properties): ((&str, &str), &Properties),
) -> Option<String> {
    let entity = design.entity(design.kind(table, keys, properties).sort)?;
    // Its write sets what the library sets.
    let has_rules = design.has_rules(table, keys, properties);
    let planned = async {
        let unwritable = |error: DesignError| Failure::Rejected(error.to_string());
        let designed = design.designed(place, entity).map_err(unwritable)?;
        let entities = designed.entities().map_err(unwritable)?;
        let stamps = if has_rules { &Stamp::ALL[..] } else { &[] };
        let fields = Writes { design, place, entity }.fields(&entities, keys, properties, stamps)?;
        let planned = designed.tables().transact().insert_fields(&entities, &fields).plan().await;
        planned.map_err(|error| failure(&error).1)
    };
    let planned = match planned.await {
        Ok(planned) => planned,
        Err(failure) => return Some(failure.reason()),
    };
    let written = planned.operations.first().and_then(Operation::entity)?;
    let is_missing = !has_rules && entity_type(properties).is_none();
    let required = entity_type(&written.properties).filter(|_| is_missing)?;
    Some(format!("An entity of `{}` requires the EntityType `{required}`.", entity.name))
}

impl Plan {
    /// Reads the entities of operations. Returns `None` if none of them concerns an entity of the design.
    async fn of(
        design: Option<&Design>,
        place: &Place,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Option<Self>, Failed> {
        let Some((design, kinds)) =
            design.and_then(|design| Some((design, design.in_table(table.as_str())?)))
        else {
            return Ok(None);
        };
        let entity_of = |operation: &Operation| {
            let none = Properties::new();
            let properties = match operation {
                Operation::Insert(entity) => &entity.properties,
                _ => &none,
            };
            let keys = (operation.partition_key(), operation.row_key());
            match design.kind_in(Some(&kinds), keys, properties).sort {
                Sort::Entity(number) => design.schema.entities.get(number),
                _ => None,
            }
        };
        let entities: Vec<Option<&EntityDesign>> = operations.iter().map(entity_of).collect();
        if entities.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut plan: Option<Self> = None;
        for (index, (operation, entity)) in operations.iter().zip(entities).enumerate() {
            let found = match entity {
                Some(entity) => Writes { design, place, entity }.write(operation).await,
                None => Err(Failure::Rejected(MIXED.to_owned())),
            };
            let (tables, write) = found.map_err(|failure| (Some(index), failure))?;
            plan.get_or_insert_with(|| Self { tables, writes: Vec::new() }).writes.push(write);
        }
        Ok(plan)
    }

    fn transaction(&self) -> Transaction<'_> {
        self.writes.iter().fold(self.tables.transact(), |transaction, write| match write {
            Write::Insert(entities, fields) => transaction.insert_fields(entities, fields),
            Write::Update(entities, stored, changes) => transaction.update_fields(entities, stored, changes),
            Write::Replace(entities, stored, fields) => transaction.replace_fields(entities, stored, fields),
            Write::Move(entities, stored, fields) => transaction.move_fields(entities, stored, fields),
            Write::Delete(stored) => transaction.delete_fields(stored),
        })
    }

    async fn commit(&self) -> Result<(), Failed> {
        self.transaction().commit().await.map(drop).map_err(|error| failure(&error))
    }
}

const MIXED: &str = "This row is not one of the design, and a transaction of the design contains its entities only. \
                     Remove it from the basket, and change it on its page.";

/// The writes of an entity.
struct Writes<'d> {
    design: &'d Design,
    place: &'d Place,
    entity: &'d EntityDesign,
}

impl Writes<'_> {
    async fn entities(&self) -> Result<(Tables, DesignedEntities), Failure> {
        self.design.entities(self.place, self.entity).await.map_err(Failure::Rejected)
    }

    /// Converts an operation on the row of the entity to values of its fields.
    async fn write(&self, operation: &Operation) -> Result<(Tables, Write), Failure> {
        let (tables, entities) = self.entities().await?;
        let keys = (operation.partition_key(), operation.row_key());
        let required = match operation {
            Operation::Merge(_, Condition::Matches(etag))
            | Operation::Replace(_, Condition::Matches(etag))
            | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag),
            _ => None,
        };
        let (Some(etag), false) = (required, matches!(operation, Operation::Insert(_))) else {
            let Operation::Insert(entity) = operation else {
                return Err(Failure::Rejected("A change of an entity requires its ETag.".to_owned()));
            };
            let fields = self.fields(&entities, keys, &self.sized(&entity.properties), &Stamp::ALL)?;
            return Ok((tables, Write::Insert(entities, fields)));
        };
        let stored = stored(&entities, keys.0, keys.1, etag).await?;
        let write = match operation {
            Operation::Merge(entity, _) => {
                let mut changes = self.changes(&self.sized(&entity.properties))?;
                self.stamp(&mut changes, Stamp::Updated);
                Write::Update(entities, stored, changes)
            }
            Operation::Replace(entity, _) => {
                let is_kept = |name: &str| {
                    let field =
                        self.entity.fields.iter().find(|field| field.name == name || field.has_slot(name));
                    field.is_some_and(|field| !super::is_editable(self.entity, field))
                };
                let kept = stored.fields().iter().filter(|(name, _)| is_kept(name));
                let mut fields: FieldValues =
                    kept.map(|(name, value)| (name.clone(), value.clone())).collect();
                fields.extend(self.changes(&self.sized(&entity.properties))?);
                self.stamp(&mut fields, Stamp::Updated);
                Write::Replace(entities, stored, fields)
            }
            _ => Write::Delete(stored),
        };
        Ok((tables, write))
    }

    /// Returns properties with the values that their fields store.
    fn sized(&self, properties: &Properties) -> Properties {
        let sized = |(name, value): &(Name, Value)| {
            let field = field_of(self.entity, name);
            (name.clone(), field.map_or_else(|| value.clone(), |(field, _)| of_width(field, value)))
        };
        properties.iter().map(sized).collect()
    }

    /// Returns the values of the fields that a form changes.
    fn changes(&self, properties: &Properties) -> Result<FieldValues, Failure> {
        let is_kept = |name: &str| {
            field_of(self.entity, name).is_some_and(|(field, _)| !super::is_editable(self.entity, field))
        };
        match properties.iter().find(|(name, _)| is_kept(name)) {
            Some((name, _)) => Err(Failure::Rejected(format!(
                "`{name}` is not changed: it is in a key, or a program sets it. Remove it from the form."
            ))),
            None => self.named(properties),
        }
    }

    /// Returns the values of the fields that properties contain.
    fn named(&self, properties: &Properties) -> Result<FieldValues, Failure> {
        let value = |(name, value): &(Name, Value)| match field_of(self.entity, name) {
            Some((_, field)) => Ok((field, value.clone())),
            None => Err(Failure::Rejected(format!(
                "`{}` has no property `{name}` in the design. Remove it, or change the design first.",
                self.entity.name
            ))),
        };
        properties.iter().map(value).collect()
    }

    /// Returns the values of an entity that is inserted with these keys and properties. Those that the library sets are
    /// left out.
    fn fields(
        &self,
        entities: &DesignedEntities,
        (partition, row): (&str, &str),
        properties: &Properties,
        stamps: &[Stamp],
    ) -> Result<FieldValues, Failure> {
        let properties: Properties = properties.iter().filter(|(name, _)| !is_set(name)).cloned().collect();
        self.named(&properties)?;
        let fields = entities.row_fields(partition, row, &properties);
        let mut fields = fields.ok_or_else(|| {
            let templates = [&self.entity.partition, &self.entity.row];
            let [partition, row] = templates.map(|text| text.as_ref().map_or("", |text| text.text()));
            Failure::Rejected(format!(
                "The keys are not those of `{}`: {partition} and {row}.",
                self.entity.name
            ))
        })?;
        for stamp in stamps {
            self.stamp(&mut fields, *stamp);
        }
        let address = entities.address(&fields).map_err(|error| Failure::Rejected(error.to_string()))?;
        if (address.partition_key(), address.row_key()) != (partition, row) {
            return Err(Failure::Rejected(format!(
                "The values of the fields require the keys `{}` and `{}`.",
                address.partition_key(),
                address.row_key()
            )));
        }
        Ok(fields)
    }

    /// Sets the time that the library sets in a write.
    fn stamp(&self, fields: &mut FieldValues, stamp: Stamp) {
        for field in self.entity.fields.iter().filter(|field| field.stamp == Some(stamp)) {
            fields.insert(field.name.clone(), Timestamp::now().into());
        }
    }
}

/// Returns the value of a field. A float of 32 bits is the nearest one, as few decimals are such a float exactly.
fn of_width(field: &FieldDesign, value: &Value) -> Value {
    match (&field.kind, value) {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest float of the field")]
        (FieldKind::Float { bits: 32 }, Value::Double(number)) => f64::from(*number as f32).into(),
        _ => value.clone(),
    }
}

/// Reads an entity in the version that a write requires.
async fn stored(
    entities: &DesignedEntities,
    partition: &str,
    row: &str,
    etag: &ETag,
) -> Result<StoredFields, Failure> {
    let stored = entities.at(partition, row).await.map_err(|error| failure(&error).1)?;
    let stored = stored.ok_or(Failure::Deleted)?;
    if stored.etag() == etag { Ok(stored) } else { Err(Failure::Changed) }
}
