//! A run on a store in the process of the clients.

use std::{path::Path, time::Instant};

use table_store::Store;
use table_tests::seed::Seed;

use super::Plan;
use crate::faults::{
    children::{Children, Role},
    connect::{Failure, Services},
    report::Report,
};

impl Plan {
    pub(super) fn embed(&self, folder: &Path, seed: &mut Seed, report: &mut Report) -> Result<(), Failure> {
        "embedded".clone_into(&mut report.on);
        let mut children = Children::default();
        children.add(self.orders(Role::Store, 0, folder, None))?;
        let began = Instant::now();
        while !self.wait(began, seed) {
            if self.kills {
                children.kill(0)?;
                *report.kills.entry("store".to_owned()).or_default() += 1;
            }
        }
        self.end(folder, children)?;
        let store = Store::open(folder.join("store.tables"))?;
        self.judge(&Services::of_store(&store), folder, report)?;
        let scrubbed = store.blocking().scrub()?;
        if !scrubbed.is_sound() {
            report.violations.push(format!("scrub: {scrubbed:?}"));
        }
        Ok(())
    }
}
