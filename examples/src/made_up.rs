//! A generated company, identical on every machine.

use table_patterns::prelude::*;

use crate::company::{Assignment, Company, Department, Employee, Gender, Leadership, Salary, Title};

const DEPARTMENTS: [(&str, &str); 9] = [
    ("d001", "Marketing"),
    ("d002", "Finance"),
    ("d003", "Human Resources"),
    ("d004", "Production"),
    ("d005", "Development"),
    ("d006", "Quality Management"),
    ("d007", "Sales"),
    ("d008", "Research"),
    ("d009", "Customer Service"),
];
const FIRST_NAMES: [&str; 16] = [
    "Ada", "Alan", "Barbara", "Claude", "Dennis", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Jean",
    "Karen", "Leslie", "Margaret", "Niklaus", "Radia",
];
const LAST_NAMES: [&str; 20] = [
    "Abel", "Berg", "Castro", "Diaz", "Eriksen", "Fischer", "Garcia", "Haas", "Ito", "Jones", "Kim", "Lopez",
    "Martin", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Smith", "Tanaka",
];
const TITLES: [&str; 4] = ["Staff", "Engineer", "Senior Engineer", "Technique Leader"];

/// Pseudorandom numbers that are identical in every run (`SplitMix64`, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Creates a generator from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number below `bound`, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed >> 1).unwrap_or(0).checked_rem(bound).unwrap_or(0)
    }

    fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }

    fn day(&mut self, first_year: i32, years: usize) -> Option<Date> {
        let year = first_year + i32::try_from(self.below(years)).unwrap_or(0);
        let (month, day) = (1 + self.below(12), 1 + self.below(28));
        Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
    }
}

/// Generates a company of `people` employees with titles and salaries of some years.
#[must_use]
pub fn company(people: u32) -> Company {
    let mut dice = Dice::new(2014);
    let mut company = Company::default();
    for id in 1..=people {
        let (department, _) = dice.pick(&DEPARTMENTS);
        add_employee(&mut company, &mut dice, department.to_owned(), 10_000 + id);
    }
    for (code, name) in DEPARTMENTS {
        let members = company.employees.iter().filter(|employee| employee.department == code);
        let first = members.clone().min_by_key(|employee| employee.hired);
        company.leaderships.extend(first.map(|employee| Leadership {
            department: code.to_owned(),
            employee: employee.id,
            from: employee.hired,
            to: None,
        }));
        company.departments.push(Department {
            code: code.to_owned(),
            name: name.to_owned(),
            employee_count: i32::try_from(members.count()).unwrap_or(i32::MAX),
        });
    }
    company
}

fn add_employee(company: &mut Company, dice: &mut Dice, department: String, id: u32) {
    let (Some(born), Some(hired)) = (dice.day(1952, 14), dice.day(1985, 16)) else { return };
    company.assignments.push(Assignment {
        department: department.clone(),
        employee: id,
        from: hired,
        to: None,
    });
    let (mut from, mut amount) = (hired, 38_000 + i32::try_from(dice.below(30_000)).unwrap_or(0));
    for step in 0..=dice.below(8) {
        let Some(to) = next_year(from) else { break };
        if step % 3 == 0 {
            company.titles.push(Title {
                department: department.clone(),
                employee: id,
                from,
                title: TITLES.get(step / 3).copied().unwrap_or("Staff").to_owned(),
                to: None,
            });
        }
        company.salaries.push(Salary {
            department: department.clone(),
            from,
            employee: id,
            amount,
            to: Some(to),
        });
        from = to;
        amount += i32::try_from(dice.below(4_000)).unwrap_or(0);
    }
    if let Some(last) = company.salaries.last_mut() {
        last.to = None;
    }
    company.employees.push(Employee {
        department,
        id,
        first_name: dice.pick(&FIRST_NAMES).to_owned(),
        last_name: dice.pick(&LAST_NAMES).to_owned(),
        gender: if dice.below(2) == 0 { Gender::F } else { Gender::M },
        born,
        hired,
    });
}

/// Returns the same day one year later. The day of the month is at most 28, so the date exists.
fn next_year(day: Date) -> Option<Date> {
    Date::new(day.year() + 1, day.month(), day.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_same_every_time() {
        let company = company(200);
        assert_eq!(company, super::company(200));
        assert_eq!((company.employees.len(), company.departments.len()), (200, 9));
        assert!(company.salaries.len() > 400);
        let counted: i32 = company.departments.iter().map(|department| department.employee_count).sum();
        assert_eq!(counted, 200);
    }
}
