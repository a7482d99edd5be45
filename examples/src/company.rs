//! The design guide's running example: departments, employees, titles and salaries.
//!
//! | entity | table | PartitionKey | RowKey | pattern |
//! |---|---|---|---|---|
//! | [`Department`] | `Company` | `{code}` | `department` | one-to-many in one partition (R1) |
//! | [`Employee`] | `Company` | `{department}` | `empid_{id:06}` | the same partition as its department |
//! | [`Assignment`] | `Company` | `{department}` | `worked_{employee:06}` | who worked where, and when |
//! | [`Leadership`] | `Company` | `{department}` | `led_{from:%Y%m%d}_{employee:06}` | who led, in order of time |
//! | [`Title`] | `Titles` | `{department}` | `{employee:06}_{from:%Y%m%d}` | compound key (P6) |
//! | [`Salary`] | `Salaries` | `{department}` | `{from:inverted_ticks}_{employee:06}` | log tail (P7) |

use table_patterns::prelude::*;

/// A department. It shares its partition with its employees, so one transaction can change both.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{code}", row = "department")]
pub struct Department {
    /// `d001` to `d009`.
    #[table(max = 8)]
    pub code: String,
    /// What people call it.
    pub name: String,
    /// How many work there now.
    pub employee_count: i32,
}

/// An employee, in the department that he or she was in last.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "empid_{id:06}")]
pub struct Employee {
    /// The department's code.
    #[table(max = 8)]
    pub department: String,
    /// The number, unique in the company.
    pub id: u32,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// As the register has it.
    pub gender: Gender,
    /// Day of birth.
    pub born: Date,
    /// First day of work.
    pub hired: Date,
}

/// `M` or `F` in the data.
#[derive(TableValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gender {
    /// Female.
    F,
    /// Male.
    M,
}

/// A time in which an employee belonged to a department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "worked_{employee:06}")]
pub struct Assignment {
    /// The department's code.
    #[table(max = 8)]
    pub department: String,
    /// The employee's number.
    pub employee: u32,
    /// From this day.
    pub from: Date,
    /// To this day; none while it lasts.
    pub to: Option<Date>,
}

/// A time in which an employee led a department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "led_{from:%Y%m%d}_{employee:06}")]
pub struct Leadership {
    /// The department's code.
    #[table(max = 8)]
    pub department: String,
    /// The employee's number.
    pub employee: u32,
    /// From this day.
    pub from: Date,
    /// To this day; none while it lasts.
    pub to: Option<Date>,
}

/// A title that an employee had. The compound key (P6) gives all titles of one employee by a range, and one by a point.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Titles", partition = "{department}", row = "{employee:06}_{from:%Y%m%d}")]
pub struct Title {
    /// The department's code.
    #[table(max = 8)]
    pub department: String,
    /// The employee's number.
    pub employee: u32,
    /// From this day.
    pub from: Date,
    /// The title.
    pub title: String,
    /// To this day; none while it lasts.
    pub to: Option<Date>,
}

/// A salary, newest first (log tail, P7): the first rows of the partition are the latest changes.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Salaries", partition = "{department}", row = "{from:inverted_ticks}_{employee:06}")]
pub struct Salary {
    /// The department's code.
    #[table(max = 8)]
    pub department: String,
    /// From when.
    pub from: Date,
    /// The employee's number.
    pub employee: u32,
    /// A year's pay.
    pub amount: i32,
    /// To this day; none while it lasts.
    pub to: Option<Date>,
}

/// Everything of a company, ready to be stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Company {
    /// Its departments.
    pub departments: Vec<Department>,
    /// Its people.
    pub employees: Vec<Employee>,
    /// Who worked where.
    pub assignments: Vec<Assignment>,
    /// Who led what.
    pub leaderships: Vec<Leadership>,
    /// All titles.
    pub titles: Vec<Title>,
    /// All salaries.
    pub salaries: Vec<Salary>,
}

impl Company {
    /// How many entities it is.
    pub fn len(&self) -> usize {
        self.departments.len()
            + self.employees.len()
            + self.assignments.len()
            + self.leaderships.len()
            + self.titles.len()
            + self.salaries.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
