//! A run on a server behind a proxy, or on two servers of one database.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use table_store::{OpenOptions, Store};
use table_tests::seed::Seed;

use super::{On, Plan};
use crate::{
    clients::Database,
    faults::{
        children::{Children, Role},
        connect::{Failure, Services},
        proxy::Proxy,
        report::Report,
        serve::connection,
        server::{Program, Server},
        watch,
    },
};

/// A server, and the components that need its address.
struct Stage<'s> {
    program: &'s Program,
    store: [OsString; 2],
    log: PathBuf,
    server: Option<Server>,
    proxy: Proxy,
    /// For the watch: the current server.
    direct: Arc<Mutex<Option<Services>>>,
}

impl Stage<'_> {
    fn start(&mut self) -> Result<(), Failure> {
        let server = Server::start(self.program, &self.store, &self.log)?;
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
    fn compact(&mut self, folder: &Path) -> Result<(), Failure> {
        self.stop().map_or(Ok(()), Server::end)?;
        let file = folder.join("data/devstoreaccount1.tables");
        OpenOptions::new().compact(&file)?;
        let backup = folder.join("backup.tables");
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
        let mut database = if matches!(self.on, On::Database(_)) { Some(Database::start()?) } else { None };
        let (on, servers, store): (_, _, [OsString; 2]) = match (&database, program) {
            (Some(database), _) => ("database", 2, ["--store".into(), database.url().into()]),
            (None, Program::Tables(_)) => ("server", 1, ["--data".into(), folder.join("data").into()]),
            (None, Program::Own) => ("own server", 1, ["--data".into(), folder.join("data").into()]),
        };
        on.clone_into(&mut report.on);
        let mut stages = Vec::new();
        for number in 0..servers {
            let proxy = Proxy::start(seed.fork(1_000 + number), self.rates())?;
            let log = folder.join(format!("server-{number}.log"));
            let (store, direct) = (store.clone(), Arc::default());
            let mut stage = Stage { program, store, log, server: None, proxy, direct };
            stage.start()?;
            stages.push(stage);
        }
        let through: Vec<String> = stages.iter().map(|stage| connection(stage.proxy.ports())).collect();
        let mut children = Children::default();
        for (role, count) in
            [(Role::Client, self.clients), (Role::Worker, self.workers), (Role::Maintenance, 1)]
        {
            for number in 0..count {
                let through = &through[children.len() % through.len()];
                children.add(self.orders(role, number, folder, Some(through.clone())))?;
            }
        }
        let (direct, watched) = (Arc::clone(&stages[0].direct), folder.to_owned());
        let pause = self.between_kills() / 4;
        let watching = thread::spawn(move || {
            let services = || direct.lock().unwrap_or_else(PoisonError::into_inner).clone();
            watch::run(&watched, 0, services, pause)
        });
        let began = Instant::now();
        while !self.wait(began, seed) {
            self.disturb(folder, &mut stages, database.as_mut(), &mut children, seed, report)?;
        }
        self.end(folder, children)?;
        watching.join().map_err(|_| "the watch panicked")??;
        for stage in &stages {
            stage.proxy.calm(self.longest() + Duration::from_secs(10));
            for (kind, count) in stage.proxy.counts() {
                *report.requests.entry(kind.to_owned()).or_default() += count;
            }
        }
        let ports = stages[0].server.as_ref().map(|server| server.ports).ok_or("the server is gone")?;
        let services = Services::connect(&connection(ports), Duration::from_secs(30))?;
        self.judge(&services, folder, report)?;
        for stage in &mut stages {
            stage.stop().map_or(Ok(()), Server::end)?;
        }
        if database.is_some() {
            return Ok(());
        }
        let scrubbed = OpenOptions::new().scrub(folder.join("data/devstoreaccount1.tables"))?;
        if !scrubbed.is_sound() {
            report.violations.push(format!("scrub: {scrubbed:?}"));
        }
        Ok(())
    }

    /// Kills a process or the database, or stops the server for a while.
    fn disturb(
        &self,
        folder: &Path,
        stages: &mut [Stage<'_>],
        database: Option<&mut Database>,
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
                let which = if stages.len() > 1 { seed.below(stages.len()) } else { 0 };
                stages[which].kill()?;
                count("server", 1);
            }
            2 => {
                if let Some(database) = database {
                    database.crash()?;
                    count("database", 1);
                } else {
                    stages[0].compact(folder)?;
                    count("server closed and compacted", 1);
                }
            }
            _ => {
                let role = children.kill(seed.below(children.len()))?;
                count(&format!("{role:?}").to_lowercase(), 1);
            }
        }
        Ok(())
    }
}
