//! The words of a version in a lock, each with its line, its reader, and its argument of an older struct.

use super::{read::texts, text::Value, write::texts as list};
use table_schema::{
    design::{ArchiveDesign, ChangesDesign, EntityDesign, EntityTypeRule, Shard, TemplateText},
    role::Role,
};

/// A word of a version.
pub(super) struct Word {
    pub(super) key: &'static str,
    /// Returns its value, or `None` for the default.
    pub(super) write: fn(&EntityDesign) -> Option<Value>,
    /// Reads its value. Returns `None` if it is invalid.
    pub(super) read: fn(&mut EntityDesign, &Value) -> Option<()>,
}

/// All words, besides the roles of fields.
pub(super) const WORDS: [Word; 9] = [
    Word {
        key: "aliases",
        write: |design| (!design.aliases.is_empty()).then(|| list(&design.aliases)),
        read: |design, value| {
            let Value::List(aliases) = value else { return None };
            design.aliases = texts(aliases);
            Some(())
        },
    },
    Word {
        key: "archive",
        write: |design| design.archive.as_ref().map(|archive| Value::Text(archive.to.clone())),
        read: |design, value| {
            design.archive = Some(ArchiveDesign { to: text(value)?.to_owned(), about: None, when: None });
            Some(())
        },
    },
    Word {
        key: "changes",
        write: |design| design.changes.map(|_| Value::Bool(true)),
        read: |design, value| {
            let Value::Bool(is) = value else { return None };
            design.changes = is.then(ChangesDesign::default);
            Some(())
        },
    },
    Word {
        key: "entity_type",
        write: |design| design.entity_type_value().map(Value::Text),
        read: |design, value| {
            design.entity_type = EntityTypeRule::Named(text(value)?.to_owned());
            Some(())
        },
    },
    Word {
        key: "partition",
        write: |design| template(design.partition.as_ref()),
        read: |design, value| {
            design.partition = Some(TemplateText::new(text(value)?));
            Some(())
        },
    },
    Word {
        key: "row",
        write: |design| template(design.row.as_ref()),
        read: |design, value| {
            design.row = Some(TemplateText::new(text(value)?));
            Some(())
        },
    },
    Word { key: "shard", write: shard, read: read_shard },
    Word {
        key: "table",
        write: |design| template(design.table.as_ref()),
        read: |design, value| {
            design.table = Some(TemplateText::new(text(value)?));
            Some(())
        },
    },
    Word {
        key: "wide",
        write: |design| design.wide.map(|wide| Value::Number(wide as u64)),
        read: |design, value| {
            let Value::Number(wide) = value else { return None };
            design.wide = usize::try_from(*wide).ok();
            Some(())
        },
    },
];

/// Returns the lines of a design, in the order of the words.
pub(super) fn lines(design: &EntityDesign) -> impl Iterator<Item = (&'static str, Value)> {
    let words = WORDS.iter().filter_map(|word| Some((word.key, (word.write)(design)?)));
    words.chain(roles(design).map(|(role, field)| (role.word(), Value::Text(field.to_owned()))))
}

/// Reads the value of a word. Returns `None` if the word is unknown or its value invalid.
pub(super) fn read(design: &mut EntityDesign, key: &str, value: &Value) -> Option<()> {
    if let Some(word) = WORDS.iter().find(|word| word.key == key) {
        return (word.read)(design, value);
    }
    let role = Role::ALL.into_iter().find(|role| role.is_locked() && role.word() == key)?;
    design.roles.set(role, Some(text(value)?.to_owned()));
    Some(())
}

/// Returns the arguments of an older struct, besides its keys and its version.
pub(super) fn arguments(design: &EntityDesign) -> impl Iterator<Item = String> {
    let shard = design.shard.iter().map(|shard| format!("shard(of = {}, count = {})", shard.of, shard.count));
    shard.chain(roles(design).map(|(role, field)| format!("{} = {field}", role.word())))
}

/// Returns the roles that a lock contains.
fn roles(design: &EntityDesign) -> impl Iterator<Item = (Role, &str)> {
    design.roles.iter().filter(|(role, _)| role.is_locked())
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn template(text: Option<&TemplateText>) -> Option<Value> {
    text.map(|text| Value::Text(text.text().to_owned()))
}

fn shard(design: &EntityDesign) -> Option<Value> {
    let shard = design.shard.as_ref()?;
    let pairs = [("of", Value::Text(shard.of.clone())), ("count", Value::Number(shard.count.into()))];
    Some(Value::Table(pairs.map(|(name, value)| (name.to_owned(), value)).into()))
}

fn read_shard(design: &mut EntityDesign, value: &Value) -> Option<()> {
    let Value::Table(pairs) = value else { return None };
    design.shard = match pairs.as_slice() {
        [(_, Value::Text(of)), (_, Value::Number(count))] => {
            u32::try_from(*count).ok().map(|count| Shard { of: of.clone(), count })
        }
        _ => None,
    };
    Some(())
}
