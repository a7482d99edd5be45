//! The generated code of the designs works on the embedded store.

use table_patterns::{KeyRing, prelude::*};
use table_tests::generated::{
    company::{Department, Employee, Review},
    iot::{Day, Latest},
    logins::{LastLogin, Login, LoginOutcome},
    orders::{Line, Order, OrderStatus},
};

/// The result of a test.
type Done = std::result::Result<(), Box<dyn std::error::Error>>;

fn department(name: &str) -> Department {
    Department {
        department: name.to_owned(),
        manager_id: 1,
        budget: 1e6,
        employee_count: 0,
        manager_first_name: None,
        manager_last_name: None,
        manager_email: None,
    }
}

fn employee(id: u32, last_name: &str, age: i32) -> Employee {
    Employee {
        department: "Sales".to_owned(),
        id,
        badge: 7_000 + id,
        first_name: "Jo".to_owned(),
        last_name: last_name.to_owned(),
        email: format!("jo{id}@example.com"),
        age,
        national_id: format!("N{id}"),
        photo: Blob::new(vec![0; 100]),
    }
}

#[test]
fn the_company_keeps_its_indexes_lists_and_totals() -> Done {
    pollster::block_on(async {
        let tables = Tables::in_memory()?.with_keys(KeyRing::generate()?);
        tables.insert(&department("Sales")).await?;
        for one in [employee(1, "Jones", 61), employee(2, "Jones", 30), employee(150, "Smith", 45)] {
            tables.insert(&one).await?;
        }
        let sales = Department::department("Sales").get(&tables).await?;
        assert_eq!(sales.map(|sales| sales.employee_count), Some(3));

        let jo = Employee::employee("Sales", 2).get(&tables).await?;
        assert_eq!(jo.map(|jo| jo.national_id.clone()).as_deref(), Some("N2"));
        let by_email = Employee::employee_by_email("Sales", "jo2@example.com").get(&tables).await?;
        assert_eq!(by_email.map(|jo| jo.id), Some(2));
        let by_badge = Employee::employee_by_badge("Sales", 7_150).get(&tables).await?;
        assert_eq!(by_badge.map(|jo| jo.last_name.clone()).as_deref(), Some("Smith"));
        assert_eq!(Employee::employees_named("Sales", "Jones").all(&tables).await?.len(), 2);
        assert_eq!(Employee::employees_100_to_199("Sales", 100..=199).all(&tables).await?.len(), 1);
        let older: Vec<i32> =
            Employee::older_than("Sales", 40).all(&tables).await?.iter().map(|one| one.age).collect();
        assert_eq!(older, [61, 45]);

        for year in [2023, 2024] {
            let review = Review {
                department: "Sales".to_owned(),
                employee: 1,
                year,
                manager_rating: 4,
                peer_rating: 5,
                comments: String::new(),
            };
            tables.insert(&review).await?;
        }
        assert_eq!(Review::reviews_of("Sales", 1).all(&tables).await?.len(), 2);
        Ok(())
    })
}

#[test]
fn orders_and_their_lines_are_found_by_each_of_their_keys() -> Done {
    pollster::block_on(async {
        let tables = Tables::in_memory()?;
        for (number, status) in [(1, OrderStatus::Open), (2, OrderStatus::Closed)] {
            let placed = format!("2024-05-0{number}T00:00:00Z").parse()?;
            let reference = format!("R{number}");
            let order = Order { customer: 7, number, reference, status, placed, total: 100, note: None };
            tables.insert(&order).await?;
            assert_eq!(order.is_to_be_archived(), number == 2);
        }
        let line = Line { customer: 7, order: 1, line: 1, sku: "A".to_owned(), quantity: 2, price: 50 };
        tables.insert(&line).await?;
        assert!(Order::order(7, 2).get(&tables).await?.is_some());
        assert_eq!(Order::by_reference("R2").get(&tables).await?.map(|order| order.number), Some(2));
        let newest: Vec<u64> =
            Order::newest_orders(7).all(&tables).await?.iter().map(|order| order.number).collect();
        assert_eq!(newest, [2, 1]);
        assert_eq!(Order::open_orders(OrderStatus::Open).all(&tables).await?.len(), 1);
        assert_eq!(Line::order_lines(7, 1).all(&tables).await?.len(), 1);
        Ok(())
    })
}

#[test]
fn logins_come_newest_first_from_the_tables_of_their_days() -> Done {
    pollster::block_on(async {
        let tables = Tables::in_memory()?;
        let first: Timestamp = "2024-05-01T10:00:00Z".parse()?;
        let second: Timestamp = "2024-05-02T10:00:00Z".parse()?;
        for at in [first, second] {
            let login = Login {
                user: "jo".to_owned(),
                at,
                nonce: 1,
                ip: "::1".to_owned(),
                agent: None,
                outcome: LoginOutcome::WrongPassword,
            };
            tables.insert(&login).await?;
            let last = LastLogin { user: "jo".to_owned(), at, ip: "::1".to_owned() };
            tables.upsert(&last).await?;
        }
        let newest = Login::ten_newest_today("jo", first..=second).all(&tables).await?;
        assert_eq!(newest.iter().map(|login| login.at).collect::<Vec<_>>(), [second, first]);
        assert_eq!(LastLogin::last_seen("jo").get(&tables).await?.map(|last| last.at), Some(second));
        Ok(())
    })
}

#[test]
fn a_day_of_minutes_is_written_and_read_as_one() -> Done {
    pollster::block_on(async {
        let tables = Tables::in_memory()?;
        let (device, day) = (Uuid::from_u128(7), "2024-05-01".parse::<Date>()?);
        let mut celsius = [0.0; 1440];
        celsius[1439] = 21.5;
        tables.insert(&Day { device, day, celsius }).await?;
        let read = Day::chart_day(device, day).get(&tables).await?;
        assert_eq!(read.map(|read| read.celsius[1439]), Some(21.5));
        let at = "2024-05-01T10:00:00Z".parse()?;
        let latest = Latest { site: "hq".to_owned(), device, at, celsius: 21.5, battery: None };
        tables.insert(&latest).await?;
        assert_eq!(Latest::site_now("hq").all(&tables).await?.len(), 1);
        assert!(Latest::device_now("hq", device).get(&tables).await?.is_some());
        Ok(())
    })
}
