//! The "employees" sample set: 65,338 rows from outside the project, stored completely and found again.
//!
//! The set is read from `TABLE_PATTERNS_DATA`, otherwise from `../shared/data` next to the repository. If neither
//! exists, the tests are skipped with a message.

use std::{collections::BTreeMap, path::PathBuf};

use table_examples::{
    Outcome,
    company::{Assignment, Company, Department, Employee, Leadership, Salary, Title},
    csv_set,
};
use table_patterns::{AllowTableScan, prelude::*};

fn folder() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data");
    let folder = std::env::var_os("TABLE_PATTERNS_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    if folder.join("employees_5k").is_dir() {
        return Some(folder);
    }
    println!("passed over: no employees_5k in {}; set TABLE_PATTERNS_DATA", folder.display());
    None
}

async fn store<E: TableEntity>(tables: &Tables, entities: &[E]) -> Outcome {
    tables.bulk().insert_all(entities).run().await?.into_result()?;
    Ok(())
}

async fn load(folder: &std::path::Path) -> Outcome<(Tables, Company)> {
    let company = csv_set::load(folder)?;
    let tables = Tables::in_memory()?;
    store(&tables, &company.departments).await?;
    store(&tables, &company.employees).await?;
    store(&tables, &company.assignments).await?;
    store(&tables, &company.leaderships).await?;
    store(&tables, &company.titles).await?;
    store(&tables, &company.salaries).await?;
    Ok((tables, company))
}

async fn stored<E: TableEntity + AllowTableScan>(tables: &Tables) -> Outcome<usize> {
    Ok(E::scan_table().all(tables).await?.len())
}

#[test]
fn every_row_of_every_file_is_stored() -> Outcome {
    let Some(folder) = folder() else { return Ok(()) };
    pollster::block_on(async {
        let (tables, _) = load(&folder).await?;
        let counts = csv_set::count(&folder)?;
        assert_eq!(stored::<Department>(&tables).await?, counts.departments);
        assert_eq!(stored::<Employee>(&tables).await?, counts.employees);
        assert_eq!(stored::<Assignment>(&tables).await?, counts.assignments);
        assert_eq!(stored::<Leadership>(&tables).await?, counts.leaderships);
        assert_eq!(stored::<Title>(&tables).await?, counts.titles);
        assert_eq!(stored::<Salary>(&tables).await?, counts.salaries);
        assert_eq!((counts.employees, counts.salaries, counts.titles), (5_000, 47_395, 7_390));
        Ok(())
    })
}

#[test]
fn every_entity_comes_back_as_it_was_by_its_own_key() -> Outcome {
    let Some(folder) = folder() else { return Ok(()) };
    pollster::block_on(async {
        let (tables, company) = load(&folder).await?;
        for employee in &company.employees {
            let found = Employee::point(&employee.department, employee.id).get(&tables).await?;
            assert_eq!(found.as_deref(), Some(employee));
        }
        // Salaries by range: each department's whole log, newest first.
        let mut logs: BTreeMap<&str, Vec<&Salary>> = BTreeMap::new();
        for salary in &company.salaries {
            logs.entry(&salary.department).or_default().push(salary);
        }
        for (department, mut expected) in logs {
            expected.sort_by_key(|salary| (std::cmp::Reverse(salary.from), salary.employee));
            let found = Salary::rows(department).all(&tables).await?;
            assert!(found.iter().map(|stored| &**stored).eq(expected), "{department}");
        }
        Ok(())
    })
}

#[test]
fn a_filter_finds_what_a_walk_over_the_files_finds() -> Outcome {
    let Some(folder) = folder() else { return Ok(()) };
    pollster::block_on(async {
        let (tables, company) = load(&folder).await?;
        for department in &company.departments {
            let query = Salary::scan_partition(&department.code).filter(|e| e.amount.ge(90_000));
            let report = query.report(&tables).await?;
            let rows = company.salaries.iter().filter(|salary| salary.department == department.code);
            let (all, well_paid) =
                (rows.clone().count(), rows.filter(|salary| salary.amount >= 90_000).count());
            assert_eq!(report.items.len(), well_paid, "{}", department.code);
            assert_eq!(report.stats.read, all as u64, "{}", department.code);
        }
        Ok(())
    })
}
