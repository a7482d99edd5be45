//! Child processes of this program with their roles and orders.

use std::{
    env,
    fs::OpenOptions,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use table_patterns::Tables;
use table_store::Store;
use table_tests::seed::Seed;

use crate::faults::{
    client::{self, Identity, Only},
    clock::Skew,
    connect::{Failure, Services},
    maintenance,
    plant::Plant,
    watch, worker,
};

/// The role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Two clients, each on a separate thread.
    Client,
    Worker,
    Maintenance,
    /// The store in a file, with all clients, workers and the maintenance on threads of one process.
    Store,
}

/// The orders of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    pub role: Role,
    /// Number of the process within its role, counted from 0.
    pub number: usize,
    /// Number of earlier starts.
    pub life: u64,
    /// Number of clients of the whole run.
    pub clients: usize,
    pub workers: usize,
    pub seed: u64,
    pub folder: PathBuf,
    /// The proxy's connection string; `None` if the store is in the process.
    pub connection: Option<String>,
    /// Maximum time during which a request can be in flight.
    pub late: Duration,
    /// Maximum time during which a request is retried.
    pub patience: Duration,
    /// Average time between two maintenance operations.
    pub pause: Duration,
    /// Maximum error of the clocks.
    pub skew: Duration,
    pub plant: Option<String>,
    pub only: Only,
}

/// Number of clients per process.
pub const CLIENTS_EACH: usize = 2;

impl Orders {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be started.
    pub fn start(&self) -> Result<Child, Failure> {
        let errors = OpenOptions::new().create(true).append(true).open(self.folder.join("children.log"))?;
        let mut command = Command::new(env::current_exe()?);
        command.arg("role").arg(serde_json::to_string(self)?);
        Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn()?)
    }

    /// Executes the orders of this process until the end of the run.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot start its work.
    pub fn follow(&self) -> Result<(), Failure> {
        self.end_with_the_parent();
        let mut seed =
            Seed::new(self.seed).fork(100 + self.role as u64 * 10 + self.number as u64).fork(self.life);
        if self.role == Role::Store {
            return self.be_the_store(&mut seed);
        }
        let connection = self.connection.as_deref().ok_or("no connection string")?;
        let services = Services::connect(connection, self.patience)?.planting(self.plant());
        let skew = Skew::draw(&mut seed, self.skew);
        let tables = services.tables(skew)?;
        match self.role {
            Role::Client => {
                self.clients(self.number * CLIENTS_EACH..(self.number + 1) * CLIENTS_EACH, &tables)
            }
            Role::Worker => Ok(worker::run(&self.folder, self.number, self.life, &tables)?),
            _ => Ok(maintenance::run(&self.folder, self.life, &mut seed, &tables, None, self.pause)?),
        }
    }

    /// Ends the process in any state when its parent process has ended.
    fn end_with_the_parent(&self) {
        let folder = self.folder.clone();
        thread::spawn(move || {
            while folder.join("running").exists() {
                thread::sleep(Duration::from_millis(500));
            }
            std::process::exit(4);
        });
    }

    fn plant(&self) -> Option<Plant> {
        Plant::ALL.into_iter().find(|plant| Some(plant.word()) == self.plant.as_deref())
    }

    fn identity(&self, number: usize) -> Identity {
        let Self { clients, life, seed, folder, late, only, .. } = self.clone();
        Identity { number, clients, life, seed, folder, late, only }
    }

    fn clients(&self, numbers: std::ops::Range<usize>, tables: &Tables) -> Result<(), Failure> {
        let threads: Vec<_> = numbers
            .map(|number| {
                let (who, tables) = (self.identity(number), tables.clone());
                thread::spawn(move || client::run(who, tables))
            })
            .collect();
        for thread in threads {
            thread.join().map_err(|_| "a client panicked")??;
        }
        Ok(())
    }

    fn be_the_store(&self, seed: &mut Seed) -> Result<(), Failure> {
        let store = Store::open(self.folder.join("store.tables"))?;
        let services = Services::of_store(&store).planting(self.plant());
        let tables = services.tables(Skew::draw(seed, self.skew))?;
        let mut threads = Vec::new();
        for number in 0..self.workers {
            let (orders, tables) = (self.clone(), services.tables(Skew::draw(seed, self.skew))?);
            threads.push(thread::spawn(move || worker::run(&orders.folder, number, orders.life, &tables)));
        }
        let (orders, kept, of_maintenance, mut fork) =
            (self.clone(), store.clone(), tables.clone(), seed.fork(1));
        threads.push(thread::spawn(move || {
            let Orders { folder, life, pause, .. } = orders;
            maintenance::run(&folder, life, &mut fork, &of_maintenance, Some(&kept), pause)
        }));
        let (orders, watched) = (self.clone(), Services::of_store(&store));
        threads.push(thread::spawn(move || {
            watch::run(&orders.folder, orders.life, || Some(watched.clone()), orders.pause)
        }));
        self.clients(0..self.clients, &tables)?;
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")??;
        }
        pollster::block_on(store.close())?;
        Ok(())
    }
}

/// Child processes that are ended when this value is dropped.
#[derive(Debug, Default)]
pub struct Children(Vec<(Orders, Child)>);

impl Children {
    /// Starts another process.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be started.
    pub fn add(&mut self, orders: Orders) -> Result<(), Failure> {
        let child = orders.start()?;
        self.0.push((orders, child));
        Ok(())
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Kills a process and starts it again. Returns its role.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be killed or started.
    pub fn kill(&mut self, at: usize) -> Result<Role, Failure> {
        let (orders, child) = self.0.get_mut(at).ok_or("no such child")?;
        child.kill()?;
        child.wait()?;
        orders.life += 1;
        *child = orders.start()?;
        Ok(orders.role)
    }

    /// Restarts processes that ended unexpectedly. Their logs contain the reasons.
    ///
    /// # Errors
    ///
    /// Returns an error if a process cannot be started.
    pub fn revive(&mut self) -> Result<u64, Failure> {
        let mut revived = 0;
        for (orders, child) in &mut self.0 {
            if child.try_wait()?.is_some() {
                orders.life += 1;
                *child = orders.start()?;
                revived += 1;
            }
        }
        Ok(revived)
    }

    /// Waits for all processes, and kills processes that do not end. Returns the number of killed processes.
    ///
    /// # Errors
    ///
    /// Returns an error if the status of a process cannot be read.
    pub fn end(mut self, most: Duration) -> Result<u64, Failure> {
        let (until, mut killed) = (Instant::now() + most, 0);
        for (_, child) in &mut self.0 {
            while child.try_wait()?.is_none() {
                if Instant::now() > until {
                    child.kill()?;
                    killed += 1;
                }
                thread::sleep(Duration::from_millis(5));
            }
        }
        Ok(killed)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for (_, child) in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
