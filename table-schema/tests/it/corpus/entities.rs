//! Properties, splits and versions; complete designs.

use table_schema::{
    catalogue::{Code, Severity},
    design::{
        ArchiveDesign, BlobDesign, ChangesDesign, CopiedFields, EntityDesign, FieldDesign, FieldKind,
        IndexDesign, LookupDesign, Place, Series, Shard, Stamp,
    },
    language::{Size, SizeUnit},
    role::Role,
    rules::check,
};

use crate::corpus::{I32, TEXT, U32, employee, entity, field, is, only, with_index};

#[test]
fn a_sound_design_has_no_mistakes() {
    assert_eq!(check(&employee()), []);
    let mut rich = with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    rich.indexes.push(IndexDesign {
        partition: Some("badge_{department}".into()),
        unique: true,
        copy: CopiedFields::Only(vec!["first_name".to_owned()]),
        ..IndexDesign::new("by_badge", "{badge:08}")
    });
    rich.lookups.push(LookupDesign {
        name: "by_last_name".to_owned(),
        on: vec!["last_name".to_owned()],
        ..LookupDesign::default()
    });
    assert_eq!(check(&rich), []);
}

#[test]
fn properties_that_cannot_be() {
    let renamed = |name: &str, property: &str| {
        let mut design = employee();
        property.clone_into(&mut field(&mut design, name).property);
        design
    };
    is(
        &renamed("age", "Timestamp"),
        Code::D022,
        &Place::Field(6),
        "`Timestamp` is the service's own property\n\nhelp: rename the field, or only its property: #[table(rename = \"...\")]",
    );
    is(
        &renamed("age", "email"),
        Code::D028,
        &Place::Field(6),
        "`email` and `age` are both stored as `email`",
    );
    for (property, code) in [
        ("_tx", Code::D022),
        ("EntityType", Code::D022),
        ("odata.type", Code::D022),
        ("1st", Code::D027),
        ("a-b", Code::D027),
        ("", Code::D027),
        (&"x".repeat(256), Code::D027),
    ] {
        assert_eq!(only(&renamed("age", property)).code, code, "{property}");
    }
    assert_eq!(only(&entity("E", "{a}", "x", &[("a", TEXT), ("part", U32)])).code, Code::D022);
}

#[test]
fn more_properties_than_an_entity_holds() {
    let mut design =
        entity("E", "{employee}", "{year:04}", &[("employee", TEXT), ("year", U32), ("days", I32)]);
    field(&mut design, "days").series = Some(Series::Slots(365));
    is(
        &design,
        Code::S03,
        &Place::Entity,
        "`E` needs 367 properties; an entity holds 252\n\nhelp: split it over several entities: #[table(wide = 200, row = \"{year:04}_{part:02}\")]",
    );
    design.wide = Some(200);
    assert_eq!(only(&design).code, Code::D019);
    design.row = Some("{year:04}_{part:02}".into());
    assert_eq!(check(&design), []);
    design.wide = Some(3);
    is(
        &design,
        Code::S03,
        &Place::Word("wide"),
        "`E` needs 122 parts of 3 properties for its 365\n\nhelp: all parts are written in one transaction of at most 100 rows: store the values as separate rows",
    );
    design.wide = Some(4);
    assert_eq!(check(&design), [], "92 parts are one transaction");
    design.indexes.push(IndexDesign { unique: true, ..IndexDesign::new("by_day", "day_{employee}") });
    assert_eq!(only(&design).message, "an index on a wide entity is not supported yet");
    design.indexes.clear();
    design.wide = Some(251);
    assert_eq!(only(&design).message, "a part holds 1 to 250 of your properties, not 251");
    design.wide = None;
    field(&mut design, "days").series = Some(Series::Slots(24));
    assert_eq!(only(&design).message, "`{part}` without `wide`");
    design.wide = Some(20);
    design.row = Some("{part:02}_{year:04}".into());
    assert_eq!(
        only(&design).message,
        "`{part}` is not at the end of the row key, so the parts are not adjacent"
    );
}

#[test]
fn the_slots_of_a_series_are_properties_too() {
    let design = |slots, other: &str| {
        let fields = [("p", TEXT), ("hours", I32), (other, I32)];
        let mut design = entity("E", "{p}", "x", &fields);
        field(&mut design, "hours").series = Some(slots);
        design
    };
    is(
        &design(Series::Slots(24), "hours_07"),
        Code::D028,
        &Place::Field(2),
        "`hours` and `hours_07` are both stored as `hours_07`",
    );
    for free in ["hours_24", "hours_7", "hours_007", "hours_", "hours_7x", "hour_07"] {
        assert_eq!(check(&design(Series::Slots(24), free)), [], "{free}");
    }
    assert_eq!(only(&design(Series::Unknown, "hours_24")).code, Code::D028);
    assert_eq!(check(&design(Series::Unknown, "hours_total")), []);

    let mut long = design(Series::Slots(24), "n");
    "x".repeat(252).clone_into(&mut field(&mut long, "hours").property);
    assert_eq!(check(&long), []);
    "x".repeat(253).clone_into(&mut field(&mut long, "hours").property);
    assert_eq!(only(&long).code, Code::D027);
}

#[test]
fn older_rows_stay_readable() {
    let mut design = employee();
    design.version = 2;
    assert_eq!(design.entity_type_value().as_deref(), Some("Employee.v2"));
    is(
        &design,
        Code::D030,
        &Place::Word("version"),
        "rows of version 1 cannot be read\n\nhelp: from(EmployeeV1) and `impl From<EmployeeV1> for Employee`; or \
         oldest = 2, when no row of version 1 is left",
    );
    design.from.push("EmployeeV1".to_owned());
    assert_eq!(check(&design), []);
    design.oldest = 2;
    assert_eq!(only(&design).message, "rows of versions before 2 are not stored");
    design.from.clear();
    assert_eq!(check(&design), []);
    design.oldest = 3;
    assert_eq!(only(&design).message, "the entity has version 2");
}

#[test]
fn expiry_requires_a_time_that_is_a_property() {
    let fields = [("user", TEXT), ("id", U32), ("ends", FieldKind::Time), ("day", FieldKind::Date)];
    let expiring = |name: &str| {
        let mut design = entity("Session", "{user}", "s_{id:06}", &fields);
        design.roles.set(Role::Expires, Some(name.to_owned()));
        design
    };
    let place = Place::Word("expires");
    assert_eq!(check(&expiring("ends")), []);
    is(&expiring("end"), Code::D021, &place, "`Session` has no field `end`\n\nhelp: did you mean `ends`?");
    for (name, reason) in [("day", "is not a time"), ("id", "is not a time")] {
        let text = format!(
            "`{name}` {reason} and cannot contain the time at which an entity expires\n\nhelp: use a field of the type \
             `Timestamp` or `Option<Timestamp>`"
        );
        is(&expiring(name), Code::D020, &place, &text);
    }
    let mut keyed = entity("Session", "{user}", "s_{ends:ticks}_{id:06}", &fields);
    keyed.roles.set(Role::Expires, Some("ends".to_owned()));
    is(
        &keyed,
        Code::D020,
        &place,
        "`ends` is only part of a key and cannot contain the time at which an entity expires\n\nhelp: store it as a \
         property as well: add `store`",
    );
    field(&mut keyed, "ends").store = true;
    assert_eq!(check(&keyed), []);
    let mut sealed = expiring("ends");
    field(&mut sealed, "ends").encrypted = true;
    assert_eq!(only(&sealed).code, Code::D020);
}

/// A soft delete sets a field, and an undelete clears it.
#[test]
fn the_field_of_a_soft_delete_can_be_set_and_cleared() {
    let fields = [("user", TEXT), ("id", U32), ("deleted", FieldKind::Time), ("place", TEXT)];
    let mut user = entity("User", "{user}", "u_{id:06}", &fields);
    user.roles.set(Role::SoftDelete, Some("deleted".to_owned()));
    field(&mut user, "deleted").optional = true;
    assert_eq!(check(&user), []);
    let place = Place::Word("soft_delete");
    let refused = |change: fn(&mut EntityDesign), reason: &str, help: &str| {
        let mut user = user.clone();
        change(&mut user);
        let what = "cannot contain the time at which an entity was deleted";
        is(&user, Code::D020, &place, &format!("`deleted` {reason} and {what}\n\nhelp: {help}"));
    };
    let of_its_own = "use a field of its own";
    refused(
        |user| field(user, "deleted").optional = false,
        "is always set",
        "use a field of the type `Option<Timestamp>` without a default",
    );
    refused(
        |user| user.roles.set(Role::Expires, user.roles.get(Role::SoftDelete).map(str::to_owned)),
        "contains the time at which an entity expires",
        of_its_own,
    );
    refused(|user| field(user, "deleted").stamp = Some(Stamp::Updated), "is set by each write", of_its_own);
    refused(
        |user| {
            let mut index = IndexDesign::new("by_deleted", "d_{deleted:ticks}_{id:06}");
            index.sparse = true;
            user.indexes = vec![index];
        },
        "is part of a key",
        "use a field that no key contains",
    );
    let mut wide = user.clone();
    wide.archive = Some(ArchiveDesign { to: "Former".to_owned(), about: None, when: None });
    assert_eq!(only(&wide).code, Code::D037);
}

#[test]
fn defaults_are_values_of_their_type() {
    let mut design = employee();
    let variants = ["open".to_owned(), "done".to_owned()].to_vec();
    design.fields.push(FieldDesign::new("state", FieldKind::Enum { variants }));
    field(&mut design, "state").default = Some("\"done\"".to_owned());
    assert_eq!(check(&design), []);
    field(&mut design, "state").default = Some("\"late\"".to_owned());
    assert_eq!(only(&design).code, Code::D045);
}

/// The rows of an insert are counted only where every entity has them.
#[test]
fn insert_is_one_transaction() {
    let mut design = employee();
    for number in 0..99 {
        design.indexes.push(IndexDesign::new(format!("by_{number}"), format!("x{number:03}_{{id:06}}")));
    }
    assert_eq!(check(&design), []);
    let mut more = design.clone();
    more.indexes.push(IndexDesign::new("by_99", "y_{id:06}"));
    is(
        &more,
        Code::D045,
        &Place::Index(99),
        "an insert of `Employee` writes 101 rows of its partition in one transaction, which has at most 100\n\nhelp: declare fewer indexes and lookups in the partition, or move some to other partitions",
    );
    more.indexes[99].sparse = true;
    assert!(check(&more).iter().all(|mistake| mistake.code != Code::D045));
    more.indexes[99].sparse = false;
    more.indexes[99].partition = Some("y_{department}".into());
    assert_eq!(check(&more), []);
    design.changes = Some(ChangesDesign::default());
    assert_eq!(only(&design).place, Place::Index(98));
}

#[test]
fn a_blob_is_in_the_property_up_to_a_size() {
    let mut design = employee();
    field(&mut design, "email").kind = FieldKind::Blob;
    let sized = |design: &mut EntityDesign, number| {
        let over = Some(Size { number, unit: SizeUnit::Byte });
        field(design, "email").blob = Some(BlobDesign { holds: FieldKind::Binary { max: None }, over });
    };
    for number in [1, 65_536] {
        sized(&mut design, number);
        assert_eq!(check(&design), []);
    }
    for number in [0, 65_537] {
        sized(&mut design, number);
        let mistake = only(&design);
        assert_eq!((mistake.code, mistake.place), (Code::D024, Place::FieldWord(4, "inline")));
        assert_eq!(mistake.message, format!("a property holds 1 to 65536 bytes, not {number}"));
    }
}

#[test]
fn a_shard_and_its_hole_belong_together() {
    let mut design = employee();
    design.partition = Some("{shard:02}".into());
    assert_eq!(only(&design).message, "`{shard}` without `shard`");
    design.shard = Some(Shard { of: "id".to_owned(), count: 16 });
    assert_eq!(check(&design).len(), 0);
    design.shard = Some(Shard { of: "idd".to_owned(), count: 1 });
    let codes: Vec<Code> = check(&design).iter().map(|mistake| mistake.code).collect();
    assert_eq!(codes, [Code::D021, Code::D024]);
    design.partition = Some("{shard}".into());
    design.shard = Some(Shard { of: "id".to_owned(), count: 16 });
    assert_eq!(only(&design).code, Code::K10);
    design.partition = Some("{shard:01}".into());
    assert_eq!(only(&design).code, Code::D024);
    design.partition = Some("{id:06}".into());
    design.row = Some("{shard:02}".into());
    assert_eq!(only(&design).code, Code::D019);
}

#[test]
fn inserts_at_one_end_are_warned_of() {
    let fields = [("at", FieldKind::Time), ("id", U32)];
    for (partition, code) in [
        ("{at:%Y%m%d}", Code::K03),
        ("log_{at:ticks}", Code::K03),
        ("{at:inverted_ticks}", Code::K04),
        ("all", Code::K05),
    ] {
        let mut design = entity("E", partition, "{id:06}", &fields);
        let mistake = only(&design);
        assert_eq!((mistake.code, mistake.severity()), (code, Severity::Warning), "{partition}");
        assert_eq!(mistake.message, "all inserts reach the newest end of one partition range");
        let help = "distribute it by a hash: partition = \"{shard:02}\", shard(of = id, count = 16); \
                    or #[table(allow(append_only))]";
        assert_eq!(mistake.help.as_deref(), Some(help));
        design.allow_append_only = true;
        assert_eq!(check(&design), []);
    }
    // The keys contain only the time, so no field is available for a hash.
    let mistake = only(&entity("E", "all", "{at:ticks}", &fields));
    assert_eq!(
        mistake.help.as_deref(),
        Some("distribute it by another field; or #[table(allow(append_only))]")
    );
    let mut daily = entity("E", "{at:%Y%m%d%H}", "{id:06}", &fields);
    daily.table = Some("Logs{at:%Y%m%d}".into());
    assert_eq!(check(&daily), []);
    assert_eq!(check(&entity("E", "settings", "current", &fields)), []);
}

#[test]
fn all_mistakes_come_together_sorted_by_place() {
    let mut design = entity("E", "{b}", "{a}x{n}", &[("a", TEXT), ("n", U32), ("z", TEXT)]);
    "Timestamp".clone_into(&mut design.fields[2].property);
    design.indexes.push(IndexDesign::new("by_z", "z_{zz}"));
    let codes: Vec<Code> = check(&design).iter().map(|mistake| mistake.code).collect();
    assert_eq!(codes, [Code::D008, Code::K15, Code::K11, Code::K10, Code::D031, Code::D008, Code::D022]);
    assert!(
        check(&design)[2]
            .with_code()
            .starts_with("`x` can be part of `a`, so it cannot end it [K11]\n  \"{a}x{n}\"")
    );
}

#[test]
fn a_field_is_stored_unless_a_key_gives_it_back() {
    let fields =
        [("user", TEXT), ("at", FieldKind::Time), ("day", FieldKind::Date), ("host", TEXT), ("n", I32)];
    let mut design = entity("Login", "{user:esc}", "{day:%Y%m%d}_{at:%Y%m%d%H}_{n:ord}", &fields);
    let stored =
        |design: &EntityDesign| design.stored_fields().map(|field| field.name.clone()).collect::<Vec<_>>();
    // The hour truncates a time; a date does not truncate a day.
    assert_eq!(stored(&design), ["at", "host"]);
    field(&mut design, "user").store = true;
    field(&mut design, "host").skip = true;
    assert_eq!(stored(&design), ["user", "at"]);
    // A field that only the table name contains is stored.
    design.row = Some("{at:ticks}".into());
    design.table = Some("Days{day:%Y%m%d}".into());
    assert_eq!(stored(&design), ["user", "day", "n"]);
}
