use std::time::Instant;

use table_examples::{
    Outcome,
    company::{Company, Employee, Gender, Salary, Title},
    screen::{Screen, grouped, took},
};
use table_patterns::{Query, prelude::*};

/// Shows one query of each class, with the number of entities read and returned.
pub(crate) async fn show(screen: &mut Screen, tables: &Tables, company: &Company) -> Outcome {
    let someone = company.employees.first().ok_or("a company has employees")?;
    let (department, id) = (someone.department.as_str(), someone.id);
    let mut lines = Vec::new();
    line(&mut lines, tables, "Employee::point(d, id)", &Employee::point(department, id)).await?;
    line(&mut lines, tables, "Title::rows(d).at(id)", &Title::rows(department).at(id)).await?;
    let hundred = Employee::rows(department).between(id..id + 100);
    line(&mut lines, tables, "Employee::rows(d).between(id..id + 100)", &hundred).await?;
    let women = Employee::scan_partition(department).filter(|e| e.gender.eq(Gender::F) & e.last_name.ge("S"));
    line(&mut lines, tables, "Employee::scan_partition(d).filter(..)", &women).await?;
    let named = Employee::scan_table().filter(|e| e.last_name.eq(&someone.last_name));
    line(&mut lines, tables, "Employee::scan_table().filter(..)", &named).await?;
    screen.table(&["query", "class", " ranges", " read", " returned", " requests", " time"], lines);

    screen.say("explained without a store:");
    screen.code(hundred.explain()?);
    Ok(())
}

/// Runs a query several times and reports the median duration, with the required pages in memory.
async fn line<Q: Query>(lines: &mut Vec<Vec<String>>, tables: &Tables, code: &str, query: &Q) -> Outcome {
    let mut report = query.report(tables).await?;
    let mut times = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        report = query.report(tables).await?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let time = times.get(times.len() / 2).copied().unwrap_or_default();
    lines.push(vec![
        code.into(),
        report.stats.class.to_string(),
        grouped(report.stats.ranges),
        grouped(report.stats.read),
        grouped(report.stats.returned),
        grouped(report.stats.requests),
        took(time),
    ]);
    Ok(())
}

/// Shows the log tail: ten entities are read without a time bound and without sorting.
pub(crate) async fn newest(screen: &mut Screen, tables: &Tables, company: &Company) -> Outcome {
    let department = "d005";
    screen.code("Salary::rows(\"d005\").take(10)");
    let report = Salary::rows(department).take(10).report(tables).await?;
    let mut expected: Vec<&Salary> =
        company.salaries.iter().filter(|salary| salary.department == department).collect();
    expected.sort_by_key(|salary| (std::cmp::Reverse(salary.from), salary.employee));
    if !report.items.iter().map(|stored| &**stored).eq(expected.into_iter().take(10)) {
        return Err("the log tail must give the ten newest".into());
    }
    screen.table(
        &["from", " employee", " amount"],
        report
            .items
            .iter()
            .map(|salary| vec![salary.from.to_string(), salary.employee.to_string(), grouped(salary.amount)]),
    );
    screen.say(format_args!(
        "{} entities read of {} in the table",
        report.stats.read,
        grouped(company.salaries.len())
    ));
    Ok(())
}
