//! Moves of entities with an index, to another table and within one table.

use table_patterns::{IndexState, MoveState::*, RowPolicy};

use super::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{team}", row = "id_{id:04}", entity_type = "Person")]
#[table(index(by_mail, row = "mail_{mail}", unique))]
struct Person {
    team: String,
    id: u32,
    mail: String,
}

mod other_table {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Customers", partition = "{team}", row = "customer_{id:08}", entity_type = "Customer")]
    #[table(index(by_mail, row = "mail_{mail}", unique))]
    pub(super) struct Customer {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) mail: String,
    }
}

mod same_table {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "People", partition = "of_{team}", row = "customer_{id:08}", entity_type = "Customer")]
    #[table(index(by_mail, row = "mail_{mail}", unique))]
    pub(super) struct Customer {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) mail: String,
    }
}

macro_rules! moved {
    ($module:ident) => {
        impl From<Person> for $module::Customer {
            fn from(Person { team, id, mail }: Person) -> Self {
                Self { team, id, mail }
            }
        }

        impl From<$module::Customer> for Person {
            fn from($module::Customer { team, id, mail }: $module::Customer) -> Self {
                Self { team, id, mail }
            }
        }

        impl From<$module::CustomerKey> for PersonKey {
            fn from($module::CustomerKey { team, id }: $module::CustomerKey) -> Self {
                Self { team, id }
            }
        }

        impl MovedFrom for $module::Customer {
            type Old = Person;
        }
    };
}

moved!(other_table);
moved!(same_table);

fn person(id: u32) -> Person {
    Person { team: "Blue".into(), id, mail: format!("m{id}") }
}

/// Moves entities that programs with a registry of their own read and write in each state.
fn programs_run_in_each_state<E: MovedFrom<Old = Person>>()
where
    Person: From<E>,
{
    let (tables, calendar) = embedded();
    tables.blocking().insert(&person(0)).unwrap();
    for (number, state) in (1..).zip([Off, Follow, Both, New, Gone]) {
        go_to::<E>(&tables, &calendar, state);
        // A process that starts in this state.
        let process = Tables::from_services(tables.service().clone(), None, None)
            .with_registry_by(Arc::new(calendar.clone()));
        let people = process.moving::<E>();
        block_on(people.insert(&E::from(person(number)))).unwrap();
        for id in 0..=number {
            let key = E::from(person(id)).key();
            block_on(people.update(&key, |_| {})).unwrap();
            assert_eq!(Person::from(block_on(people.get(&key)).unwrap().unwrap().into_inner()), person(id));
        }
        if state < New {
            assert_eq!(block_on(people.all(&Person::rows("Blue"))).unwrap().len(), number as usize + 1);
        }
    }
    let indexes = block_on(tables.indexes::<E>()).unwrap();
    assert!(matches!(&indexes[..], [index] if index.state == IndexState::Readable), "{indexes:?}");
    assert!(block_on(tables.verify::<E>().run()).unwrap().is_clean());
}

#[test]
fn an_entity_with_an_index_moves_to_another_table() {
    use other_table::Customer;

    programs_run_in_each_state::<Customer>();
    let (tables, calendar) = embedded();
    tables.blocking().insert(&person(1)).unwrap();
    go_to::<Customer>(&tables, &calendar, Gone);
    let found = tables.blocking().get(&Customer::by_mail("Blue", "m1")).unwrap();
    assert_eq!(found.map(|found| found.id), Some(1));
}

#[test]
fn an_entity_with_an_index_moves_within_its_table() {
    use same_table::Customer;

    programs_run_in_each_state::<Customer>();
    let (tables, calendar) = embedded();
    tables.blocking().insert(&person(1)).unwrap();
    go_to::<Customer>(&tables, &calendar, Gone);
    let found = tables.blocking().get(&Customer::by_mail("Blue", "m1")).unwrap();
    assert_eq!(found.map(|found| found.id), Some(1));
}

/// Rows of the new type that no registry knows may lack index rows.
#[test]
fn a_move_does_not_start_over_unregistered_rows_of_the_new_type() {
    use other_table::Customer;

    let (tables, _) = embedded();
    tables.blocking().insert(&person(1)).unwrap();
    let without = Tables::from_services(tables.service().clone(), None, None);
    without.blocking().insert(&Customer::from(person(2))).unwrap();
    let refused = block_on(tables.migration::<Customer>().step_to(Both)).unwrap_err();
    assert!(refused.to_string().contains("`tables.register::<Customer>()`"), "{refused}");
    assert_eq!(block_on(tables.migration::<Customer>().status()).unwrap(), None);
    tables.blocking().insert(&person(3)).unwrap();
    block_on(tables.register::<Customer>()).unwrap();
    assert!(matches!(
        block_on(tables.migration::<Customer>().step_to(Both)),
        Ok(MigrationStep::Advanced(Follow))
    ));
}

/// Lists the customers of a team, in each state of the move, as the guide describes it.
fn of_team(tables: &Tables) -> Vec<u32> {
    use other_table::Customer;

    let moving = block_on(tables.moving::<Customer>().all(&Person::rows("Blue")));
    let mut ids: Vec<u32> = match moving {
        Err(Error::Registry(refused))
            if matches!(*refused, RegistryError::MoveState { state: New | Gone, .. }) =>
        {
            let rows = Customer::rows("Blue").foreign(RowPolicy::Skip);
            tables.blocking().all(&rows).unwrap().iter().map(|customer| customer.id).collect()
        }
        found => found.unwrap().iter().map(|customer| customer.id).collect(),
    };
    ids.sort_unstable();
    ids
}

#[test]
fn one_program_runs_from_the_start_to_the_end_of_a_move() {
    use other_table::Customer;

    let (tables, calendar) = embedded();
    let b = tables.blocking();
    for (number, state) in (1..).zip([Off, Follow, Both, New, Gone]) {
        go_to::<Customer>(&tables, &calendar, state);
        block_on(tables.moving::<Customer>().insert(&Customer::from(person(number)))).unwrap();
        assert_eq!(of_team(&tables), (1..=number).collect::<Vec<_>>(), "{state}");
        let direct = b.insert(&Customer::from(person(100)));
        match state {
            Follow | Both | New => assert!(matches!(direct, Err(Error::Registry(_))), "{state}"),
            _ => b.delete_at(Customer::point("Blue", 100)).unwrap(),
        }
    }
}
