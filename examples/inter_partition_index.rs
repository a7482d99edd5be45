//! P2, the index in other partitions: employees are partitioned by department, and can be found by number and by name
//! in the whole company.
//!
//! Run `cargo run --release --example inter_partition_index`, or add `-- --data DIR` to read the CSV files in
//! `DIR/employees`.

use std::time::Instant;

use table_examples::{
    Outcome,
    company::{self, Company},
    csv_set, data_folder, made_up,
    screen::{Screen, grouped, rate, took},
};
use table_patterns::prelude::*;

/// An employee. Each employee has two index rows in other partitions: one to find a number without its department, and
/// one to list employees by name.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_number, partition = "number_{id:06}", row = "{department}", copy(last_name)))]
#[table(index(
    by_name,
    table = "StaffByName",
    partition = "{last_name:esc}",
    row = "{first_name:esc}_{department}_{id:06}",
    copy(hired)
))]
struct Staff {
    #[table(max = 8)]
    department: String,
    id: u32,
    first_name: String,
    last_name: String,
    hired: Date,
}

/// Badge of an employee. Badge numbers are unique in the company.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{department}", row = "badge_of_{id:06}")]
#[table(index(by_badge, partition = "badge_{number:08}", row = "holder", unique))]
struct Badge {
    #[table(max = 8)]
    department: String,
    id: u32,
    number: u32,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let company = match data_folder("inter_partition_index")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(2_000),
    };
    let staff = staff(&company);
    screen.title("An index in other partitions");

    screen.section("Loading, and what follows");
    let tables = Tables::in_memory()?;
    let loading = tables.with_deferred_updates();
    let start = Instant::now();
    let written = loading.bulk().insert_all(&staff).run().await?.into_result()?;
    let loaded = start.elapsed();
    let lag = tables.lag().await?;
    screen.say(format_args!(
        "{} people in {} ({}); {} transactions left a record of what must follow",
        grouped(written),
        took(loaded),
        rate(written, loaded),
        grouped(lag.pending.unwrap_or_default()),
    ));
    let start = Instant::now();
    let pass = tables.catch_up().await?;
    let followed = start.elapsed();
    screen.say(format_args!(
        "catch_up() followed {} of them: {} rows in other partitions, in {} ({})",
        grouped(pass.followed),
        grouped(2 * written),
        took(followed),
        rate(2 * written, followed),
    ));
    assert_eq!((tables.lag().await?.pending, pass.left, pass.dead_lettered), (Some(0), 0, 0));

    screen.section("A number, without knowing the department");
    let Some(somebody) = staff.get(staff.len() / 2) else { return Err("nobody works here".into()) };
    let query = Staff::by_number_rows(somebody.id);
    screen.code(query.explain()?);
    let found = query.all(&tables).await?;
    let Some(card) = found.first() else { return Err("the number is there".into()) };
    screen.say(format_args!("{} works in {}: read from the index row", card.last_name, card.department));
    let whole = card.load(&tables).await?.ok_or("the entity is there")?;
    screen.say(format_args!(
        "{} {}: the entity itself, one point query more",
        whole.first_name, whole.last_name
    ));
    assert_eq!(*whole, *somebody);

    screen.section("Everybody of one name, across all departments");
    let query = Staff::by_name_rows(&somebody.last_name);
    screen.code(query.explain()?);
    let named = query.all(&tables).await?;
    screen.say(format_args!("{} people are called {}", grouped(named.len()), somebody.last_name));
    assert_eq!(named.len(), staff.iter().filter(|other| other.last_name == somebody.last_name).count());

    screen.section("A change is followed by itself");
    let mut married = whole;
    married.last_name = "O'Neill-Smith".into();
    let written = tables.replace(&married).await?;
    let after = Staff::by_name_rows("O'Neill-Smith").after(&written).all(&tables).await?;
    screen.say(format_args!(
        "one replace, and {} is found as O'Neill-Smith; of the {} called {} there are {} left",
        married.first_name,
        grouped(named.len()),
        somebody.last_name,
        grouped(Staff::by_name_rows(&somebody.last_name).all(&tables).await?.len()),
    ));
    assert_eq!(after.len(), 1);
    screen.say(".after(&written) would have made the rows follow, had they not yet");

    badges(&mut screen, &tables, &staff).await
}

/// Shows a value that is unique in the whole table, across departments.
async fn badges(screen: &mut Screen, tables: &Tables, staff: &[Staff]) -> Outcome {
    screen.section("A badge number is one person's");
    let (Some(first), Some(other)) = (staff.first(), staff.last()) else {
        return Err("nobody works here".into());
    };
    let badge = |of: &Staff| Badge { department: of.department.clone(), id: of.id, number: 4711 };
    tables.insert(&badge(first)).await?;
    screen.say(format_args!("{} of {} has badge 4711", first.last_name, first.department));
    let Err(Error::Unique(taken)) = tables.insert(&badge(other)).await else {
        return Err("two people have one badge".into());
    };
    screen.say(format_args!("{} of {} asks for it, too: {taken}", other.last_name, other.department));
    assert!(Badge::point(&other.department, other.id).get(tables).await?.is_none());
    screen.code(Badge::by_badge(4711).explain()?);

    let Some(carried) = Badge::by_badge(4711).get(tables).await? else { return Err("nobody has it".into()) };
    tables.delete_at(carried.point()).await?;
    tables.insert(&badge(other)).await?;
    let Some(carried) = Badge::by_badge(4711).get(tables).await? else { return Err("nobody has it".into()) };
    screen.say(format_args!("{} hands it in, and now it is {}'s", first.last_name, other.last_name));
    assert_eq!(*carried, badge(other));
    Ok(())
}

fn staff(company: &Company) -> Vec<Staff> {
    let one = |employee: &company::Employee| Staff {
        department: employee.department.clone(),
        id: employee.id,
        first_name: employee.first_name.clone(),
        last_name: employee.last_name.clone(),
        hired: employee.hired,
    };
    company.employees.iter().map(one).collect()
}
