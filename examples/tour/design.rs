use table_examples::{company::Employee, screen::Screen};
use table_patterns::prelude::*;

/// Shows the design of `Employee`, and the code generated for it.
pub(crate) fn show(screen: &mut Screen) {
    screen.code(
        "#[derive(TableEntity)]\n\
         #[table(name = \"Company\", partition = \"{department}\", row = \"empid_{id:06}\")]\n\
         pub struct Employee { department: String, id: u32, first_name: String, .. }",
    );
    for line in Employee::DESIGN.to_string().lines() {
        screen.say(line);
    }
    screen.say("written by the macro:");
    screen.table(
        &["call", "is a"],
        [
            ["Employee::point(department, id)", "PointQuery: one entity"],
            ["Employee::rows(department)", "Rows: ranges in key order, .between(100..=199)"],
            ["Employee::scan_partition(department)", "PartitionScan: reads what it filters"],
            ["Employee::scan_table()", "TableScan: asked for by name, deny(table_scan) forbids it"],
            ["Employee::patch(department, id)", "EmployeePatch: setters for what no key holds"],
            ["EmployeeKey, EmployeeFields", "the key read back; typed properties for filters"],
        ]
        .map(|line| line.map(String::from).to_vec()),
    );
}
