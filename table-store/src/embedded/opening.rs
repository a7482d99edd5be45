//! Opening of a store with the given options.

use std::{path::Path, sync::Arc};

use super::{
    Disk, MapStorage, OpenError, OpenOptions, Place, Store, blobs,
    catalog::{self, Names},
    committer::Committer,
    core::{Core, Counters},
    engine::{self, Engine, MemoryEngine, Persist, RedbEngine, Verdict},
    file, leftovers, meta,
    refusal::Refusal,
    stamps,
    steady::Steady,
    token::TokenKey,
};
use crate::StorageFault;

/// Opens or creates the store in a file.
pub(super) fn file(options: &OpenOptions, path: &Path) -> Result<Store, OpenError> {
    // Retries once, because another process may create the file concurrently.
    for _ in 0..2 {
        if let Some(found) = file::find(path)? {
            return existing(options, Arc::new(found)).map_err(|refusal| refusal.at(path.into()));
        }
        if !options.create {
            break;
        }
        let made = file::create(path, &*options.random, |disk| {
            fresh(options, disk).map_err(|refusal| refusal.at(path.into()))
        })?;
        if let Some(store) = made {
            return Ok(store);
        }
    }
    Err(OpenError::Missing { place: path.into() })
}

/// Opens the store on a disk, or creates it if the disk is empty.
pub(super) fn disk(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, OpenError> {
    let opened = match disk.len() {
        Ok(0) => fresh(options, disk),
        Ok(_) => existing(options, disk),
        Err(error) => Err(StorageFault::Io(Arc::new(error)).into()),
    };
    opened.map_err(|refusal| refusal.at(Place::Disk))
}

/// Opens or creates the store in a map.
pub(super) fn map(options: &OpenOptions, storage: MapStorage) -> Result<Store, OpenError> {
    let empty = storage.is_empty();
    let engine = MemoryEngine::new(storage);
    let filled = if empty { fill(options, &engine) } else { Ok(()) };
    filled
        .map_err(Refusal::from)
        .and_then(|()| run(options, engine, |_| Ok(())))
        .map_err(|refusal| refusal.at(Place::Disk))
}

fn fresh(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, Refusal> {
    let engine = RedbEngine::create(disk, options.cache_bytes)?;
    fill(options, &engine)?;
    run(options, engine, |_| Ok(()))
}

pub(super) fn existing(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, Refusal> {
    let engine = RedbEngine::open(disk, options.cache_bytes, options.verify_up_to)?;
    run(options, engine, RedbEngine::admit)
}

/// Writes the initial records of a store.
fn fill(options: &OpenOptions, engine: &dyn Engine) -> Result<(), StorageFault> {
    let mut token_key = [0; 32];
    options.random.fill(&mut token_key).map_err(|error| StorageFault::Io(Arc::new(error)))?;
    engine::commit(engine, |write| {
        meta::create(write, TokenKey(token_key))?;
        Ok(Verdict::Commit(Persist::Now))
    })
    .map(drop)
}

/// Reads the store's metadata, enables writes of the engine, and starts the committer.
fn run<E: Engine + 'static>(
    options: &OpenOptions,
    engine: E,
    admit: impl FnOnce(&E) -> Result<(), StorageFault>,
) -> Result<Store, Refusal> {
    let known = engine::view(&engine, |read| {
        Ok((meta::read(read)?, catalog::all(read)?, leftovers::any(read)? || blobs::leave(read)?))
    });
    let (meta, tables, leftovers) = known.map_err(|error| match error.fault() {
        Some(fault) => Refusal::from(fault.clone()),
        None => Refusal::Damaged(error.to_string()),
    })?;
    admit(&engine)?;
    let names = Names::default();
    names.replace(&tables);
    let core = Arc::new(Core {
        engine: Box::new(engine),
        names,
        token_key: meta.token_key,
        options: options.clone(),
        counters: Counters::default(),
        pins: Arc::default(),
        copies: Arc::default(),
        properties: Arc::default(),
        steady: Steady::from(stamps::reached(meta.clock)),
    });
    // The first reading is the reference for later clock readings.
    core.now();
    let committer = Committer::start(Arc::clone(&core), meta.clock, tables, leftovers)
        .map_err(|error| StorageFault::Io(Arc::new(error)))?;
    Ok(Store::new(core, committer))
}
