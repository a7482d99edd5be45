//! Keys and tables of entities: C15 to C18.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{MOVE, READERS_FIRST, Step},
    tokens::{Token, declared, lowered, without},
};
use table_schema::{design::Shard, template::Shape};

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    table(pair, changes);
    let of = |old, new| {
        (declared(pair.old, old, |name| pair.name_of(name)), declared(pair.new, new, str::to_owned))
    };
    let partition = of(pair.old.partition.as_ref(), pair.new.partition.as_ref());
    let mut row = of(pair.old.row.as_ref(), pair.new.row.as_ref());
    if pair.old.wide.is_some() != pair.new.wide.is_some() {
        row = (without(&row.0, "part"), without(&row.1, "part"));
    }
    let is_sharded = pair.old.shard != pair.new.shard.as_ref().map(|shard| renamed(pair, shard));
    let unsharded = |tokens: &[Token]| without(tokens, "shard");
    if row.0 == row.1 && partition.0 == partition.1 && !is_sharded {
        return;
    }
    let name = &pair.new.name;
    if row.0 == row.1 && unsharded(&partition.0) == unsharded(&partition.1) {
        let count = |shard: &Option<Shard>| shard.as_ref().map_or(1, |shard| shard.count);
        let (before, after) = (count(&pair.old.shard), count(&pair.new.shard));
        let reason = if before == after {
            "another assignment of entities to shards: most entities belong to another partition".to_owned()
        } else {
            format!("{before} → {after} shards: most entities belong to another partition")
        };
        changes.push(moves(ChangeCode::C15, name, reason));
        return;
    }
    let text = |entity: &table_schema::design::EntityDesign| {
        [&entity.partition, &entity.row].map(|text| text.as_ref().map_or("", |text| text.text()).to_owned())
    };
    let ([old_partition, old_row], [new_partition, new_row]) = (text(pair.old), text(pair.new));
    let reason = format!(
        "every key changes from `{old_partition}` | `{old_row}` to `{new_partition}` | `{new_row}`; the old \
         struct is needed to move the entities"
    );
    changes.push(moves(ChangeCode::C17, name, reason));
}

/// Returns the shard of the new version with the field name of the old version.
fn renamed(pair: &Pair<'_>, shard: &Shard) -> Shard {
    let old = pair.fields.iter().find(|(_, new)| new.name == shard.of);
    Shard { of: old.map_or(&shard.of, |(old, _)| &old.name).clone(), count: shard.count }
}

fn table(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let old = declared(pair.old, pair.old.table.as_ref(), |name| pair.name_of(name));
    let new = declared(pair.new, pair.new.table.as_ref(), str::to_owned);
    if old == new {
        return;
    }
    let text = |entity: &table_schema::design::EntityDesign| {
        entity.table.as_ref().map_or("", |table| table.text()).to_owned()
    };
    let (before, after, name) = (text(pair.old), text(pair.new), &pair.new.name);
    let (old, new) = (lowered(&old), lowered(&new));
    changes.push(if old == new {
        let reason = format!("`{before}` and `{after}` are the same table: names ignore case");
        Change::new(ChangeCode::C00, name, Verdict::Safe, &[Step::Deploy], reason)
    } else if periods(&old) == periods(&new) && periods(&old).is_some() {
        let reason = format!("new rows belong to other tables: `{before}` → `{after}`");
        let steps = [&[Step::BorderDate], READERS_FIRST].concat();
        Change::new(ChangeCode::C16, name, Verdict::Ordered, &steps, reason).old(OldPrograms::Border)
    } else {
        let reason = format!(
            "every entity moves from table `{before}` to table `{after}`; the old struct is needed to move them"
        );
        moves(ChangeCode::C18, name, reason)
    });
}

/// Returns the name of a table per period without its granularity, or `None` for other tables.
fn periods(table: &[Token]) -> Option<Vec<(String, bool)>> {
    let part = |token: &Token| match token {
        Token::Literal(text) => (text.clone(), false),
        Token::Field(name, Shape::Date(_)) => (name.clone(), true),
        Token::Field(name, shape) => (format!("{name}:{shape}"), false),
    };
    let parts: Vec<_> = table.iter().map(part).collect();
    parts.iter().any(|(_, is_period)| *is_period).then_some(parts)
}

pub(super) fn moves(code: ChangeCode, subject: &str, reason: String) -> Change {
    Change::new(code, subject, Verdict::Migrate, MOVE, reason).old(OldPrograms::Follow).rewrites()
}
