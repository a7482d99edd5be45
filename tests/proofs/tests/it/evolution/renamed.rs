//! A struct is renamed in Rust, and its `entity_type` remains: stored rows name the type by `entity_type`.

use pollster::block_on;

use super::{Backend, backends, other_process};

mod shared {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Towns", partition = "{city}", row = "town")]
    pub struct Town {
        pub city: String,
        #[table(from_source)]
        pub people: i64,
    }
}

mod before {
    use super::shared::Town;
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "People", partition = "{team}", row = "e_{id:04}", entity_type = "Person")]
    #[table(index(by_mail, partition = "m_{mail}", row = "holder", unique))]
    #[table(index(far, partition = "f_{mail}", row = "{team}_{id:04}", copy(mail)))]
    #[table(lookup(by_city, on = city, place = table))]
    #[table(counted_in(Town::people))]
    pub struct Worker {
        pub team: String,
        pub id: u16,
        pub mail: String,
        pub city: String,
    }
}

mod after {
    use super::shared::Town;
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "People", partition = "{team}", row = "e_{id:04}", entity_type = "Person")]
    #[table(index(by_mail, partition = "m_{mail}", row = "holder", unique))]
    #[table(index(far, partition = "f_{mail}", row = "{team}_{id:04}", copy(mail)))]
    #[table(lookup(by_city, on = city, place = table))]
    #[table(counted_in(Town::people))]
    pub struct Employee {
        pub team: String,
        pub id: u16,
        pub mail: String,
        pub city: String,
    }
}

use after::Employee;
use before::Worker;
use shared::Town;

fn worker(id: u16) -> Worker {
    Worker { team: "s".into(), id, mail: format!("m{id}"), city: "Rome".into() }
}

#[test]
fn renamed_struct_owns_what_it_wrote_under_its_former_name() {
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        b.insert(&Town { city: "Rome".into(), people: 0 }).unwrap();
        for id in 1..=3 {
            b.insert(&worker(id)).unwrap();
        }
        block_on(tables.catch_up()).unwrap();
        // A commit that the former program did not apply. On a server, its message is visible only later.
        let former = if *backend == "embedded" { tables.with_deferred_updates() } else { tables.clone() };
        former.blocking().insert(&worker(4)).unwrap();

        let renamed = other_process(tables);
        renamed.register_entity::<Employee>();
        renamed.register_entity::<Town>();
        let pass = block_on(renamed.catch_up()).unwrap();
        assert_eq!(pass.left, 0, "{backend}: {pass:?}");
        let r = renamed.blocking();
        let people = |expected| {
            let town = r.get(&Town::point("Rome")).unwrap().unwrap();
            assert_eq!(town.people, expected, "{backend}");
        };
        people(4);
        for id in 1..=2 {
            block_on(renamed.update(Employee::point("s", id), |one| one.mail = format!("x{}", one.id)))
                .unwrap();
        }
        r.delete_at(Employee::point("s", 3)).unwrap();
        block_on(renamed.catch_up()).unwrap();
        people(3);
        assert_eq!(r.all(&Employee::by_city("Rome")).unwrap().len(), 3, "{backend}");
        // The unique values of changed and deleted entities are free.
        for (id, mail) in [(7, "m1"), (8, "m3")] {
            let free = Employee { team: "s".into(), id, mail: mail.into(), city: "Rome".into() };
            r.insert(&free).unwrap();
        }
        block_on(renamed.catch_up()).unwrap();
        people(5);
        let report = block_on(renamed.verify::<Employee>().run()).unwrap();
        assert!(report.is_clean(), "{backend}: {report}");
    }
}
