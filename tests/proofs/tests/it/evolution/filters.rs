//! Filters on rows of several versions return what a filter of the converted rows in memory returns.

use pollster::block_on;
use table_patterns::{Predicate, Query, prelude::*};
use table_tests::seed::Seed;

use super::{
    Backend, backends,
    mixed::{Badge, Balance, Person, TENANT, insert_all},
};

/// A condition on a person.
#[derive(Clone, Debug)]
enum Condition {
    Given(u8, &'static str),
    Last(u8, &'static str),
    Age(u8, u32),
    Amount(u8, i64),
    Score(u8, i32),
    Tries(u8, i32),
    Level(u8, i32),
    Note(u8, &'static str),
    HasNote,
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

fn holds<T: PartialOrd>(operator: u8, left: &T, right: &T) -> bool {
    match operator {
        0 => left == right,
        1 => left != right,
        2 => left < right,
        _ => left >= right,
    }
}

macro_rules! compare {
    ($field:expr, $operator:expr, $value:expr) => {
        match $operator {
            0 => $field.eq($value),
            1 => $field.ne($value),
            2 => $field.lt($value),
            _ => $field.ge($value),
        }
    };
}

impl Condition {
    fn random(seed: &mut Seed, depth: usize) -> Self {
        let operator = u8::try_from(seed.below(4)).unwrap();
        let number = u8::try_from(seed.below(4)).unwrap();
        let word = *seed.pick(&["Ann", "Bo", "Cy", "Di"]).unwrap();
        let parts = |seed: &mut Seed| (0..2 + seed.below(2)).map(|_| Self::random(seed, depth - 1)).collect();
        match seed.below(if depth == 0 { 9 } else { 15 }) {
            0 => Self::Given(operator, word),
            1 => Self::Last(operator, word),
            2 => Self::Age(operator, number.into()),
            3 => Self::Amount(operator, number.into()),
            4 => Self::Score(operator, i32::from(number) * 10),
            5 => Self::Tries(operator, number.into()),
            6 => Self::Level(operator, number.into()),
            7 => Self::Note(operator, word),
            8 => Self::HasNote,
            9 | 10 => Self::Not(Box::new(Self::random(seed, depth - 1))),
            11 | 12 => Self::And(parts(seed)),
            _ => Self::Or(parts(seed)),
        }
    }

    fn matches(&self, person: &Person) -> bool {
        match self {
            Self::Given(operator, word) => holds(*operator, &person.given.as_str(), word),
            Self::Last(operator, word) => holds(*operator, &person.last.as_str(), word),
            Self::Age(operator, age) => holds(*operator, &person.age, age),
            Self::Amount(operator, amount) => holds(*operator, &person.amount, amount),
            Self::Score(operator, score) => holds(*operator, &person.score, score),
            Self::Tries(operator, tries) => holds(*operator, &person.tries, tries),
            Self::Level(operator, level) => holds(*operator, &person.level, level),
            // A comparison with a missing property is false.
            Self::Note(operator, word) => {
                person.note.as_deref().is_some_and(|note| holds(*operator, &note, word))
            }
            Self::HasNote => person.note.is_some(),
            Self::Not(inner) => !inner.matches(person),
            Self::And(parts) => parts.iter().all(|part| part.matches(person)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(person)),
        }
    }

    fn predicate(&self) -> Predicate {
        let fields = Person::FIELDS;
        match self {
            Self::Given(operator, word) => compare!(fields.given, operator, word),
            Self::Last(operator, word) => compare!(fields.last, operator, word),
            Self::Age(operator, age) => compare!(fields.age, operator, *age),
            Self::Amount(operator, amount) => compare!(fields.amount, operator, *amount),
            Self::Score(operator, score) => compare!(fields.score, operator, *score),
            Self::Tries(operator, tries) => compare!(fields.tries, operator, *tries),
            Self::Level(operator, level) => compare!(fields.level, operator, *level),
            Self::Note(operator, word) => compare!(fields.note, operator, word),
            Self::HasNote => fields.note.is_present(),
            Self::Not(inner) => !inner.predicate(),
            Self::And(parts) => parts.iter().map(Self::predicate).reduce(|all, part| all & part).unwrap(),
            Self::Or(parts) => parts.iter().map(Self::predicate).reduce(|all, part| all | part).unwrap(),
        }
    }

    fn comparisons(&self) -> usize {
        match self {
            Self::Not(inner) => inner.comparisons(),
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::comparisons).sum(),
            Self::HasNote => 2,
            _ => 1,
        }
    }
}

fn ids<'p>(people: impl IntoIterator<Item = &'p Person>) -> Vec<u32> {
    people.into_iter().map(|person| person.id).collect()
}

/// Reads a query page by page.
fn pages<Q: Query>(query: &Q, tables: &Tables) -> Vec<<Q::Row as FromRow>::Out> {
    let (mut items, mut query) = (Vec::new(), query.clone().page_size(3));
    loop {
        let page = block_on(query.page(tables)).unwrap();
        items.extend(page.items);
        match page.cursor {
            Some(cursor) => query = query.resume(cursor),
            None => return items,
        }
    }
}

fn streamed<Q: Query>(query: &Q, tables: &Tables) -> Vec<<Q::Row as FromRow>::Out> {
    let (mut items, mut stream) = (Vec::new(), query.stream(tables));
    while let Some(item) = block_on(stream.try_next()).unwrap() {
        items.push(item);
    }
    items
}

fn check(backend: &Backend, people: &[Person], condition: &Condition, seed: &mut Seed) {
    let (tables, context) = (&backend.tables, format!("{}: {condition:?}", backend.name));
    let expected: Vec<&Person> = people.iter().filter(|person| condition.matches(person)).collect();
    let found = |stored: &Vec<Stored<Person>>| stored.iter().map(|one| (**one).clone()).collect::<Vec<_>>();

    let scan = Person::scan_partition(TENANT).filter(|_| condition.predicate());
    let all = block_on(scan.all(tables)).unwrap();
    assert_eq!(found(&all).iter().collect::<Vec<_>>(), expected, "{context}");
    assert_eq!(ids(&found(&pages(&scan, tables))), ids(expected.iter().copied()), "{context}");
    assert_eq!(ids(&found(&streamed(&scan, tables))), ids(expected.iter().copied()), "{context}");

    let take = seed.below(6);
    let some = block_on(scan.clone().take(take as u64).all(tables)).unwrap();
    assert_eq!(ids(&found(&some)), ids(expected.iter().copied().take(take)), "{context}: take {take}");

    let whole = block_on(Person::scan_table().filter(|_| condition.predicate()).all(tables)).unwrap();
    assert_eq!(ids(&found(&whole)), ids(expected.iter().copied()), "{context}: table");

    let badges = block_on(scan.clone().select::<Badge>().all(tables)).unwrap();
    assert_eq!(badges, expected.iter().map(|one| Badge::from(*one)).collect::<Vec<_>>(), "{context}");
    let bags = block_on(scan.clone().bag().all(tables)).unwrap();
    let keys: Vec<String> = bags.iter().map(|bag| bag.row_key().to_owned()).collect();
    assert_eq!(keys, expected.iter().map(|one| format!("p_{:06}", one.id)).collect::<Vec<_>>(), "{context}");

    let index = Person::by_id_rows(TENANT).scan(|_| condition.predicate());
    let index = ids(&found(&block_on(index.all(tables)).unwrap()));
    assert_eq!(index, ids(expected.iter().copied()), "{context}: index");
}

#[test]
fn filters_equal_filters_of_converted_rows() {
    for (number, backend) in backends().iter().enumerate() {
        let mut seed = Seed::new(16).fork(number as u64);
        let people = insert_all(&backend.tables, 40, &mut seed);
        let cases = if number == 0 { 400 } else { 60 };
        let mut residual = [0, 0];
        for _ in 0..cases {
            let condition = Condition::random(&mut seed, 3);
            // What one version could not send either is rejected.
            let scan = Person::scan_partition(TENANT).filter(|_| condition.predicate());
            if condition.comparisons() > 11 {
                continue;
            }
            residual[usize::from(scan.explain().unwrap().residual.is_empty())] += 1;
            check(backend, &people, &condition, &mut seed);
        }
        assert!(
            residual.iter().all(|cases| *cases > 5),
            "{}: both kinds were compared: {residual:?}",
            backend.name
        );
    }
}

#[test]
fn filters_with_too_many_comparisons_are_evaluated_here() {
    let backend = &backends()[0];
    let mut seed = Seed::new(3);
    let people = insert_all(&backend.tables, 40, &mut seed);
    for ages in 2..=11_u32 {
        let all = (0..ages).map(|age| Condition::Age((age % 4) as u8, age / 2)).collect();
        check(backend, &people, &Condition::Or(all), &mut seed);
        let mixed = (0..ages).map(|age| Condition::Given((age % 4) as u8, "Bo")).collect();
        check(backend, &people, &Condition::Not(Box::new(Condition::Or(mixed))), &mut seed);
    }
    let scan = |count: i64| {
        let all = (0..count).map(|amount| Person::FIELDS.amount.eq(amount)).reduce(|all, one| all | one);
        Person::scan_partition(TENANT).filter(|_| all.unwrap()).explain()
    };
    assert_eq!(scan(2).unwrap().residual, [0; 0]);
    assert_eq!(scan(5).unwrap().residual, [2, 1], "only the newest version is filtered by the service");
    assert_eq!(scan(10).unwrap().residual, [3, 2, 1]);
    assert!(scan(12).is_err(), "too many for one version");
}

#[test]
fn explain_shows_what_is_filtered_after_it_is_read() {
    let explain = |scan: fn(&<Person as TableEntity>::Fields) -> Predicate| {
        Person::scan_partition(TENANT).filter(scan).explain().unwrap()
    };
    let renamed = explain(|person| person.amount.eq(3));
    assert_eq!(renamed.residual, [0; 0]);
    let sent = renamed.filter.unwrap().to_string();
    for part in ["amount eq 3L and (EntityType eq 'Person.v3' or EntityType eq 'Person.v2')", "cents eq 3L"] {
        assert!(sent.contains(part), "{sent}");
    }
    let computed = explain(|person| person.level.eq(3) & person.age.ge(2));
    assert_eq!(computed.residual, [2, 1]);
    let text = computed.to_string();
    assert!(text.contains("residual: versions 2, 1"), "{text}");
    assert!(text.contains("age ge 2L and (EntityType eq 'Person.v2' or EntityType eq 'Person')"), "{text}");
    let same = explain(|person| person.age.eq(3));
    let sent = same.filter.unwrap().to_string();
    assert_eq!(sent.matches("age").count(), 1, "{sent}");
}

/// Rows of an index in another partition contain some fields, of which an older version may lack those that a
/// conversion requires.
#[test]
fn projections_of_index_rows_are_of_the_newest_version_or_an_error() {
    for Backend { name, tables, .. } in &backends() {
        let people = insert_all(tables, 12, &mut Seed::new(8));
        let rows = Person::far_rows(TENANT).select::<Balance>();
        let expected: Vec<_> = people.iter().map(|one| Balance { id: one.id, amount: one.amount }).collect();
        assert_eq!(block_on(rows.all(tables)).unwrap(), expected, "{name}");
        let rich = Person::far_rows(TENANT).select::<Balance>().scan(|person| person.amount.ge(2));
        let expected: Vec<_> = expected.into_iter().filter(|one| one.amount >= 2).collect();
        assert_eq!(block_on(rich.all(tables)).unwrap(), expected, "{name}");

        let badges = block_on(Person::far_rows(TENANT).select::<Badge>().all(tables));
        let Err(Error::Decode(error)) = badges else { panic!("{name}: {badges:?}") };
        assert!(!error.is_newer() && !error.is_foreign(), "{name}: {error}");
    }
}
