//! Command-line arguments, and the orders of the process.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::faults::{connect::Failure, plant::Plant};

pub const USAGE: &str = "\
Move all entities of a file to other keys while writers run, and kill the process

Usage: migration [check] [--entities N] [--kills N] [--seed N]

  check          Compare the file of a run with its journals again

  --entities N   Entities before the move [default: 10000]
  --kills N      Kills of the process with the store, the writers and the move [default: 20]
  --writers N    Writers, each on its own thread [default: 4]
  --seed N       Seed of the writers and of the kills [default: 1]
  --speed N      Factor of the clock that leases use [default: 1]
  --page N       Entities in a step of the move [default: 200]
  --max-rate N   Maximum number of rows per second of the move
  --before N     Seconds of writing before the move [default: 10]
  --plant RULE   Break a rule: unconditional
  --folder PATH  Folder of the file and the journals [default: target/migration]";

/// Number of entities that all writers change.
pub const SHARED_COUNT: u32 = 32;

/// The size of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub entities: u32,
    pub kills: u32,
    pub writers: u32,
    pub seed: u64,
    pub speed: u32,
    pub page: u32,
    pub max_rate: Option<u32>,
    /// Time of writing before the move starts, and after it.
    pub before: Duration,
    pub plant: Option<String>,
    pub folder: PathBuf,
}

impl Plan {
    /// Parses the arguments after the program name.
    ///
    /// # Errors
    ///
    /// Returns a message for invalid arguments.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut plan = Self {
            entities: 10_000,
            kills: 20,
            writers: 4,
            seed: 1,
            speed: 1,
            page: 200,
            max_rate: None,
            before: Duration::from_secs(10),
            plant: None,
            folder: PathBuf::from("target/migration"),
        };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--entities" => plan.entities = value.parse()?,
                "--kills" => plan.kills = value.parse()?,
                "--writers" => plan.writers = value.parse()?,
                "--seed" => plan.seed = value.parse()?,
                "--speed" => plan.speed = value.parse()?,
                "--page" => plan.page = value.parse()?,
                "--max-rate" => plan.max_rate = Some(value.parse()?),
                "--before" => plan.before = Duration::from_secs_f64(value.parse()?),
                "--plant" => plan.plant = Some(value),
                "--folder" => plan.folder = PathBuf::from(value),
                _ => return Err(format!("unknown argument {word}").into()),
            }
        }
        let least = [plan.entities, plan.writers, plan.speed, plan.page];
        if least.contains(&0) {
            return Err("--entities, --writers, --speed and --page must be at least 1".into());
        }
        if plan.plant.is_some() && plan.planted().is_none() {
            return Err("--plant is unknown; use unconditional".into());
        }
        Ok(plan)
    }

    /// Returns the file of the store.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.join("orders.tables")
    }

    /// Returns the journal of a writer.
    #[must_use]
    pub fn journal(&self, writer: u32) -> PathBuf {
        self.folder.join(format!("writer-{writer}.journal"))
    }

    /// Returns the broken rule.
    #[must_use]
    pub fn planted(&self) -> Option<Plant> {
        Plant::ALL.into_iter().find(|plant| Some(plant.word()) == self.plant.as_deref())
    }
}
