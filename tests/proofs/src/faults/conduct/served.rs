//! A run on a server behind a proxy.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use table_store::{OpenOptions, Store};
use table_tests::seed::Seed;

use super::Plan;
use crate::faults::{
    children::{Children, Role},
    connect::{Failure, Services},
    proxy::Proxy,
    report::Report,
    serve::connection,
    server::{Program, Server},
    watch,
};

/// The server, and the components that need its address.
struct Stage<'s> {
    program: &'s Program,
    folder: &'s Path,
    server: Option<Server>,
    proxy: Proxy,
    /// For the watch: the current server.
    direct: Arc<Mutex<Option<Services>>>,
}

impl Stage<'_> {
    fn start(&mut self) -> Result<(), Failure> {
        let server = Server::start(self.program, &self.folder.join("data"), &self.folder.join("server.log"))?;
        self.proxy.lead_to(Some(server.ports));
        let services = Services::connect(&connection(server.ports), Duration::from_secs(1))?;
        *self.direct.lock().unwrap_or_else(PoisonError::into_inner) = Some(services);
        self.server = Some(server);
        Ok(())
    }

    fn stop(&mut self) -> Option<Server> {
        self.proxy.lead_to(None);
        *self.direct.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.server.take()
    }

    fn kill(&mut self) -> Result<(), Failure> {
        self.stop().map_or(Ok(()), Server::kill)?;
        self.start()
    }

    /// Stops the server, compacts and backs up its file, and starts it again.
    fn compact(&mut self) -> Result<(), Failure> {
        self.stop().map_or(Ok(()), Server::end)?;
        let file = self.folder.join("data/devstoreaccount1.tables");
        OpenOptions::new().compact(&file)?;
        let backup = self.folder.join("backup.tables");
        let store = Store::open(&file)?.blocking();
        store.backup(&backup)?;
        drop(store);
        Store::open(&backup)?;
        std::fs::remove_file(&backup)?;
        self.start()
    }
}

impl Plan {
    pub(super) fn serve(
        &self,
        program: &Program,
        folder: &Path,
        seed: &mut Seed,
        report: &mut Report,
    ) -> Result<(), Failure> {
        report.on = match program {
            Program::Tables(_) => "server".to_owned(),
            Program::Own => "own server".to_owned(),
        };
        let proxy = Proxy::start(seed.fork(1_000), self.rates())?;
        let mut stage = Stage { program, folder, server: None, proxy, direct: Arc::default() };
        stage.start()?;
        let through = connection(stage.proxy.ports());
        let mut children = Children::default();
        for (role, count) in
            [(Role::Client, self.clients), (Role::Worker, self.workers), (Role::Maintenance, 1)]
        {
            for number in 0..count {
                children.add(self.orders(role, number, folder, Some(through.clone())))?;
            }
        }
        let (direct, watched) = (Arc::clone(&stage.direct), folder.to_owned());
        let pause = self.between_kills() / 4;
        let watching = thread::spawn(move || {
            let services = || direct.lock().unwrap_or_else(PoisonError::into_inner).clone();
            watch::run(&watched, 0, services, pause)
        });
        let began = Instant::now();
        while !self.wait(began, seed) {
            self.disturb(&mut stage, &mut children, seed, report)?;
        }
        self.end(folder, children)?;
        watching.join().map_err(|_| "the watch panicked")??;
        stage.proxy.calm(self.longest() + Duration::from_secs(10));
        report.requests =
            stage.proxy.counts().into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect();
        let ports = stage.server.as_ref().map(|server| server.ports).ok_or("the server is gone")?;
        let services = Services::connect(&connection(ports), Duration::from_secs(30))?;
        self.judge(&services, folder, report)?;
        stage.stop().map_or(Ok(()), Server::end)?;
        let scrubbed = OpenOptions::new().scrub(folder.join("data/devstoreaccount1.tables"))?;
        if !scrubbed.is_sound() {
            report.violations.push(format!("scrub: {scrubbed:?}"));
        }
        Ok(())
    }

    /// Kills a process, or stops the server for a while.
    fn disturb(
        &self,
        stage: &mut Stage<'_>,
        children: &mut Children,
        seed: &mut Seed,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut count = |what: &str, times: u64| {
            if times > 0 {
                *report.kills.entry(what.to_owned()).or_default() += times;
            }
        };
        count("ended by itself", children.revive()?);
        if !self.kills {
            return Ok(());
        }
        match seed.below(8) {
            0..2 => {
                stage.kill()?;
                count("server", 1);
            }
            2 => {
                stage.compact()?;
                count("server closed and compacted", 1);
            }
            _ => {
                let role = children.kill(seed.below(children.len()))?;
                count(&format!("{role:?}").to_lowercase(), 1);
            }
        }
        Ok(())
    }
}
