//! Entities as the generated code declares and stores them, with the choices resolved that a design file leaves open.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Schema;
use table_schema::{
    design::{
        ContributionDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, Place,
        TemplateText, TotalDesign,
    },
    template::Template,
};

/// An entity of a design file, as the derive declares it: with the fields that it receives from other entities, and
/// with its contributions to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The complete design.
    pub design: EntityDesign,
    number: usize,
    /// The declarations of the fields that follow those of the file.
    kept: Vec<Place>,
    /// The entity and the number of the aggregate of each contribution.
    contributions: Vec<(usize, usize)>,
}

impl Declared {
    /// Returns the entity and the location in the file for a location in the complete design.
    pub fn origin(&self, place: &Place) -> (usize, Place) {
        let own = self.design.fields.len() - self.kept.len();
        match place {
            Place::Contribution(number) | Place::ContributionWord(number, _) => {
                let (entity, total) = self.contributions.get(*number).copied().unwrap_or_default();
                (entity, Place::Total(total))
            }
            Place::Field(number) | Place::FieldType(number) | Place::FieldWord(number, _)
                if *number >= own =>
            {
                (self.number, self.kept.get(number - own).cloned().unwrap_or(Place::Entity))
            }
            place => (self.number, place.clone()),
        }
    }
}

impl Schema {
    /// Returns whether the tables of this entity contain rows of another entity.
    pub fn shares_table(&self, entity: &EntityDesign) -> bool {
        self.shared_tables().contains(entity)
    }

    /// Returns the tables with rows of several entities.
    pub fn shared_tables(&self) -> SharedTables {
        let mut count: HashMap<String, usize> = HashMap::new();
        for table in self.entities.iter().flat_map(tables) {
            *count.entry(table).or_default() += 1;
        }
        SharedTables(count.into_iter().filter(|(_, count)| *count > 1).map(|(table, _)| table).collect())
    }

    /// Returns the entity with this name as its rows are stored: with the `EntityType` rule and the copied fields of
    /// indexes resolved, and with its aggregates and copied fields of other entities appended as fields.
    pub fn stored_entity(&self, name: &str) -> Option<EntityDesign> {
        let number = self.entities.iter().position(|entity| entity.name == name)?;
        let mut entity = self.declared(number)?.design;
        if entity.entity_type == EntityTypeRule::Auto {
            let is_written = self.requires_type(&entity, &self.shared_tables());
            entity.entity_type = if is_written { EntityTypeRule::Always } else { EntityTypeRule::None };
        }
        Some(entity)
    }

    /// Returns whether the rows of an entity contain their `EntityType` by [`EntityTypeRule::Auto`]: it contains the
    /// version, it distinguishes the entities of a table, or the records of a change feed contain it.
    pub fn requires_type(&self, entity: &EntityDesign, shared: &SharedTables) -> bool {
        entity.declares_version() || entity.changes.is_some() || shared.contains(entity)
    }

    /// Returns an entity as the derive declares it. Aggregates become maintained fields of the target and
    /// contributions of the source. Copied fields become plain fields, which the program maintains.
    ///
    /// ```
    /// use table_designs::schema::Schema;
    /// use table_schema::{design::{EntityDesign, Place, TotalDesign}, static_design::Aggregate};
    ///
    /// let mut department = EntityDesign::new("Department");
    /// let (name, entity) = ("employees".to_owned(), "Employee".to_owned());
    /// let total = TotalDesign { name, about: None, by: Aggregate::Count, entity, field: None, matches: Vec::new(), when: None };
    /// department.totals = vec![total];
    /// let schema = Schema { entities: vec![department, EntityDesign::new("Employee")], ..Schema::default() };
    ///
    /// let target = schema.declared(0).unwrap();
    /// assert!(target.design.field("employees").unwrap().from_source);
    /// assert_eq!(target.origin(&Place::Field(0)), (0, Place::Total(0)));
    /// let source = schema.declared(1).unwrap();
    /// assert_eq!(source.design.contributions[0].target, "Department");
    /// assert_eq!(source.origin(&Place::Contribution(0)), (0, Place::Total(0)));
    /// ```
    pub fn declared(&self, number: usize) -> Option<Declared> {
        let mut design = self.entities.get(number)?.clone();
        name_copies(&mut design);
        let mut kept = Vec::new();
        for (at, total) in design.totals.iter().enumerate() {
            kept.push((Place::Total(at), self.maintained(total)));
        }
        for (at, embed) in design.embeds.iter().enumerate() {
            for name in &embed.fields {
                let Some(source) = self.entity(&embed.from).and_then(|source| source.field(name)) else {
                    continue;
                };
                let mut field = FieldDesign::new(format!("{}_{name}", embed.name), source.kind.clone());
                field.optional = true;
                kept.push((Place::Embed(at), field));
            }
        }
        let (kept, fields): (Vec<Place>, Vec<FieldDesign>) = kept.into_iter().unzip();
        design.fields.extend(fields);
        let mut contributions = Vec::new();
        for (entity, target) in self.entities.iter().enumerate() {
            for (at, total) in
                target.totals.iter().enumerate().filter(|(_, total)| total.entity == design.name)
            {
                contributions.push((entity, at));
                design.contributions.push(contribution(target, total));
            }
        }
        Some(Declared { design, number, kept, contributions })
    }

    /// Returns the field of an aggregate. An extreme has the type of its source field.
    fn maintained(&self, total: &TotalDesign) -> FieldDesign {
        let is_extreme = total.by.is_extreme();
        let source = total.field.as_ref().filter(|_| is_extreme);
        let source = source.and_then(|name| self.entity(&total.entity)?.field(name));
        let is_value = |field: &&FieldDesign| !matches!(field.kind, FieldKind::Blob | FieldKind::Json { .. });
        let kind = source.filter(is_value).map(|field| field.kind.clone());
        let mut field =
            FieldDesign::new(total.name.as_str(), kind.unwrap_or(FieldKind::Int { bits: 64, signed: true }));
        (field.from_source, field.optional) = (true, is_extreme);
        field
    }
}

/// The tables with rows of several entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTables(HashSet<String>);

impl SharedTables {
    /// Returns whether a table of an entity, of its indexes, lookups or archive contains rows of another entity.
    pub fn contains(&self, entity: &EntityDesign) -> bool {
        tables(entity).iter().any(|table| self.0.contains(table))
    }
}

/// Returns the declared tables of an entity, each once.
fn tables(entity: &EntityDesign) -> BTreeSet<String> {
    let texts = [&entity.table].into_iter().chain(entity.indexes.iter().map(|index| &index.table));
    let texts =
        texts.chain(entity.lookups.iter().map(|lookup| &lookup.table)).flatten().map(TemplateText::text);
    let archive = entity.archive.iter().map(|archive| archive.to.as_str());
    texts.chain(archive).map(str::to_ascii_lowercase).collect()
}

fn contribution(target: &EntityDesign, total: &TotalDesign) -> ContributionDesign {
    ContributionDesign {
        by: total.by,
        target: target.name.clone(),
        path: target.name.clone(),
        field: total.name.clone(),
        of: total.field.clone(),
        when: total.when.clone(),
        condition: None,
    }
}

/// Replaces [`CopiedFields::All`] by field names if the entity has blob fields, aggregates or copied fields of other
/// entities. Copies contain neither blobs, which belong to a single row, nor values of other entities.
pub fn name_copies(design: &mut EntityDesign) {
    let is_own = |field: &FieldDesign| field.kind != FieldKind::Blob;
    if design.totals.is_empty() && design.embeds.is_empty() && design.fields.iter().all(is_own) {
        return;
    }
    let keys = [&design.partition, &design.row].into_iter().flatten().filter_map(TemplateText::template);
    let in_key: Vec<String> = keys.flat_map(Template::holes).map(|hole| hole.field.clone()).collect();
    let fields = design.fields.iter().filter(|field| is_own(field) && !in_key.contains(&field.name));
    let fields: Vec<String> = fields.map(|field| field.name.clone()).collect();
    for index in design.indexes.iter_mut().filter(|index| index.copy == CopiedFields::All) {
        index.copy = CopiedFields::Only(fields.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_schema::design::{EmbedDesign, IndexDesign};

    #[test]
    fn copies_exclude_embedded_fields() {
        let mut department = EntityDesign::new("Department");
        department.row = Some("{id:04}".into());
        department.fields =
            ["id", "title"].map(|name| FieldDesign::new(name, FieldKind::Text { max: None })).to_vec();
        department.indexes = vec![IndexDesign::new("by_title", "t_{title}_{id:04}")];
        let (name, from) = ("manager".to_owned(), "Employee".to_owned());
        let fields = vec!["first_name".to_owned()];
        department.embeds = vec![EmbedDesign { name, about: None, from, matches: Vec::new(), fields }];
        let mut employee = EntityDesign::new("Employee");
        employee.fields = vec![FieldDesign::new("first_name", FieldKind::Text { max: None })];
        let schema = Schema { entities: vec![department, employee], ..Schema::default() };

        let stored = schema.stored_entity("Department").unwrap();
        assert!(stored.field("manager_first_name").is_some());
        assert_eq!(stored.indexes[0].copy, CopiedFields::Only(vec!["title".to_owned()]));
    }
}
