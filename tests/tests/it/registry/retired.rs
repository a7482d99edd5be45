//! The retirement of an older version: what its programs can do in each state, and what ends it.

use std::{sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{
    BulkReport, LEASE, LeftReason, MAX_REQUEST_AGE, RegistryError, RetirementState, RetirementStep,
    VersionStatus, prelude::*,
};
use table_store::Store;
use table_tests::counting::Counting;

use super::{Time, counted, refusal};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{team}", row = "u_{id:03}", entity_type = "User")]
#[table(index(by_mail, partition = "mail_{mail}", row = "{team}_{id:03}", copy()))]
struct UserV1 {
    team: String,
    id: u16,
    mail: String,
    name: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{team}", row = "u_{id:03}", version = 2, from(UserV1))]
#[table(index(by_mail, partition = "mail_{mail}", row = "{team}_{id:03}", copy()))]
struct User {
    team: String,
    id: u16,
    mail: String,
    #[table(was = "name")]
    full_name: String,
}

impl From<UserV1> for User {
    fn from(UserV1 { team, id, mail, name }: UserV1) -> Self {
        Self { team, id, mail, full_name: name }
    }
}

/// A type without indexes, whose writes need no read.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{team}", row = "n_{id:03}", entity_type = "Note")]
struct NoteV1 {
    team: String,
    id: u16,
    text: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{team}", row = "n_{id:03}", version = 2, from(NoteV1))]
struct Note {
    team: String,
    id: u16,
    #[table(was = "text")]
    body: String,
}

impl From<NoteV1> for Note {
    fn from(NoteV1 { team, id, text }: NoteV1) -> Self {
        Self { team, id, body: text }
    }
}

/// A type with a table for each day.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Visits{at:%Y%m%d}", partition = "{team}", row = "{at:ticks}_{id:03}", entity_type = "Visit")]
struct VisitV1 {
    team: String,
    at: Timestamp,
    id: u16,
    text: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Visits{at:%Y%m%d}",
    partition = "{team}",
    row = "{at:ticks}_{id:03}",
    version = 2,
    from(VisitV1)
)]
struct Visit {
    team: String,
    at: Timestamp,
    id: u16,
    #[table(was = "text")]
    body: String,
}

impl From<VisitV1> for Visit {
    fn from(VisitV1 { team, at, id, text }: VisitV1) -> Self {
        Self { team, at, id, body: text }
    }
}

fn visit(day: u32, id: u16) -> VisitV1 {
    let at = format!("2026-11-{day:02}T09:00:00Z").parse().unwrap();
    VisitV1 { team: "Blue".into(), at, id, text: "t".into() }
}

fn old_user(id: u16) -> UserV1 {
    UserV1 { team: "Blue".into(), id, mail: format!("m{id}"), name: "Jo".into() }
}

fn user(id: u16) -> User {
    old_user(id).into()
}

fn note(id: u16) -> NoteV1 {
    NoteV1 { team: "Blue".into(), id, text: "t".into() }
}

/// Returns a program: a handle with its own lease.
fn program(service: &Counting<Store>, time: &Time) -> Tables {
    Tables::new(service.clone()).with_registry_by(Arc::new(time.clone()))
}

fn status(tables: &Tables, entity: &str) -> VersionStatus {
    let all = block_on(tables.registered_versions()).unwrap();
    all.into_iter().find(|status| status.entity == entity).unwrap()
}

fn too_old(entity: &str) -> RegistryError {
    RegistryError::VersionTooOld { entity: entity.into(), version: 1, required: 2 }
}

/// Advances until the retirement is in a state, each step by another process.
fn bring<E: TableEntity>(service: &Counting<Store>, time: &Time, to: RetirementState) {
    for _ in 0..200 {
        match block_on(program(service, time).retire::<E>().page_size(1).step()).unwrap() {
            RetirementStep::Advanced(state) if state == to => return,
            // The clock counts milliseconds.
            RetirementStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
            RetirementStep::Advanced(_) | RetirementStep::Rows(_) => {}
            other => panic!("{other:?} before {to}"),
        }
    }
    panic!("{to} is never reached");
}

const STATES: [RetirementState; 4] = [
    RetirementState::Rejecting,
    RetirementState::Upgrading,
    RetirementState::Applying,
    RetirementState::Scanning,
];

#[test]
fn older_versions_are_retired_by_any_process_and_stay_retired() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    for id in 1..=3 {
        old.blocking().insert(&old_user(id)).unwrap();
    }
    let new = program(&service, &time);
    new.blocking().insert(&user(4)).unwrap();
    assert_eq!((status(&new, "User").min_write, status(&new, "User").state), (1, None));

    bring::<User>(&service, &time, RetirementState::Rejecting);
    let rejecting = status(&new, "User");
    assert_eq!((rejecting.min_write, rejecting.floor), (2, None));
    bring::<User>(&service, &time, RetirementState::Retired);

    // Four entities, four index rows.
    let retired = status(&new, "User");
    let floor = retired.floor.unwrap();
    assert_eq!((retired.min_write, floor.version, floor.rows), (2, 2, 8));
    let waited = floor.started.duration_since(rejecting.since);
    assert!(waited >= LEASE + MAX_REQUEST_AGE, "{waited:?}");
    let step = block_on(new.retire::<User>().step()).unwrap();
    assert!(matches!(step, RetirementStep::Done), "{step:?}");
    let users = new.blocking().all(&User::rows("Blue")).unwrap();
    assert!(users.len() == 4 && users.iter().all(|user| user.full_name == "Jo"));
    assert_eq!(refusal(old.blocking().insert(&old_user(9))), too_old("User"));
    assert!(matches!(
        refusal(block_on(new.retire::<User>().cancel())),
        RegistryError::Retired { version: 2, .. }
    ));
}

/// The state is left when the lease of every program and its last request are over, by the clock of the service.
#[test]
fn a_program_writes_until_its_lease_ends_and_the_wait_is_longer() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    old.blocking().insert(&old_user(1)).unwrap();
    let job = program(&service, &time);
    let retirement = job.retire::<User>();
    block_on(retirement.step()).unwrap();
    old.blocking().insert(&old_user(2)).unwrap();

    let RetirementStep::Wait(rest) = block_on(retirement.step()).unwrap() else { panic!("it does not wait") };
    let (second, whole) = (Duration::from_secs(1), LEASE + MAX_REQUEST_AGE);
    assert!(rest <= whole && rest + second > whole, "{rest:?}");
    time.pass(LEASE);
    assert_eq!(refusal(old.blocking().insert(&old_user(3))), too_old("User"));
    time.pass(MAX_REQUEST_AGE.saturating_sub(second));
    assert!(matches!(block_on(retirement.step()).unwrap(), RetirementStep::Wait(_)));
    time.pass(Duration::from_millis(1_001));
    let step = block_on(retirement.step()).unwrap();
    assert!(matches!(step, RetirementStep::Advanced(RetirementState::Upgrading)), "{step:?}");
}

/// Checks that writes are rejected before they are sent.
macro_rules! rejected {
    ($service:ident, $entity:literal, $($write:expr),+ $(,)?) => {
        $(
            assert_eq!(refusal($write), too_old($entity), "{}", stringify!($write));
            let calls = $service.take();
            assert_eq!((calls.writes, calls.transactions), (0, 0), "{}", stringify!($write));
        )+
    };
}

#[test]
fn every_write_of_an_older_program_is_rejected_and_reads_are_not() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    let b = old.blocking();
    b.insert(&old_user(1)).unwrap();
    b.insert(&note(1)).unwrap();
    let (loaded, text) = (
        b.get(&UserV1::point("Blue", 1)).unwrap().unwrap(),
        b.get(&NoteV1::point("Blue", 1)).unwrap().unwrap(),
    );
    let job = program(&service, &time);
    block_on(job.retire::<User>().step()).unwrap();
    block_on(job.retire::<Note>().step()).unwrap();
    time.pass(LEASE);
    let before = block_on(table_rows(&service));
    service.take();

    rejected!(
        service,
        "User",
        b.insert(&old_user(2)),
        b.replace(&loaded),
        b.replace_any(&old_user(1)),
        b.upsert(&old_user(2)),
        b.update(UserV1::point("Blue", 1), |user| user.name = "Al".into()),
        b.merge(loaded.patch().name("Al".into())),
        b.merge(UserV1::patch("Blue", 1).name("Al".into())),
        b.delete(&loaded),
        b.delete_at(UserV1::point("Blue", 1)),
        b.delete_if_exists(UserV1::point("Blue", 1)),
        b.commit(old.transact().insert(&old_user(2)).upsert(&old_user(3))),
        b.run(old.bulk().insert_all(&[old_user(2)])).and_then(BulkReport::into_result),
        b.run(old.bulk().upsert(&old_user(1)).delete(&loaded)).and_then(BulkReport::into_result),
        block_on(old.retire::<UserV1>().step()),
    );
    rejected!(
        service,
        "Note",
        b.insert(&note(2)),
        b.replace(&text),
        b.replace_any(&note(1)),
        b.upsert(&note(1)),
        b.overwrite(&note(1)),
        b.merge(NoteV1::patch("Blue", 1).text("x".into())),
        b.merge(NoteV1::patch("Blue", 1).text("x".into()).blind()),
        b.upsert_merge(NoteV1::patch("Blue", 1).text("x".into())),
        b.upsert_merge(NoteV1::patch("Blue", 2).text("x".into()).blind()),
        b.delete(&text),
        b.delete_at(NoteV1::point("Blue", 1)),
    );
    assert_eq!(block_on(table_rows(&service)), before);
    assert_eq!(b.get(&UserV1::point("Blue", 1)).unwrap().unwrap().name, "Jo");
    assert_eq!(b.all(&UserV1::by_mail_rows("m1")).unwrap().len(), 1);
    assert_eq!(b.all(&NoteV1::rows("Blue")).unwrap().len(), 1);
    // Jobs of the older version that would write.
    for refused in [
        block_on(old.verify::<UserV1>().repair().run()).map(drop),
        block_on(old.reindex::<UserV1>("by_mail").run()).map(drop),
    ] {
        assert_eq!(refusal(refused), too_old("User"));
    }
    assert!(block_on(old.verify::<UserV1>().run()).unwrap().is_clean());
}

/// Returns the keys and times of the rows of both tables.
async fn table_rows(service: &Counting<Store>) -> Vec<(String, String)> {
    use table_store::{Query, TableService};
    let mut all = Vec::new();
    for name in ["Users", "Notes"] {
        let segment = service.query(&name.parse().unwrap(), Query::default()).await.unwrap();
        all.extend(segment.rows.iter().map(|row| (format!("{:?}", row.row_key), row.etag.to_string())));
    }
    all
}

/// A worker of the older version leaves the commits to others.
#[test]
fn a_worker_of_the_older_version_applies_nothing() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    old.register_entity::<UserV1>();
    old.with_deferred_updates().blocking().insert(&old_user(1)).unwrap();
    block_on(program(&service, &time).retire::<User>().step()).unwrap();
    time.pass(LEASE);
    let pass = block_on(old.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left), (0, 1));
    assert_eq!(pass.reasons[0].reason, LeftReason::Registry);
    assert!(pass.reasons[0].message.contains("deploy it"), "{}", pass.reasons[0].message);
    // The retirement applies them.
    bring::<User>(&service, &time, RetirementState::Retired);
    let new = program(&service, &time);
    assert_eq!(new.blocking().all(&User::by_mail_rows("m1")).unwrap().len(), 1);
    assert!(block_on(new.verify::<User>().run()).unwrap().is_clean());
}

#[test]
fn a_retirement_is_cancelled_in_every_state_and_started_again() {
    for state in STATES {
        let (_, service, time) = counted();
        let old = program(&service, &time);
        old.blocking().insert(&old_user(1)).unwrap();
        bring::<User>(&service, &time, state);
        time.pass(LEASE);
        assert_eq!(refusal(old.blocking().insert(&old_user(2))), too_old("User"), "{state}");
        let job = program(&service, &time);
        block_on(job.retire::<User>().cancel()).unwrap();
        assert_eq!((status(&job, "User").min_write, status(&job, "User").state), (1, None));
        time.pass(LEASE);
        old.blocking().insert(&old_user(2)).unwrap();
        // The new retirement waits again.
        bring::<User>(&service, &time, RetirementState::Rejecting);
        assert!(matches!(block_on(job.retire::<User>().step()).unwrap(), RetirementStep::Wait(_)));
        bring::<User>(&service, &time, RetirementState::Retired);
        assert_eq!(status(&job, "User").floor.unwrap().rows, 4);
    }
}

/// A program without the registry writes while the versions are being retired. The scan finds its row, and starts again.
#[test]
fn a_row_that_passes_the_registry_by_is_found_by_the_scan() {
    let (_, service, time) = counted();
    program(&service, &time).blocking().insert(&old_user(1)).unwrap();
    bring::<User>(&service, &time, RetirementState::Scanning);
    Tables::new(service.clone()).blocking().insert(&old_user(2)).unwrap();
    let job = program(&service, &time);
    let retirement = job.retire::<User>();
    let RetirementStep::Stuck(rows) = block_on(retirement.step()).unwrap() else { panic!("it is not found") };
    // The entity and its index row.
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.version == Some(1)), "{rows:?}");
    assert!(rows[0].to_string().contains("upgrade") || rows[1].to_string().contains("upgrade"), "{rows:?}");
    let found = status(&job, "User");
    assert_eq!((found.floor, found.state), (None, Some(RetirementState::Upgrading)));
    bring::<User>(&service, &time, RetirementState::Retired);
    assert_eq!(job.blocking().all(&User::rows("Blue")).unwrap().len(), 2);
}

/// A row without `EntityType` has no known version.
#[test]
fn a_row_without_a_type_prevents_the_retirement() {
    let (_, service, time) = counted();
    program(&service, &time).blocking().insert(&note(1)).unwrap();
    let mut untyped = DynamicEntity::new("Notes", "Blue", "n_002").unwrap();
    untyped.set("text", "t");
    Tables::new(service.clone()).blocking().insert(&untyped).unwrap();
    bring::<Note>(&service, &time, RetirementState::Scanning);
    let job = program(&service, &time);
    let RetirementStep::Stuck(rows) = block_on(job.retire::<Note>().step()).unwrap() else {
        panic!("missed")
    };
    assert_eq!((rows.len(), rows[0].version), (1, None));
    let failed = refusal(block_on(job.retire::<Note>().run()));
    assert!(matches!(failed, RegistryError::VersionsLeft { version: 2, count: 1, .. }), "{failed}");
}

/// A tool without the type lists the entities that a program must upgrade.
#[test]
fn versions_are_retired_by_a_design_without_the_conversion() {
    let design = "tables = 1\n[entity.Note]\ntable = \"Notes\"\npartition = \"{team}\"\nrow = \"n_{id:03}\"\n\
                  entity_type = \"always\"\nversion = 2\n[entity.Note.fields]\nteam = \"string\"\nid = \"u16\"\n\
                  body = \"string\"\n";
    let schema = table_codegen::read(design, "notes.toml").unwrap();
    let (_, service, time) = counted();
    let plain = Tables::new(service.clone());
    let retirement = plain.retire_by_design(&schema, "Note", 2).unwrap();
    assert!(matches!(refusal(block_on(retirement.step())), RegistryError::Unregistered { .. }));
    program(&service, &time).blocking().insert(&note(1)).unwrap();
    let mut stuck = 0;
    loop {
        match block_on(retirement.step()).unwrap() {
            RetirementStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
            RetirementStep::Stuck(rows) => {
                stuck += 1;
                assert_eq!((rows.len(), rows[0].version), (1, Some(1)));
                drop(block_on(program(&service, &time).upgrade::<Note>().run()).unwrap());
            }
            RetirementStep::Done => break,
            _ => {}
        }
    }
    assert_eq!((stuck, status(&plain, "Note").floor.unwrap().rows), (1, 1));
    assert!(plain.retire_by_design(&schema, "Other", 2).is_err());
}

/// A type with a change feed and an archive.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Tickets",
    partition = "{team}",
    row = "t_{id:03}",
    entity_type = "Ticket",
    archive = "OldTickets"
)]
#[table(changes(old))]
struct TicketV1 {
    team: String,
    id: u16,
    text: String,
}

macro_rules! tickets {
    ($module:ident, $($from:tt)*) => {
        #[allow(dead_code, reason = "the tests read some fields of some versions")]
        mod $module {
            use table_patterns::prelude::*;

            #[derive(TableEntity, Clone, Debug)]
            #[table(name = "Tickets", partition = "{team}", row = "t_{id:03}", entity_type = "Ticket")]
            #[table(archive = "OldTickets", changes(old), version = 2, $($from)*)]
            pub(super) struct Ticket {
                pub(super) team: String,
                pub(super) id: u16,
                pub(super) body: String,
            }
        }
    };
}

tickets!(ticket, from(super::TicketV1));
tickets!(newest, oldest = 2);

impl From<TicketV1> for ticket::Ticket {
    fn from(TicketV1 { team, id, text }: TicketV1) -> Self {
        Self { team, id, body: text }
    }
}

fn ticket(id: u16) -> TicketV1 {
    TicketV1 { team: "Blue".into(), id, text: "t".into() }
}

/// After the retirement, a program without the older version reads all changes and the archive. A record that appears
/// behind the upgrade is found by the scan, and upgraded.
#[test]
fn records_and_archives_are_retired_with_their_version() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    for id in 1..=2 {
        old.blocking().insert(&ticket(id)).unwrap();
    }
    assert!(block_on(old.move_entity(&ticket(2).key(), "OldTickets")).unwrap());
    bring::<ticket::Ticket>(&service, &time, RetirementState::Scanning);
    // Only records remain of an entity that was deleted.
    let passing = Tables::new(service.clone());
    passing.blocking().insert(&ticket(3)).unwrap();
    passing.blocking().delete_at(TicketV1::point("Blue", 3)).unwrap();
    let mut upgraded = false;
    loop {
        match block_on(program(&service, &time).retire::<ticket::Ticket>().step()).unwrap() {
            RetirementStep::Advanced(RetirementState::Upgrading) => upgraded = true,
            RetirementStep::Stuck(rows) => panic!("{rows:?}"),
            RetirementStep::Done => break,
            _ => {}
        }
    }
    assert!(upgraded, "the scan found the records");
    let newest = program(&service, &time);
    let batch = block_on(newest.changes::<newest::Ticket>().next_batch()).unwrap();
    assert!(batch.is_end && batch.blocked.is_none());
    let bodies = batch.changes.iter().filter_map(|change| change.new().or(change.old()));
    assert_eq!(bodies.map(|ticket| ticket.body.as_str()).collect::<Vec<_>>(), ["t"; 6]);
    let key = newest::TicketKey { team: "Blue".into(), id: 2 };
    assert_eq!(block_on(newest.archived(&key)).unwrap().unwrap().body, "t");
}

/// A tool without the conversion names the records and the archived entities.
#[test]
fn a_retirement_by_a_design_names_records_and_archives() {
    let design = "tables = 1\n[entity.Ticket]\ntable = \"Tickets\"\npartition = \"{team}\"\nrow = \"t_{id:03}\"\n\
                  entity_type = \"always\"\nversion = 2\narchive = { to = \"OldTickets\" }\nchanges = { old = true }\n\
                  [entity.Ticket.fields]\nteam = \"string\"\nid = \"u16\"\nbody = \"string\"\n";
    let schema = table_codegen::read(design, "tickets.toml").unwrap();
    let (_, service, time) = counted();
    let old = program(&service, &time);
    old.blocking().insert(&ticket(1)).unwrap();
    assert!(block_on(old.move_entity(&ticket(1).key(), "OldTickets")).unwrap());
    let plain = Tables::new(service.clone());
    let retirement = plain.retire_by_design(&schema, "Ticket", 2).unwrap();
    let rows = loop {
        match block_on(retirement.step()).unwrap() {
            RetirementStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
            RetirementStep::Stuck(rows) => break rows,
            RetirementStep::Done => panic!("records are missed"),
            _ => {}
        }
    };
    let told: Vec<String> = rows.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|row| row.contains("a change record in version 1")), "{told:?}");
    drop(block_on(program(&service, &time).upgrade::<ticket::Ticket>().run()).unwrap());
    loop {
        match block_on(retirement.step()).unwrap() {
            RetirementStep::Stuck(rows) => panic!("{rows:?}"),
            RetirementStep::Done => break,
            _ => {}
        }
    }
    assert!(block_on(plain.archived(&newest::TicketKey { team: "Blue".into(), id: 1 })).unwrap().is_some());
}

/// Returns the `EntityType`s of all visits.
fn visits(service: &Counting<Store>) -> Vec<String> {
    use table_store::{Query, TableService, service::ListTables};
    let tables = block_on(service.list_tables(ListTables::default())).unwrap().tables;
    let mut names = Vec::new();
    for table in tables.iter().filter(|table| table.as_str().starts_with("Visits")) {
        let rows = block_on(service.query(table, Query::new())).unwrap().rows;
        names.extend(rows.iter().map(|row| format!("{:?}", row.properties.get("EntityType"))));
    }
    names
}

/// Tables are created and dropped before and after the position of the job, also the table of the position.
#[test]
fn versions_in_a_table_for_each_period_are_retired_while_tables_come_and_go() {
    use table_store::TableService;
    for seed in 0..40_u32 {
        let (_, service, time) = counted();
        let old = program(&service, &time);
        for (day, id) in [(10, 1), (10, 2), (10, 3), (12, 1), (12, 2), (14, 1), (16, 1), (16, 2)] {
            old.blocking().insert(&visit(day, id)).unwrap();
        }
        let new = program(&service, &time);
        let (mut steps, mut next) = (0, seed);
        while status(&new, "Visit").floor.is_none() {
            match block_on(program(&service, &time).retire::<Visit>().page_size(1).step()).unwrap() {
                RetirementStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
                RetirementStep::Stuck(rows) => panic!("seed {seed}: {rows:?}"),
                _ => {}
            }
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let day = 9 + (next >> 16) % 10;
            match (next >> 8) % 8 {
                0 => drop(new.blocking().upsert(&Visit::from(visit(day, 9))).unwrap()),
                1 => drop(block_on(service.delete_table(&format!("Visits202611{day:02}").parse().unwrap()))),
                _ => {}
            }
            steps += 1;
            assert!(steps < 300, "seed {seed} does not end");
        }
        assert_eq!(status(&new, "Visit").min_write, 2);
        let found = visits(&service);
        assert!(found.iter().all(|name| name.contains("Visit.v2")), "seed {seed}: {found:?}");
        assert_eq!(refusal(old.blocking().insert(&visit(20, 1))), too_old("Visit"));
    }
}

#[test]
fn all_tables_of_a_template_are_read_and_counted() {
    let (_, service, time) = counted();
    let old = program(&service, &time);
    for day in 10..14 {
        old.blocking().insert(&visit(day, 1)).unwrap();
    }
    bring::<Visit>(&service, &time, RetirementState::Scanning);
    // Without the registry, in a table that exists and in a new one.
    let without = Tables::new(service.clone());
    for day in [13, 20] {
        without.blocking().insert(&visit(day, 2)).unwrap();
    }
    let mut stuck = Vec::new();
    let new = program(&service, &time);
    while status(&new, "Visit").floor.is_none() {
        match block_on(new.retire::<Visit>().page_size(1).step()).unwrap() {
            RetirementStep::Stuck(rows) => stuck.extend(rows),
            RetirementStep::Wait(_) => panic!("it waits again"),
            _ => {}
        }
    }
    assert_eq!((stuck.len(), stuck[0].version), (1, Some(1)), "{stuck:?}");
    assert_eq!(status(&new, "Visit").floor.unwrap().rows, 6);
    assert_eq!(status(&new, "Visit").table, "visits{at:%y%m%d}");
    assert_eq!(new.blocking().all(&Visit::rows("Blue")).unwrap().len(), 6);
    assert!(matches!(block_on(new.retire::<Visit>().step()).unwrap(), RetirementStep::Done));
}

#[test]
fn versions_in_a_table_for_each_period_are_retired_by_a_design() {
    let design = "tables = 1\n[entity.Visit]\ntable = \"Visits{at:%Y%m%d}\"\npartition = \"{team}\"\n\
                  row = \"{at:ticks}_{id:03}\"\nentity_type = \"always\"\nversion = 2\n[entity.Visit.fields]\n\
                  team = \"string\"\nat = \"datetime\"\nid = \"u16\"\nbody = \"string\"\n";
    let schema = table_codegen::read(design, "visits.toml").unwrap();
    let (_, service, time) = counted();
    for day in [10, 12] {
        program(&service, &time).blocking().insert(&visit(day, 1)).unwrap();
    }
    let plain = Tables::new(service.clone());
    let retirement = plain.retire_by_design(&schema, "Visit", 2).unwrap().page_size(1);
    let mut stuck = 0;
    loop {
        match block_on(retirement.step()).unwrap() {
            RetirementStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
            RetirementStep::Stuck(rows) => {
                stuck += rows.len();
                assert_eq!(rows[0].version, Some(1));
                assert_eq!(block_on(program(&service, &time).upgrade::<Visit>().run()).unwrap().written, 2);
            }
            RetirementStep::Done => break,
            _ => {}
        }
    }
    assert_eq!((stuck, status(&plain, "Visit").floor.unwrap().rows), (1, 2));
}

/// The position is the name of a table, so a sweep continues in another process although tables come and go.
#[test]
fn an_upgrade_of_a_table_for_each_period_is_resumed_at_the_name_of_a_table() {
    use table_store::TableService;
    let (_, service, time) = counted();
    let old = program(&service, &time);
    for day in [10, 12, 14] {
        old.blocking().insert(&visit(day, 1)).unwrap();
    }
    let new = program(&service, &time);
    let mut first = new.upgrade::<Visit>().page_size(1);
    assert!(first.cursor().is_none());
    assert!(block_on(first.step()).unwrap());
    let cursor = first.cursor().unwrap();
    block_on(service.delete_table(&"Visits20261112".parse().unwrap())).unwrap();
    old.blocking().insert(&visit(11, 1)).unwrap();
    old.blocking().insert(&visit(13, 1)).unwrap();
    let second = new.upgrade::<Visit>().resume(cursor.clone());
    assert_eq!((second.cursor(), second.rows()), (Some(cursor.clone()), 1));
    assert_eq!(block_on(second.run()).unwrap().written, 2);
    assert!(block_on(new.upgrade::<User>().resume(cursor).run()).is_err());
    // The table before the position.
    assert_eq!(block_on(new.upgrade::<Visit>().run()).unwrap().written, 1);
}

#[test]
fn a_type_without_stored_versions_is_not_retired() {
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Plain", partition = "{team}", row = "p_{id:03}", entity_type = none)]
    struct Plain {
        team: String,
        id: u16,
    }
    let (tables, ..) = counted();
    assert!(matches!(refusal(block_on(tables.retire::<Plain>().step())), RegistryError::NoVersions { .. }));
    // There is no version before the first.
    assert!(matches!(block_on(tables.retire::<NoteV1>().step()).unwrap(), RetirementStep::Done));
    let without = Tables::in_memory().unwrap();
    assert_eq!(refusal(block_on(without.retire::<Note>().step())), RegistryError::None);
}

/// Returns a store in which the older version of the notes is rejected.
pub(super) fn rejecting() -> (Counting<Store>, Time) {
    let (tables, service, time) = counted();
    tables.blocking().insert(&note(1)).unwrap();
    bring::<Note>(&service, &time, RetirementState::Rejecting);
    (service, time)
}

/// Returns the errors of writers of both versions, of the job and of the list.
pub(super) fn refusals(service: &Counting<Store>, time: &Time) -> [RegistryError; 4] {
    let program = || program(service, time);
    let new = Note { team: "Blue".into(), id: 3, body: "b".into() };
    assert!(program().blocking().get(&NoteV1::point("Blue", 1)).unwrap().is_some());
    [
        refusal(program().blocking().insert(&note(2))),
        refusal(program().blocking().insert(&new)),
        refusal(block_on(program().retire::<Note>().step())),
        refusal(block_on(program().registered_versions())),
    ]
}
