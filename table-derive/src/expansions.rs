//! Snapshots of the generated code in readable form. Six entities are stored completely (`snapshots/*.snap.rs`); of the
//! others, only the difference to the same entity without the attribute (`snapshots/*.snap.diff`). Update them with
//! `INSTA_UPDATE=always`.

use proc_macro2::TokenStream;
use quote::quote;
use similar::TextDiff;

/// Formats the expansion like rustfmt.
fn pretty(expansion: TokenStream) -> String {
    let file = syn::parse2(expansion).expect("an expansion is a list of items");
    prettyplease::unparse(&file)
}

/// Compares with `snapshots/NAME.snap.rs`.
macro_rules! assert_expansion {
    ($name:literal, $expansion:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_binary_snapshot!($name, pretty($expansion).into_bytes());
        });
    };
}

/// Compares the lines that an attribute adds and removes with `snapshots/NAME.snap.diff`.
macro_rules! assert_difference {
    ($name:literal, $plain:expr, $expansion:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_binary_snapshot!($name, difference($plain, $expansion).into_bytes());
        });
    };
}

/// Returns the difference of two expansions without line numbers, which change with the parts that are equal.
fn difference(plain: TokenStream, expansion: TokenStream) -> String {
    let (plain, expansion) = (pretty(plain), pretty(expansion));
    let diff = TextDiff::from_lines(&plain, &expansion);
    let mut diff = diff.unified_diff();
    let hunks = diff.context_radius(1).iter_hunks();
    let lines = hunks.map(|hunk| {
        let lines: Vec<String> =
            hunk.iter_changes().map(|change| format!("{}{change}", change.tag())).collect();
        format!("@@\n{}", lines.concat())
    });
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn an_entity_with_a_compound_key() {
    assert_expansion!(
        "review.rs",
        crate::entity_impl(quote! {
            #[table(name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
            pub struct Review {
                pub department: String,
                pub id: u32,
                pub year: u16,
                pub manager_rating: i32,
                pub comment: Option<String>,
            }
        })
    );
}

#[test]
fn an_entity_with_indexes_in_its_partition() {
    assert_expansion!(
        "indexed.rs",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(index(by_email, row = "email_{email}", unique))]
            #[table(index(by_badge, row = "badge_{badge:08}", unique, sparse, copy(age)))]
            #[table(index(leavers, row = "left_{id:06}", when = gone))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub email: String,
                pub badge: Option<u32>,
                pub age: i32,
                pub gone: bool,
            }
        })
    );
}

#[test]
fn an_entity_with_a_value_that_is_unique_in_the_whole_table() {
    assert_difference!(
        "unique.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub badge: u32,
                pub age: i32,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(index(by_badge, partition = "badge_{badge:08}", row = "holder", unique, copy(age)))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub badge: u32,
                pub age: i32,
            }
        })
    );
}

#[test]
fn an_entity_with_lookups() {
    assert_difference!(
        "lookup.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub last_name: String,
                pub city: Option<String>,
                pub floor: u8,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(lookup(by_last_name, on = last_name, place = partition))]
            #[table(lookup(by_home, on = (city, floor), ids = "EmployeeIDs", row = "home_{city}_{floor:02}"))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub last_name: String,
                pub city: Option<String>,
                pub floor: u8,
            }
        })
    );
}

#[test]
fn an_entity_with_lookups_elsewhere() {
    assert_expansion!(
        "lookup_elsewhere.rs",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(lookup(by_last_name, on = last_name, place = table))]
            #[table(lookup(by_home, on = (city, floor), place = table, table = "Homes", ids = "EmployeeDetails"))]
            #[table(lookup(by_skill, on = skill, place = blob))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub last_name: String,
                pub city: Option<String>,
                pub floor: u8,
                pub skill: String,
            }
        })
    );
}

#[test]
fn an_entity_with_every_word() {
    assert_expansion!(
        "employee.rs",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", crate = storage)]
            #[table(rename_all = "PascalCase", deny(table_scan), version = 2, from(EmployeeV1), aliases("Staff"))]
            #[table(names(key = EmpKey, patch = EmpPatch, fields = EmpFields))]
            #[table(methods(point = at, rows = list, patch = change, scan_partition = scan))]
            struct Employee {
                department: String,
                #[table(store)]
                id: u32,
                #[table(rename = "Mail")]
                email: String,
                #[table(default)]
                age: i32,
                #[table(json)]
                tags: Vec<String>,
                #[table(skip)]
                seen: bool,
            }
        })
    );
}

#[test]
fn an_entity_with_values_in_blobs() {
    assert_difference!(
        "large.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub photo: Blob,
                pub cv: Option<Blob>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                #[table(blob)]
                pub photo: Blob,
                #[table(blob, inline = 1000, rename = "CV")]
                pub cv: Option<Blob>,
            }
        })
    );
}

#[test]
fn an_entity_with_encrypted_properties() {
    assert_difference!(
        "encrypted.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub age: i32,
                pub national_id: String,
                #[table(json, default)]
                pub notes: Vec<String>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub age: i32,
                #[table(encrypt)]
                pub national_id: String,
                #[table(encrypt, json, default)]
                pub notes: Vec<String>,
            }
        })
    );
}

#[test]
fn an_entity_that_others_keep_values_in() {
    assert_difference!(
        "sink.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "department")]
            pub struct Department {
                pub department: String,
                pub budget: i64,
                pub employees: i64,
                #[table(rename = "Oldest")]
                pub oldest: Option<i32>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "department")]
            pub struct Department {
                pub department: String,
                pub budget: i64,
                #[table(from_source)]
                pub employees: i64,
                #[table(from_source, rename = "Oldest")]
                pub oldest: Option<i32>,
            }
        })
    );
}

#[test]
fn an_entity_that_is_counted_in_another() {
    assert_expansion!(
        "source.rs",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(counted_in(Department::employees, when = is_active), max_in(Department::oldest, of = age))]
            #[table(summed_in(model::Floor::desks, of = desks, when = is_here))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub floor: Option<i32>,
                pub age: i32,
                pub desks: i64,
                pub is_here: bool,
            }
        })
    );
}

#[test]
fn an_entity_that_holds_a_copy_of_another() {
    assert_difference!(
        "copy.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "department")]
            pub struct Department {
                pub department: String,
                pub budget: i64,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "department")]
            pub struct Department {
                pub department: String,
                pub budget: i64,
                #[table(from_source)]
                pub manager: Option<Manager>,
            }
        })
    );
}

#[test]
fn an_entity_that_is_copied_into_another() {
    assert_difference!(
        "copied.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub is_manager: bool,
                pub email: String,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
            #[table(copied_to(Department::manager, when = is_manager))]
            pub struct Employee {
                pub department: String,
                pub id: u32,
                pub is_manager: bool,
                pub email: String,
            }
        })
    );
}

#[test]
fn an_entity_that_is_keyed_by_time() {
    assert_expansion!(
        "event.rs",
        crate::entity_impl(quote! {
            #[table(name = "Events", partition = "{device}_{at:%Y%m}", row = "{at:inverted_ticks}_{id}", entity_type = none)]
            pub struct Event {
                device: DeviceId,
                at: Timestamp,
                id: Uuid,
                level: f64,
            }
        })
    );
}

#[test]
fn an_entity_with_series() {
    assert_difference!(
        "messages.diff",
        crate::entity_impl(quote! {
            #[table(name = "Messages", partition = "{employee}", row = "{day:%Y%m%d}")]
            pub struct Messages {
                pub employee: String,
                pub day: Date,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Messages", partition = "{employee}", row = "{day:%Y%m%d}")]
            pub struct Messages {
                pub employee: String,
                pub day: Date,
                #[table(series)]
                pub hours: [Option<i32>; 24],
                #[table(series, default)]
                pub minutes: [i32; MINUTES],
            }
        })
    );
}

#[test]
fn an_entity_in_periods_and_shards() {
    assert_difference!(
        "spread.diff",
        crate::entity_impl(quote! {
            #[table(name = "Logins", partition = "{site}", row = "{at:inverted_ticks}_{user}")]
            pub struct Login {
                site: String,
                at: Timestamp,
                user: String,
                ok: bool,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Logins{at:%Y%m%d}", partition = "{site}_{shard:02}", row = "{at:inverted_ticks}_{user}")]
            #[table(shard(of = user, count = 16))]
            pub struct Login {
                site: String,
                at: Timestamp,
                user: String,
                ok: bool,
            }
        })
    );
}

#[test]
fn an_entity_in_several_rows() {
    assert_difference!(
        "yearly.diff",
        crate::entity_impl(quote! {
            #[table(name = "Yearly", partition = "{employee}", row = "{year:04}")]
            pub struct Yearly {
                pub employee: String,
                pub year: u16,
                #[table(series)]
                pub days: [Option<i32>; 365],
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 200)]
            pub struct Yearly {
                pub employee: String,
                pub year: u16,
                #[table(series)]
                pub days: [Option<i32>; 365],
            }
        })
    );
}

#[test]
fn ten_fields_take_at_most_600_lines() {
    let expansion = pretty(crate::entity_impl(quote! {
        #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
        pub struct Employee {
            department: String,
            id: u32,
            first_name: String,
            last_name: String,
            email: String,
            age: i32,
            salary: i64,
            active: bool,
            score: f64,
            comment: Option<String>,
        }
    }));
    let lines = expansion.lines().count();
    assert!(lines <= 600, "{lines} lines");
    assert!(lines > 200, "{lines} lines: is it still the whole expansion?");
}

#[test]
fn mistakes_leave_a_stub_behind() {
    assert_difference!(
        "stub.diff",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id}")]
            struct Employee {
                department: String,
                id: u32,
                age: u32,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{departmnt}", row = "empid_{id}")]
            struct Employee {
                department: String,
                id: u32,
                age: usize,
            }
        })
    );
}

#[test]
fn a_warning_is_the_use_of_something_deprecated() {
    let expansion = pretty(crate::entity_impl(quote! {
        #[table(name = "Events", partition = "all", row = "{id:06}")]
        struct Event {
            id: u32,
        }
    }));
    let warning = expansion.rsplit("const _: () = {").next().unwrap_or_default();
    insta::assert_snapshot!(warning);
}

#[test]
fn a_union_of_two_entities() {
    assert_expansion!(
        "union.rs",
        crate::union_impl(quote! {
            #[table(partition = "{department}", unknown = keep)]
            pub enum Person {
                Employee(Stored<Employee>),
                Department(Stored<Department>),
                #[table(other)]
                Other(Stored<Entity>),
            }
        })
    );
}

#[test]
fn a_projection_of_an_entity() {
    assert_expansion!(
        "projection.rs",
        crate::projection_impl(quote! {
            #[table(of = Review)]
            struct Rating {
                year: u16,
                manager_rating: i32,
            }
        })
    );
}

#[test]
fn a_task() {
    assert_expansion!(
        "task.rs",
        crate::task_impl(quote! {
            #[task(queue = "archive", poison_after = 3)]
            struct FileAway {
                department: String,
                id: u32,
            }
        })
    );
}

#[test]
fn an_enum_is_stored_by_name() {
    let input = quote! {
        #[table(rename_all = "snake_case")]
        enum Status { Open, OnHold, #[table(rename = "done")] Closed }
    };
    assert_expansion!("value_by_name.rs", crate::value_impl(input.clone()));
    assert_expansion!("key_part_by_name.rs", crate::key_part_impl(input));
}

#[test]
fn an_enum_is_stored_by_discriminant() {
    let input = quote! {
        #[table(repr = int)]
        enum Priority { Low = 10, High = 20 }
    };
    assert_expansion!("value_by_discriminant.rs", crate::value_impl(input.clone()));
    assert_expansion!("key_part_by_discriminant.rs", crate::key_part_impl(input));
}

#[test]
fn a_newtype_is_stored_as_its_field() {
    let input = quote!(
        struct EmployeeId(u32);
    );
    assert_expansion!("value_newtype.rs", crate::value_impl(input.clone()));
    assert_expansion!("key_part_newtype.rs", crate::key_part_impl(input));
}
