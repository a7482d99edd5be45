//! Moves to other keys with stopped writers, for types that `moving` does not support: the steps of the guide.

#![allow(clippy::unwrap_used, clippy::struct_field_names, reason = "tests")]

use pollster::block_on;
use table_patterns::{KeyRing, prelude::*};

/// The old and the new type of a move.
trait Moves: TableEntity + Clone {
    type Old: TableEntity + Clone;
    /// `false` for types that `verify` does not support: they have no derived rows.
    const HAS_DERIVED: bool = true;

    fn convert(old: Self::Old) -> Self;
    fn all_old(tables: &Tables) -> Result<Vec<Stored<Self::Old>>>;
    fn all(tables: &Tables) -> Result<Vec<Stored<Self>>>;
}

fn copy_all<E: Moves>(tables: &Tables) -> u64 {
    let mut count = 0;
    for old in E::all_old(tables).unwrap() {
        match block_on(tables.insert(&E::convert(old.into_inner()))) {
            Err(error) if error.is_conflict() => {}
            other => drop(other.unwrap()),
        }
        count += 1;
    }
    count
}

fn delete_all<E: Moves>(tables: &Tables) {
    for old in E::all_old(tables).unwrap() {
        block_on(tables.delete(&old)).unwrap();
    }
}

fn assert_complete<E: Moves>(tables: &Tables, count: u64) {
    let applied = block_on(tables.catch_up()).unwrap();
    assert_eq!((applied.left, applied.dead_lettered), (0, 0), "{applied:?}");
    if E::HAS_DERIVED {
        let report = block_on(tables.verify::<E>().run()).unwrap();
        assert!(report.is_clean(), "{report}");
        assert_eq!(report.entities, count);
    }
    assert_eq!(E::all(tables).unwrap().len() as u64, count);
}

/// Runs the steps, each of them interrupted after its first half.
fn run<E: Moves>(tables: &Tables, check: impl Fn(&Tables)) {
    block_on(tables.catch_up()).unwrap();
    let first = E::all_old(tables).unwrap().into_iter().next().unwrap();
    block_on(tables.insert(&E::convert(first.into_inner()))).unwrap();
    let count = copy_all::<E>(tables);
    assert!(count > 1);
    assert_complete::<E>(tables, count);
    let first = E::all_old(tables).unwrap().into_iter().next().unwrap();
    block_on(tables.delete(&first)).unwrap();
    delete_all::<E>(tables);
    assert_complete::<E>(tables, count);
    assert!(E::all_old(tables).unwrap().is_empty());
    check(tables);
}

fn tables() -> Tables {
    Tables::in_memory().unwrap().with_keys(KeyRing::generate().unwrap()).with_deferred_updates()
}

mod derived {
    use super::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Teams", partition = "{team}", row = "team")]
    pub(super) struct Team {
        pub(super) team: String,
        #[table(from_source)]
        pub(super) members: i64,
        #[table(from_source)]
        pub(super) points: i64,
    }

    /// Lists in the partition, in a table and in blobs, a change feed, aggregates and an encrypted field.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Members", partition = "{club}", row = "{id:04}", entity_type = "Member1", changes)]
    #[table(lookup(by_name, on = name), lookup(by_city, on = city, place = table))]
    #[table(lookup(by_street, on = street, place = blob))]
    #[table(counted_in(Team::members), summed_in(Team::points, of = score))]
    pub(super) struct MemberV1 {
        pub(super) club: String,
        pub(super) id: u32,
        pub(super) name: String,
        pub(super) city: String,
        pub(super) street: String,
        pub(super) team: String,
        pub(super) score: i32,
        #[table(encrypt)]
        pub(super) secret: String,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "AllMembers", partition = "of_{club}", row = "m_{id:06}", entity_type = "Member", changes)]
    #[table(lookup(by_name, on = name), lookup(by_city, on = city, place = table))]
    #[table(lookup(by_street, on = street, place = blob))]
    #[table(counted_in(Team::members), summed_in(Team::points, of = score))]
    pub(super) struct Member {
        pub(super) club: String,
        pub(super) id: u32,
        pub(super) name: String,
        pub(super) city: String,
        pub(super) street: String,
        pub(super) team: String,
        pub(super) score: i32,
        #[table(encrypt)]
        pub(super) secret: String,
    }

    impl Moves for Member {
        type Old = MemberV1;

        fn convert(old: MemberV1) -> Self {
            let MemberV1 { club, id, name, city, street, team, score, secret } = old;
            Self { club, id, name, city, street, team, score, secret }
        }

        fn all_old(tables: &Tables) -> Result<Vec<Stored<MemberV1>>> {
            block_on(MemberV1::scan_table().all(tables))
        }

        fn all(tables: &Tables) -> Result<Vec<Stored<Self>>> {
            block_on(Self::scan_table().all(tables))
        }
    }
}

#[test]
fn entities_with_lists_feeds_aggregates_and_encrypted_fields() {
    use derived::{Member, MemberV1, Team};

    let tables = tables();
    tables.register_entity::<MemberV1>();
    tables.register_entity::<Member>();
    let team = Team { team: "red".into(), members: 0, points: 0 };
    block_on(tables.insert(&team)).unwrap();
    for id in 1..=4 {
        let (club, name, city, street) = ("a".into(), "Jo".into(), "Oslo".into(), "Main".into());
        let (team, score, secret) = ("red".into(), 10, format!("secret {id}"));
        let member = MemberV1 { club, id, name, city, street, team, score, secret };
        block_on(tables.insert(&member)).unwrap();
    }
    run::<Member>(&tables, |tables| {
        let team = block_on(Team::point("red").get(tables)).unwrap().unwrap();
        assert_eq!((team.members, team.points), (4, 40));
        assert_eq!(block_on(Member::by_name("a", "Jo").all(tables)).unwrap().len(), 4);
        assert_eq!(block_on(Member::by_city("Oslo").all(tables)).unwrap().len(), 4);
        assert_eq!(block_on(Member::by_street("Main").all(tables)).unwrap().len(), 4);
        assert!(block_on(MemberV1::by_city("Oslo").all(tables)).unwrap().is_empty());
        let member = block_on(Member::point("a", 3).get(tables)).unwrap().unwrap();
        assert_eq!(member.secret, "secret 3");
        let inserts = block_on(tables.changes::<Member>().next_batch()).unwrap();
        assert_eq!(inserts.changes.iter().filter(|change| change.new().is_some()).count(), 4);
        let last = block_on(tables.changes::<MemberV1>().next_batch()).unwrap();
        assert_eq!(last.changes.iter().filter(|change| change.new().is_none()).count(), 4);
    });
}

mod stored {
    use super::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Photos", partition = "{album}", row = "{id:04}", entity_type = "Photo1")]
    pub(super) struct PhotoV1 {
        pub(super) album: String,
        pub(super) id: u32,
        #[table(blob)]
        pub(super) image: Blob,
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "AllPhotos", partition = "of_{album}", row = "p_{id:06}", entity_type = "Photo")]
    pub(super) struct Photo {
        pub(super) album: String,
        pub(super) id: u32,
        #[table(blob)]
        pub(super) image: Blob,
    }

    impl Moves for Photo {
        type Old = PhotoV1;

        fn convert(PhotoV1 { album, id, image }: PhotoV1) -> Self {
            Self { album, id, image }
        }

        fn all_old(tables: &Tables) -> Result<Vec<Stored<PhotoV1>>> {
            block_on(PhotoV1::scan_table().all(tables))
        }

        fn all(tables: &Tables) -> Result<Vec<Stored<Self>>> {
            block_on(Self::scan_table().all(tables))
        }
    }
}

#[test]
fn entities_with_blobs() {
    use stored::{Photo, PhotoV1};

    let tables = tables();
    tables.register_entity::<PhotoV1>();
    tables.register_entity::<Photo>();
    for id in 1..=3_u8 {
        let image = Blob::new(vec![id; 100_000]);
        block_on(tables.insert(&PhotoV1 { album: "a".into(), id: id.into(), image })).unwrap();
    }
    run::<Photo>(&tables, |tables| {
        let photo = block_on(Photo::point("a", 2).get(tables)).unwrap().unwrap();
        assert_eq!(block_on(photo.image.read(tables)).unwrap(), vec![2; 100_000]);
    });
}

mod wide {
    use super::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(
        name = "Years",
        partition = "{name}",
        row = "{year:04}_{part:02}",
        wide = 200,
        entity_type = "Year1"
    )]
    pub(super) struct YearV1 {
        pub(super) name: String,
        pub(super) year: u16,
        #[table(series)]
        pub(super) days: [Option<i32>; 365],
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "AllYears", partition = "of_{name}", row = "y{year:04}_{part:02}", wide = 200)]
    #[table(entity_type = "Year")]
    pub(super) struct Year {
        pub(super) name: String,
        pub(super) year: u16,
        #[table(series)]
        pub(super) days: [Option<i32>; 365],
    }

    impl Moves for Year {
        type Old = YearV1;
        const HAS_DERIVED: bool = false;

        fn convert(YearV1 { name, year, days }: YearV1) -> Self {
            Self { name, year, days }
        }

        fn all_old(tables: &Tables) -> Result<Vec<Stored<YearV1>>> {
            // A wide entity has no ranges: its keys are known, or read from the rows of its first part.
            let found = (2001..=2003).map(|year| block_on(YearV1::point("a", year).get(tables)));
            found.filter_map(Result::transpose).collect()
        }

        fn all(tables: &Tables) -> Result<Vec<Stored<Self>>> {
            let found = (2001..=2003).map(|year| block_on(Self::point("a", year).get(tables)));
            found.filter_map(Result::transpose).collect()
        }
    }
}

#[test]
fn wide_entities() {
    use wide::{Year, YearV1};

    let tables = tables();
    for year in 2001..=2003_u16 {
        let days = [Some(i32::from(year)); 365];
        block_on(tables.insert(&YearV1 { name: "a".into(), year, days })).unwrap();
    }
    run::<Year>(&tables, |tables| {
        let year = block_on(Year::point("a", 2002).get(tables)).unwrap().unwrap();
        assert_eq!(year.days, [Some(2002); 365]);
    });
}

mod periods {
    use super::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:ticks}", entity_type = "Login1")]
    pub(super) struct LoginV1 {
        pub(super) user: String,
        pub(super) at: Timestamp,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "AllLogins{at:%Y%m}", partition = "{user}", row = "{at:ticks}", entity_type = "Login")]
    pub(super) struct Login {
        pub(super) user: String,
        pub(super) at: Timestamp,
    }

    impl Moves for Login {
        type Old = LoginV1;
        const HAS_DERIVED: bool = false;

        fn convert(LoginV1 { user, at }: LoginV1) -> Self {
            Self { user, at }
        }

        fn all_old(tables: &Tables) -> Result<Vec<Stored<LoginV1>>> {
            block_on(LoginV1::rows("jo").all(tables))
        }

        fn all(tables: &Tables) -> Result<Vec<Stored<Self>>> {
            block_on(Self::rows("jo").all(tables))
        }
    }
}

#[test]
fn entities_with_a_table_for_each_period() {
    use periods::{Login, LoginV1};

    let tables = tables();
    for day in ["2014-07-29T08:10:00Z", "2014-07-30T08:05:00Z", "2014-08-01T07:55:00Z"] {
        let at = day.parse().unwrap();
        block_on(tables.insert(&LoginV1 { user: "jo".into(), at })).unwrap();
    }
    run::<Login>(&tables, |tables| {
        let at: Timestamp = "2014-07-30T08:05:00Z".parse().unwrap();
        assert!(block_on(Login::point("jo", at).get(tables)).unwrap().is_some());
    });
}
