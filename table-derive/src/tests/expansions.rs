//! Snapshots of the generated code in readable form: `snapshots/*.snap.rs`. Update them with `INSTA_UPDATE=always`. For
//! most entities, `differences` stores only what an attribute changes.

use proc_macro2::TokenStream;
use quote::quote;

/// Formats the expansion like rustfmt.
pub(crate) fn pretty(expansion: TokenStream) -> String {
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
                #[table(rename = "Mail", was = "Address")]
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
fn an_entity_with_a_borrowed_form() {
    assert_expansion!(
        "borrowed.rs",
        crate::entity_impl(quote! {
            #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", borrowed)]
            pub struct Employee {
                pub department: String,
                #[table(store)]
                pub id: u32,
                pub name: String,
                pub email: Option<String>,
                #[table(default)]
                pub photo: Vec<u8>,
                pub age: i32,
                #[table(skip)]
                pub seen: bool,
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
                Other(Stored<DynamicEntity>),
            }
        })
    );
}

#[test]
fn a_nested_struct() {
    assert_expansion!(
        "nested.rs",
        crate::fields_impl(quote! {
            #[table(rename_all = "PascalCase")]
            pub struct Address {
                pub street: String,
                #[table(default = unknown)]
                pub country: String,
                pub zip_code: Option<String>,
                #[table(json)]
                pub notes: Vec<String>,
                #[table(skip)]
                pub is_checked: bool,
            }
        })
    );
}

#[test]
fn a_nested_enum() {
    assert_expansion!(
        "nested_enum.rs",
        crate::fields_impl(quote! {
            #[table(tag = "Type", rename_all = "snake_case", rename_all_fields = "PascalCase")]
            pub enum Payment {
                Card {
                    last4: String,
                    amount: i64,
                    #[table(skip)]
                    is_checked: bool,
                },
                Transfer { iban: String, days: Option<i32>, amount: i64 },
                Cash,
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
