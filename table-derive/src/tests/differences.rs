//! Snapshots of what an attribute changes in the generated code: `snapshots/*.snap.diff`, the difference to the same
//! entity without the attribute. Update them with `INSTA_UPDATE=always`.

use proc_macro2::TokenStream;
use quote::quote;
use similar::TextDiff;

use super::expansions::pretty;

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
fn an_entity_with_a_nested_struct() {
    assert_difference!(
        "flattened.diff",
        crate::entity_impl(quote! {
            #[table(name = "Customers", partition = "{region}", row = "{id:06}")]
            pub struct Customer {
                pub region: String,
                pub id: u32,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Customers", partition = "{region}", row = "{id:06}")]
            pub struct Customer {
                pub region: String,
                pub id: u32,
                #[table(flatten)]
                pub address: Address,
            }
        })
    );
}

#[test]
fn an_entity_that_expires() {
    assert_difference!(
        "expiry.diff",
        crate::entity_impl(quote! {
            #[table(name = "Sessions", partition = "{user}", row = "{id:06}")]
            pub struct Session {
                pub user: String,
                pub id: u32,
                #[table(rename = "Ends")]
                pub ends: Option<Expiry>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Sessions", partition = "{user}", row = "{id:06}", expires = ends)]
            pub struct Session {
                pub user: String,
                pub id: u32,
                #[table(rename = "Ends")]
                pub ends: Option<Expiry>,
            }
        })
    );
}

#[test]
fn an_entity_that_can_be_soft_deleted() {
    assert_difference!(
        "soft_delete.diff",
        crate::entity_impl(quote! {
            #[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", index(by_mail, row = "m_{mail}", unique))]
            pub struct User {
                pub tenant: String,
                pub id: u32,
                pub mail: String,
                pub deleted: Option<Timestamp>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", index(by_mail, row = "m_{mail}", unique))]
            #[table(soft_delete = deleted)]
            pub struct User {
                pub tenant: String,
                pub id: u32,
                pub mail: String,
                pub deleted: Option<Timestamp>,
            }
        })
    );
}

#[test]
fn an_entity_with_time_stamps() {
    assert_difference!(
        "stamps.diff",
        crate::entity_impl(quote! {
            #[table(name = "Notes", partition = "{owner}", row = "{id:06}")]
            pub struct Note {
                pub owner: String,
                pub id: u32,
                pub created: Timestamp,
                pub updated: Option<SystemTime>,
            }
        }),
        crate::entity_impl(quote! {
            #[table(name = "Notes", partition = "{owner}", row = "{id:06}")]
            pub struct Note {
                pub owner: String,
                pub id: u32,
                #[table(created)]
                pub created: Timestamp,
                #[table(updated)]
                pub updated: Option<SystemTime>,
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
