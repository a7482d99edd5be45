// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Departments", partition = "{department}", row = "department")]
struct Department {
    department: String,
    #[table(from_source)]
    seniors: i64,
    #[table(from_source)]
    days: i64,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(Department::seniors, when = is_senior))]
#[table(summed_in(Department::days, of = holidays, when = is_senior))]
struct Employee {
    department: String,
    id: u32,
    is_senior: bool,
    holidays: i64,
    name: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}")]
#[table(index(open, row = "o_{id:06}", when = Ticket::is_open))]
struct Ticket {
    tenant: String,
    id: u32,
    closed: Option<Timestamp>,
}

impl Ticket {
    fn is_open(&self) -> bool {
        self.closed.is_none()
    }
}

fn changes(stored: &Stored<Employee>, ticket: &Stored<Ticket>) {
    let _ = stored.patch().name("Jo".into());
    let _ = stored.patch().is_senior(true);
    let _ = stored.patch().holidays(30);
    let _ = ticket.patch().closed(Timestamp::now());
}

fn main() {}
