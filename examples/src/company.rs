//! The running example of the design guide: departments, employees, titles and salaries.
//!
//! | entity | table | PartitionKey | RowKey | pattern |
//! |---|---|---|---|---|
//! | [`Department`] | `Company` | `{code}` | `department` | one-to-many in one partition (R1) |
//! | [`Employee`] | `Company` | `{department}` | `empid_{id:06}` | the same partition as its department |
//! | [`Assignment`] | `Company` | `{department}` | `worked_{employee:06}` | periods of employees in departments |
//! | [`Leadership`] | `Company` | `{department}` | `led_{from:%Y%m%d}_{employee:06}` | managers in chronological order |
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
    /// Display name.
    pub name: String,
    /// Number of current employees.
    pub employee_count: i32,
}

/// An employee, in the partition of the most recent department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "empid_{id:06}")]
pub struct Employee {
    /// Code of the department.
    #[table(max = 8)]
    pub department: String,
    /// Number, unique in the company.
    pub id: u32,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Gender as registered.
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

/// A period in which an employee belonged to a department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "worked_{employee:06}")]
pub struct Assignment {
    /// Code of the department.
    #[table(max = 8)]
    pub department: String,
    /// Number of the employee.
    pub employee: u32,
    /// First day.
    pub from: Date,
    /// Last day. `None` for the current period.
    pub to: Option<Date>,
}

/// A period in which an employee led a department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Company", partition = "{department}", row = "led_{from:%Y%m%d}_{employee:06}")]
pub struct Leadership {
    /// Code of the department.
    #[table(max = 8)]
    pub department: String,
    /// Number of the employee.
    pub employee: u32,
    /// First day.
    pub from: Date,
    /// Last day. `None` for the current period.
    pub to: Option<Date>,
}

/// A title of an employee. The compound key (P6) allows reading all titles of one employee by a range, and one title by
/// a point.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Titles", partition = "{department}", row = "{employee:06}_{from:%Y%m%d}")]
pub struct Title {
    /// Code of the department.
    #[table(max = 8)]
    pub department: String,
    /// Number of the employee.
    pub employee: u32,
    /// First day.
    pub from: Date,
    /// Title.
    pub title: String,
    /// Last day. `None` for the current period.
    pub to: Option<Date>,
}

/// A salary, newest first (log tail, P7): the first rows of the partition are the latest changes.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Salaries", partition = "{department}", row = "{from:inverted_ticks}_{employee:06}")]
pub struct Salary {
    /// Code of the department.
    #[table(max = 8)]
    pub department: String,
    /// First day.
    pub from: Date,
    /// Number of the employee.
    pub employee: u32,
    /// Annual salary.
    pub amount: i32,
    /// Last day. `None` for the current period.
    pub to: Option<Date>,
}

/// All entities of a company, ready to be stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Company {
    /// Departments.
    pub departments: Vec<Department>,
    /// Employees.
    pub employees: Vec<Employee>,
    /// Periods of employees in departments.
    pub assignments: Vec<Assignment>,
    /// Periods of leadership.
    pub leaderships: Vec<Leadership>,
    /// Titles.
    pub titles: Vec<Title>,
    /// Salaries.
    pub salaries: Vec<Salary>,
}

impl Company {
    /// Returns the number of entities.
    pub fn len(&self) -> usize {
        self.departments.len()
            + self.employees.len()
            + self.assignments.len()
            + self.leaderships.len()
            + self.titles.len()
            + self.salaries.len()
    }

    /// Returns `true` if the company has no entities.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Assignment, Department, Employee, Leadership, Salary, Title};

    #[test]
    fn stored_form_is_locked() {
        table_patterns::lock!(Assignment, Department, Employee, Leadership, Salary, Title);
    }
}
