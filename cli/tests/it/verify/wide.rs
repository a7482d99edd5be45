//! Entities with several rows.

use table_patterns::{Tables, prelude::*};

use super::{path, process};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 100, entity_type = none)]
struct Yearly {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

const DESIGN: &str = r#"
tables = 1
[entity.Yearly]
table = "Yearly"
partition = "{employee}"
row = "{year:04}_{part:02}"
wide = 100
[entity.Yearly.fields]
employee = "string"
year = "u16"
days = { type = "i32?", series = 365 }
"#;

#[test]
fn a_lost_part_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (design, store) = (folder.path().join("yearly.toml"), folder.path().join("yearly.tables"));
    std::fs::write(&design, DESIGN).unwrap();
    let verify = || {
        let words = ["verify", "--design", path(&design), "--store", path(&store)];
        let output = std::process::Command::new(process::BINARY).args(words).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    {
        let tables = Tables::open(&store).unwrap();
        for employee in ["jo", "ann"] {
            let year = Yearly { employee: employee.into(), year: 2014, days: [Some(1); 365] };
            tables.blocking().insert(&year).unwrap();
        }
    }
    assert_eq!(verify(), (0, "Yearly: 2 entities: no differences\n".to_owned()));
    {
        let tables = Tables::open(&store).unwrap();
        tables.blocking().delete_at(DynamicEntity::point("Yearly", "jo", "2014_02")).unwrap();
    }
    let found = "Yearly: 2 entities: 1 missing; 0 repaired\n  missing     - \
                 Yearly(PartitionKey='jo',RowKey='2014_02') of Yearly(PartitionKey='jo',RowKey='2014_00')\n";
    assert_eq!(verify(), (1, found.to_owned()));
}
