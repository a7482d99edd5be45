use table_examples::{
    Outcome,
    company::{Company, Department, Employee},
    screen::Screen,
};
use table_patterns::prelude::*;

/// Provokes each error, shows it, and checks that it is the expected error.
pub(crate) async fn show(screen: &mut Screen, tables: &Tables, company: &Company) -> Outcome {
    let known = company.employees.first().ok_or("a company has employees")?;
    lost_race(screen, tables, known).await?;
    failed_transaction(screen, tables, known).await?;
    limits(screen, tables, known).await
}

/// Two clients read the same version. The second write fails.
async fn lost_race(screen: &mut Screen, tables: &Tables, known: &Employee) -> Outcome {
    let point = Employee::point(&known.department, known.id);
    let mut mine = point.get(tables).await?.ok_or("the employee is stored")?;
    let mut theirs = point.get(tables).await?.ok_or("the employee is stored")?;
    theirs.last_name = "Hopper".into();
    tables.replace(&theirs).await?;
    mine.last_name = "Lovelace".into();
    screen.say("a lost race: another writer was faster, and the ETag tells");
    screen.code("tables.replace(&mine).await");
    expect(screen, tables.replace(&mine).await, ErrorCode::UpdateConditionNotSatisfied)?;
    let now = point.get(tables).await?.ok_or("the employee is stored")?;
    check(now.last_name == "Hopper", "the faster writer's name stays")
}

/// The third of three operations is rejected, so none is executed.
async fn failed_transaction(screen: &mut Screen, tables: &Tables, known: &Employee) -> Outcome {
    let department =
        Department::point(&known.department).get(tables).await?.ok_or("the department is stored")?;
    let new = Employee { id: 999_001, ..known.clone() };
    screen.say("an entity group transaction that fails says where, and changes nothing");
    screen.code(
        "tables.transact().insert(&new).merge(department.patch().employee_count(n + 1)).insert(&known).commit().await",
    );
    let outcome = tables
        .transact()
        .insert(&new)
        .merge(department.patch().employee_count(department.employee_count + 1))
        .insert(known)
        .commit()
        .await;
    check(outcome.as_ref().err().and_then(Error::index) == Some(2), "operation 2 is at fault")?;
    expect(screen, outcome, ErrorCode::EntityAlreadyExists)?;
    check(
        Employee::point(&new.department, new.id).get(tables).await?.is_none(),
        "the first operation left no trace",
    )
}

/// Limits of the service, checked before anything is written.
async fn limits(screen: &mut Screen, tables: &Tables, known: &Employee) -> Outcome {
    screen.say("limits: what Azure refuses, the store refuses");
    let mut crowded = DynamicEntity::new("Company", known.department.as_str(), "crowded")?;
    for property in 0..253 {
        crowded.set(format!("p{property}"), property);
    }
    expect(screen, tables.insert(&crowded).await, ErrorCode::TooManyProperties)?;
    let wordy = Employee { id: 999_002, first_name: "x".repeat(32_769), ..known.clone() };
    refused(screen, tables.insert(&wordy).await)?;
    let mut many = tables.transact();
    for id in 900_000..900_101 {
        many = many.insert(&Employee { id, ..known.clone() });
    }
    refused(screen, many.commit().await)?;
    screen.say("keys: a value that cannot be in one, with field, value and rule");
    let slashed = Employee { department: "a/b".into(), ..known.clone() };
    refused(screen, tables.insert(&slashed).await)?;
    let wide = Employee { id: 1_000_000, ..known.clone() };
    refused(screen, tables.insert(&wide).await)
}

fn refused<T>(screen: &mut Screen, outcome: Result<T>) -> Outcome {
    match outcome {
        Err(error) => {
            screen.refusal(error);
            Ok(())
        }
        Ok(_) => Err("this must be refused".into()),
    }
}

fn expect<T>(screen: &mut Screen, outcome: Result<T>, code: ErrorCode) -> Outcome {
    let found = outcome.as_ref().err().and_then(Error::code);
    check(found == Some(code), &format!("{code}, found {found:?}"))?;
    refused(screen, outcome)
}

fn check(holds: bool, what: &str) -> Outcome {
    if holds { Ok(()) } else { Err(format!("expected: {what}").into()) }
}
