//! The "employees" sample set, read from its CSV files.

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
};

use table_patterns::prelude::*;

use crate::company::{Assignment, Company, Department, Employee, Gender, Leadership, Salary, Title};

/// Date that marks an open period in the files.
const OPEN: (i32, u8, u8) = (9999, 1, 1);

/// Error in reading the set, with the file, the line and the cause.
#[derive(Debug)]
pub struct LoadError {
    file: PathBuf,
    line: Option<u64>,
    what: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for LoadError {}

/// Number of rows of each file, for comparison with the stored entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows of `departments.csv`.
    pub departments: usize,
    /// Rows of `employees.csv`.
    pub employees: usize,
    /// Rows of `dept_emp.csv`.
    pub assignments: usize,
    /// Rows of `dept_manager.csv`.
    pub leaderships: usize,
    /// Rows of `titles.csv`.
    pub titles: usize,
    /// Rows of `salaries.csv`.
    pub salaries: usize,
}

/// Reads the set from `folder/employees_5k`. An employee is stored in the department of the latest assignment, with all
/// titles and salaries.
///
/// # Errors
/// Returns the first file or line that cannot be read.
pub fn load(folder: &Path) -> Result<Company, LoadError> {
    let folder = folder.join("employees_5k");
    let mut company = Company::default();
    read(&folder.join("dept_emp.csv"), |row| {
        let (employee, department) = (row.number(0)?, row.text(1)?);
        company.assignments.push(Assignment { department, employee, from: row.day(2)?, to: row.end(3)? });
        Ok(())
    })?;
    let home = homes(&company.assignments);
    let home_of = |employee: u32| {
        home.get(&employee).cloned().ok_or_else(|| format!("employee {employee} is in no department"))
    };
    read(&folder.join("employees.csv"), |row| {
        let id = row.number(0)?;
        let gender = match row.text(4)?.as_str() {
            "F" => Gender::F,
            "M" => Gender::M,
            other => return Err(format!("`{other}` is not a gender of this set: F or M")),
        };
        company.employees.push(Employee {
            department: home_of(id)?,
            id,
            first_name: row.text(2)?,
            last_name: row.text(3)?,
            gender,
            born: row.day(1)?,
            hired: row.day(5)?,
        });
        Ok(())
    })?;
    read(&folder.join("dept_manager.csv"), |row| {
        let (employee, department) = (row.number(0)?, row.text(1)?);
        company.leaderships.push(Leadership { department, employee, from: row.day(2)?, to: row.end(3)? });
        Ok(())
    })?;
    read(&folder.join("titles.csv"), |row| {
        let employee = row.number(0)?;
        let (department, title) = (home_of(employee)?, row.text(1)?);
        company.titles.push(Title { department, employee, from: row.day(2)?, title, to: row.end(3)? });
        Ok(())
    })?;
    read(&folder.join("salaries.csv"), |row| {
        let employee = row.number(0)?;
        let amount = i32::try_from(row.number(1)?).map_err(|_| "the salary is too large".to_owned())?;
        let (department, from) = (home_of(employee)?, row.day(2)?);
        company.salaries.push(Salary { department, from, employee, amount, to: row.end(3)? });
        Ok(())
    })?;
    let mut headcount: HashMap<&str, i32> = HashMap::new();
    for assignment in company.assignments.iter().filter(|assignment| assignment.to.is_none()) {
        *headcount.entry(&assignment.department).or_default() += 1;
    }
    let mut departments = Vec::new();
    read(&folder.join("departments.csv"), |row| {
        let code = row.text(0)?;
        let employee_count = headcount.get(code.as_str()).copied().unwrap_or(0);
        departments.push(Department { code, name: row.text(1)?, employee_count });
        Ok(())
    })?;
    company.departments = departments;
    Ok(company)
}

/// Counts the rows of each file by its lines, independently of [`load`].
///
/// # Errors
/// Returns the first file or line that cannot be read.
pub fn count(folder: &Path) -> Result<Counts, LoadError> {
    let folder = folder.join("employees_5k");
    let rows = |name: &str| {
        let file = folder.join(name);
        let text = std::fs::read_to_string(&file).map_err(|error| LoadError {
            file,
            line: None,
            what: error.to_string(),
        })?;
        Ok(text.lines().filter(|line| !line.is_empty()).count().saturating_sub(1))
    };
    Ok(Counts {
        departments: rows("departments.csv")?,
        employees: rows("employees.csv")?,
        assignments: rows("dept_emp.csv")?,
        leaderships: rows("dept_manager.csv")?,
        titles: rows("titles.csv")?,
        salaries: rows("salaries.csv")?,
    })
}

/// Returns the last department of each employee.
fn homes(assignments: &[Assignment]) -> HashMap<u32, String> {
    let mut latest: HashMap<u32, &Assignment> = HashMap::new();
    for assignment in assignments {
        let known = latest.entry(assignment.employee).or_insert(assignment);
        // An open assignment is later than a closed assignment, regardless of its first day.
        let later = |one: &Assignment| (one.to.is_none(), one.from);
        if later(assignment) > later(known) {
            *known = assignment;
        }
    }
    latest.into_iter().map(|(employee, assignment)| (employee, assignment.department.clone())).collect()
}

/// A line of a file.
struct Fields<'a>(&'a csv::StringRecord);

impl Fields<'_> {
    fn field(&self, at: usize) -> Result<&str, String> {
        self.0.get(at).ok_or_else(|| format!("column {} is missing", at + 1))
    }

    fn text(&self, at: usize) -> Result<String, String> {
        self.field(at).map(str::to_owned)
    }

    fn number(&self, at: usize) -> Result<u32, String> {
        let field = self.field(at)?;
        field.parse().map_err(|_| format!("`{field}` is not a whole number"))
    }

    fn day(&self, at: usize) -> Result<Date, String> {
        let field = self.field(at)?;
        field.parse().map_err(|_| format!("`{field}` is not a day; write it like 1986-06-26"))
    }

    fn end(&self, at: usize) -> Result<Option<Date>, String> {
        let day = self.day(at)?;
        Ok(((day.year(), day.month(), day.day()) != OPEN).then_some(day))
    }
}

/// Calls `each` with every line after the header.
fn read(file: &Path, mut each: impl FnMut(&Fields<'_>) -> Result<(), String>) -> Result<(), LoadError> {
    let at = |line, what: String| LoadError { file: file.to_owned(), line, what };
    let mut reader = csv::Reader::from_path(file).map_err(|error| at(None, error.to_string()))?;
    for record in reader.records() {
        let record =
            record.map_err(|error| at(error.position().map(csv::Position::line), error.to_string()))?;
        each(&Fields(&record)).map_err(|what| at(record.position().map(csv::Position::line), what))?;
    }
    Ok(())
}
