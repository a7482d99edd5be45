// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Teams", partition = "{department}", row = "team")]
struct Team {
    department: String,
    #[table(from_source)]
    members: i64,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Teams", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(counted_in(Team::members))]
struct Employee {
    department: String,
    id: u32,
    email: String,
}

fn main() {
    let _ = Employee::patch("Sales", 223).department("Marketing".into());
    let _ = Employee::patch("Sales", 223).email("j@contoso.com".into());
    let _ = Team::patch("Sales").members(7);
}
