//! Queries that meet rows of a newer version or of another type.

use pollster::block_on;
use table_patterns::{Query, RowError, RowPolicy, prelude::*};

use super::{Backend, backends};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tasks", partition = "{team}", row = "t_{id:04}", entity_type = "Job")]
#[table(index(by_state, row = "s_{state}_{id:04}"))]
struct JobV1 {
    team: String,
    id: u16,
    state: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tasks", partition = "{team}", row = "t_{id:04}", version = 2, from(JobV1))]
#[table(entity_type = "Job")]
#[table(index(by_state, row = "s_{state}_{id:04}"))]
#[table(index(by_due, row = "u_{due:06}_{id:04}"))]
struct Job {
    team: String,
    id: u16,
    state: String,
    due: u32,
}

impl From<JobV1> for Job {
    fn from(old: JobV1) -> Self {
        Self { team: old.team, id: old.id, state: old.state, due: 0 }
    }
}

/// Names that start with the name of the type, and come before and after those of its versions.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tasks", partition = "{team}", row = "t_{id:04}", entity_type = "Job-Note")]
struct JobNote {
    team: String,
    id: u16,
    state: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tasks", partition = "{team}", row = "t_{id:04}", entity_type = "Jobs.v2")]
struct Jobs {
    team: String,
    id: u16,
    state: String,
}

#[derive(TableUnion)]
#[table(partition = "{team}", unknown = skip)]
enum Member {
    Job(Stored<JobV1>),
}

fn of_v1(id: u16) -> JobV1 {
    JobV1 { team: "a".into(), id, state: "open".into() }
}

/// Inserts rows 1 and 3 of version 1, and row 2 of version 2.
fn insert(tables: &Tables) {
    let b = tables.blocking();
    b.insert(&of_v1(1)).unwrap();
    b.insert(&Job { due: 7, ..of_v1(2).into() }).unwrap();
    b.insert(&of_v1(3)).unwrap();
}

/// Returns the item of each row: its ID, or an error.
fn items<Q: Query<Row = JobV1>>(query: &Q, tables: &Tables) -> Vec<Result<u16, Error>> {
    let (mut items, mut stream) = (Vec::new(), query.stream(tables));
    while let Some(item) = block_on(stream.try_next()).transpose() {
        items.push(item.map(|job| job.id));
    }
    items
}

fn assert_reports_newer<Q: Query<Row = JobV1>>(query: &Q, tables: &Tables, context: &str) {
    let found = items(query, tables);
    let (ok, errors): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
    assert_eq!(ok.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [1, 3], "{context}");
    let [Err(Error::Decode(error))] = errors.as_slice() else { panic!("{context}: {errors:?}") };
    assert!(error.is_newer(), "{context}: {error}");
    let all = block_on(query.all(tables));
    assert!(matches!(&all, Err(Error::Decode(error)) if error.is_newer()), "{context}: {all:?}");

    let skipping = query.clone().newer(RowPolicy::Skip);
    let report = block_on(skipping.report(tables)).unwrap();
    assert_eq!(report.items.iter().map(|job| job.id).collect::<Vec<_>>(), [1, 3], "{context}");
    assert_eq!(report.stats.skipped, 1, "{context}");
    let [skipped] = report.skipped.as_slice() else { panic!("{context}: {:?}", report.skipped) };
    assert_eq!(skipped.reason, RowError::NewerVersion { found: 2, known: 1 }, "{context}");
    assert!(skipped.address.row_key().contains("0002"), "{context}: {skipped}");
    let mut stream = skipping.stream(tables);
    while block_on(stream.try_next()).unwrap().is_some() {}
    assert_eq!(stream.skipped(), report.skipped, "{context}");
}

#[test]
fn each_query_reports_newer_rows_and_continues() {
    for Backend { name, tables, .. } in &backends() {
        insert(tables);
        assert_reports_newer(&JobV1::rows("a"), tables, name);
        assert_reports_newer(&JobV1::rows("a").page_size(1), tables, name);
        assert_reports_newer(&JobV1::scan_partition("a"), tables, name);
        // No row matches but those of version 1: a newer row can match in its own form.
        assert_reports_newer(&JobV1::scan_partition("a").filter(|job| job.state.eq("open")), tables, name);
        assert_reports_newer(&JobV1::scan_table().filter(|job| job.state.ne("x")), tables, name);
        assert_reports_newer(&JobV1::by_state_rows("a"), tables, name);
        let points: MultiPoint<JobV1> = (1..=3).map(|id| JobV1::point("a", id)).collect();
        assert_reports_newer(&points, tables, name);
        let none = block_on(JobV1::scan_table().filter(|job| job.state.eq("x")).all(tables));
        assert!(matches!(&none, Err(Error::Decode(error)) if error.is_newer()), "{name}: {none:?}");

        let point = JobV1::point("a", 2);
        assert!(block_on(point.get(tables)).is_err(), "{name}");
        assert_eq!(block_on(point.newer(RowPolicy::Skip).get(tables)).unwrap().map(|job| job.id), None);
        let members = block_on(Member::rows("a").all(tables)).map(drop);
        assert!(matches!(&members, Err(Error::Decode(error)) if error.is_newer()), "{name}: {members:?}");
        let members = block_on(Member::rows("a").newer(RowPolicy::Skip).all(tables)).unwrap();
        assert_eq!(members.iter().map(|Member::Job(job)| job.id).collect::<Vec<_>>(), [1, 3], "{name}");
    }
}

#[test]
fn types_with_similar_names_are_not_newer_versions() {
    for Backend { name, tables, .. } in &backends() {
        let (team, state) = ("a".to_owned(), "open".to_owned());
        tables.blocking().insert(&of_v1(1)).unwrap();
        let note = JobNote { team: team.clone(), id: 4, state: state.clone() };
        tables.blocking().insert(&note).unwrap();
        tables.blocking().insert(&Jobs { team, id: 5, state }).unwrap();
        for scan in
            [JobV1::scan_partition("a"), JobV1::scan_partition("a").filter(|job| job.state.eq("open"))]
        {
            assert_eq!(block_on(scan.all(tables)).unwrap().len(), 1, "{name}");
        }
        assert_eq!(
            block_on(Job::scan_table().filter(|job| job.due.ge(0)).all(tables)).unwrap().len(),
            1,
            "{name}"
        );
    }
}

#[test]
fn foreign_rows_of_a_range_are_items_of_a_stream() {
    for Backend { name, tables, .. } in &backends() {
        tables.blocking().insert(&of_v1(1)).unwrap();
        tables.blocking().insert(&JobNote { team: "a".into(), id: 2, state: "x".into() }).unwrap();
        tables.blocking().insert(&of_v1(3)).unwrap();
        let found = items(&JobV1::rows("a"), tables);
        let [Ok(1), Err(Error::Decode(error)), Ok(3)] = found.as_slice() else { panic!("{name}: {found:?}") };
        assert!(error.is_foreign(), "{name}: {error}");
        let page = block_on(JobV1::rows("a").foreign(RowPolicy::Skip).page(tables)).unwrap();
        assert_eq!((page.items.len(), page.stats.skipped), (2, 1), "{name}");
        assert_eq!(page.skipped[0].reason, RowError::ForeignType { found: "Job-Note".into() }, "{name}");
    }
}

/// A row without `EntityType` is read as the newest version. The properties that it lacks are named.
#[test]
fn untyped_rows_are_read_as_the_newest_version() {
    for Backend { name, tables, .. } in &backends() {
        let mut row = DynamicEntity::new("Tasks", "a", "t_0001").unwrap();
        row.set("state", "open");
        tables.blocking().insert(&row).unwrap();
        let found = tables.blocking().get(&Job::point("a", 1));
        let Err(Error::Decode(error)) = found else { panic!("{name}: {found:?}") };
        assert!(error.to_string().contains("`due`"), "{name}: {error}");
        assert!(
            block_on(Job::scan_partition("a").all(tables)).unwrap().is_empty(),
            "{name}: scans request types"
        );
    }
}
