//! The rules of a design file: those of each entity, and those between entities.

use crate::schema::Schema;
use table_schema::{
    RuleViolation,
    catalogue::Code,
    design::{EmbedDesign, EntityDesign, FieldDesign, FieldKind, Place, TotalDesign},
    rules::{before_shard, check, check_together, same_shard},
    template::Template,
};

/// Returns all violations of a design file, including warnings. Each violation has the number of its entity, and
/// locations of the file: an aggregate is reported where the target declares it.
///
/// ```
/// use table_designs::{check_schema, schema::Schema};
/// use table_schema::design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, Place};
///
/// let mut login = EntityDesign::new("Login");
/// login.table = Some("Logins{at:%Y}".into());
/// login.partition = Some("{user:08}".into());
/// login.row = Some("at_{at:ticks}".into());
/// login.fields = vec![
///     FieldDesign::new("user", FieldKind::Int { bits: 32, signed: false }),
///     FieldDesign::new("at", FieldKind::Time),
/// ];
/// login.indexes = vec![IndexDesign::new("by_time", "time_{at:ticks}")];
/// let schema = Schema { entities: vec![login], ..Schema::default() };
/// let (entity, mistake) = &check_schema(&schema)[0];
/// assert_eq!((*entity, &mistake.place), (0, &Place::Index(0)));
/// assert_eq!(mistake.message, "an index on an entity with a table per period is not supported yet");
/// ```
pub fn check_schema(schema: &Schema) -> Vec<(usize, RuleViolation)> {
    let declared: Vec<_> = (0..schema.entities.len()).filter_map(|number| schema.declared(number)).collect();
    let mut mistakes = Vec::new();
    for (number, one) in declared.iter().enumerate() {
        mistakes.extend(check(&one.design).into_iter().map(|mistake| (number, mistake)));
    }
    let designs: Vec<&EntityDesign> = declared.iter().map(|one| &one.design).collect();
    mistakes.extend(check_together(&designs));
    for (number, mistake) in &mut mistakes {
        if let Some(declared) = declared.get(*number) {
            (*number, mistake.place) = declared.origin(&mistake.place);
        }
    }
    let (aligned, _) = schema.aligned();
    for (number, (entity, aligned)) in schema.entities.iter().zip(&aligned.entities).enumerate() {
        let totals = entity.totals.iter().zip(&aligned.totals).enumerate();
        for (at, (total, aligned)) in totals {
            mistakes.extend(self::total(schema, entity, at, total, aligned).map(|mistake| (number, mistake)));
        }
        for (at, embed) in entity.embeds.iter().enumerate() {
            mistakes.extend(self::embed(schema, at, embed).map(|mistake| (number, mistake)));
        }
        mistakes.extend(determined_shard(schema, entity).map(|mistake| (number, mistake)));
    }
    mistakes
}

/// Checks that no field of the partition determines the shard, according to the load.
fn determined_shard(schema: &Schema, entity: &EntityDesign) -> Option<RuleViolation> {
    let of = &entity.shard.as_ref()?.of;
    let load = schema.load_of(&entity.name)?;
    let within = |name: &str| load.values_of(name).and_then(|values| values.within.as_ref());
    let mut fields = before_shard(entity.partition.as_ref()?.template()?);
    let field = fields.find(|name| within(name) == Some(of))?;
    let message = format!("`{field}` in the partition determines `{of}`, so its rows have a single shard");
    Some(same_shard(message))
}

/// Checks the pairs of an aggregate. The source must contain the key of the target under the same field names; the
/// generator renames a key field if all aggregates agree on its name.
fn total(
    schema: &Schema,
    entity: &EntityDesign,
    at: usize,
    total: &TotalDesign,
    aligned: &TotalDesign,
) -> Option<RuleViolation> {
    let mistake = |message: String, help: &str| {
        Some(RuleViolation::new(Code::D043, Place::Total(at), message).help(help))
    };
    let source = schema.entity(&total.entity)?;
    for ((theirs, mine), (same, name)) in total.matches.iter().zip(&aligned.matches) {
        let (Some(from), Some(to)) = (source.field(theirs), entity.field(mine)) else { continue };
        if same != name {
            let message =
                format!("`{theirs}` of `{}` and `{mine}` are paired, but have different names", source.name);
            return mistake(message, "use one name for both");
        }
        if !is_same_type(from, to) {
            let message =
                format!("`{theirs}` of `{}` and `{mine}` are paired, but have different types", source.name);
            return mistake(message, "use one type for both");
        }
    }
    let keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
    let in_key: Vec<&str> = keys.flat_map(Template::holes).map(|hole| hole.field.as_str()).collect();
    let is_other =
        |(_, mine): &&(String, String)| entity.field(mine).is_some() && !in_key.contains(&mine.as_str());
    let (_, other) = total.matches.iter().find(is_other)?;
    mistake(
        format!(
            "`{other}` is not part of the key of `{}`, and aggregates are matched by key only",
            entity.name
        ),
        "match the key fields only",
    )
}

/// Returns whether a field of the source can identify the target. The enum of another entity is a different type.
fn is_same_type(from: &FieldDesign, to: &FieldDesign) -> bool {
    let is_text = |field: &FieldDesign| matches!(field.kind, FieldKind::Text { .. });
    let is_enum = matches!(from.kind, FieldKind::Enum { .. });
    from.kind == to.kind && !is_enum || is_text(from) && is_text(to)
}

/// Checks that the copied fields of an entity each have a single, readable value.
fn embed(schema: &Schema, at: usize, embed: &EmbedDesign) -> Option<RuleViolation> {
    let source = schema.entity(&embed.from)?;
    let mut fields = embed.fields.iter().filter_map(|name| source.field(name));
    let field =
        fields.find(|field| field.kind == FieldKind::Blob || field.encrypted || field.series.is_some())?;
    let message = format!("`{}` is encrypted, a blob or a series, and cannot be copied", field.name);
    Some(RuleViolation::new(Code::D043, Place::Embed(at), message).help("remove it from `fields`"))
}
