//! Opening of a store with the given options.

use std::{ops::ControlFlow, path::Path, sync::Arc};

use table_model::{StorageFault, TableError, token::TokenKey};

use crate::{
    Disk, OpenError, OpenOptions, Place, Store,
    background_scrub::Scrubber,
    blobs,
    catalog::{self, Names},
    committer::Committer,
    core::{Core, Counters},
    disk::ObservedDisk,
    engine::{self, Engine, FileEngine, LoggedEngine, Persist, ReadOnly, Settings, Verdict},
    file, kept_log,
    keys::TableId,
    leftovers, meta,
    monotonic_clock::Steady,
    options::LogMode,
    refusal::Refusal,
    reserved_names::ReservedNames,
    timestamps,
};

/// Opens or creates the store in a file.
pub(crate) fn file(options: &OpenOptions, path: &Path) -> Result<Store, OpenError> {
    if options.read_only {
        let Some(found) = file::find_to_read(path)? else {
            return Err(OpenError::Missing { place: path.into() });
        };
        return unchanged(options, Arc::new(found)).map_err(|refusal| refusal.at(path.into()));
    }
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
pub(crate) fn disk(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, OpenError> {
    let opened = match disk.len() {
        Ok(_) if options.read_only => unchanged(options, disk),
        Ok(0) => fresh(options, disk),
        Ok(_) => existing(options, disk),
        Err(error) => Err(StorageFault::Io(Arc::new(error)).into()),
    };
    opened.map_err(|refusal| refusal.at(Place::Disk))
}

/// Opens the store on an engine provided by the caller, or creates it if the engine is empty.
pub(crate) fn engine(options: &OpenOptions, engine: impl Engine + 'static) -> Result<Store, OpenError> {
    let filled = is_empty(&engine).and_then(|empty| if empty { Ok(fill(options, &engine)?) } else { Ok(()) });
    filled.and_then(|()| run(options, engine, |_| Ok(()))).map_err(|refusal| refusal.at(Place::Disk))
}

fn is_empty(engine: &dyn Engine) -> Result<bool, Refusal> {
    let empty = engine::view(engine, |read| {
        let mut empty = true;
        read.scan(&[], &TableId(u32::MAX).end(), &mut |_, _| {
            empty = false;
            ControlFlow::Break(())
        })?;
        Ok(empty)
    });
    empty.map_err(|error| refused(&error))
}

fn fresh(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, Refusal> {
    let disk = observed(options, disk);
    let engine = FileEngine::create(Arc::clone(&disk), options.cache_bytes, options.page_sums)?;
    fill(options, &engine)?;
    match log_settings(options, &*disk) {
        None => run(options, engine, |_| Ok(())),
        Some(settings) => {
            let logged = LoggedEngine::new(engine, disk, Arc::clone(&options.random), settings)?;
            run(options, logged, |_| Ok(()))
        }
    }
}

pub(crate) fn existing(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, Refusal> {
    let disk = observed(options, disk);
    let engine = FileEngine::open(Arc::clone(&disk), options.cache_bytes, options.verify_up_to)?;
    let settings = log_settings(options, &*disk);
    if settings.is_none() && !FileEngine::needs_log(&*disk)? {
        return run(options, engine, |engine| engine.admit(None));
    }
    let random = Arc::clone(&options.random);
    let logged = LoggedEngine::open(engine, disk, random, settings.unwrap_or_default())?;
    run(options, logged, LoggedEngine::admit)
}

/// Measures the syncs of a disk if there is an observer.
fn observed(options: &OpenOptions, disk: Arc<dyn Disk>) -> Arc<dyn Disk> {
    match &options.observer {
        Some(observer) => Arc::new(ObservedDisk::new(disk, Arc::clone(observer))),
        None => disk,
    }
}

/// Opens the store on a disk for reading only.
fn unchanged(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<Store, Refusal> {
    let engine = FileEngine::open(Arc::clone(&disk), options.cache_bytes, options.verify_up_to)?;
    if disk.log().is_none() && !FileEngine::needs_log(&*disk)? {
        return run(options, ReadOnly(engine), |_| Ok(()));
    }
    let random = Arc::clone(&options.random);
    let logged = LoggedEngine::open(engine, disk, random, Settings::default())?;
    run(options, ReadOnly(logged), |_| Ok(()))
}

/// Returns the settings of the log, if the store uses one.
fn log_settings(options: &OpenOptions, disk: &dyn Disk) -> Option<Settings> {
    let settings = match options.log_mode {
        LogMode::Off => return None,
        LogMode::Threaded => Settings::default(),
        LogMode::Inline => Settings::INLINE,
    };
    disk.log().map(|_| settings)
}

/// Writes the initial records of a store.
fn fill(options: &OpenOptions, engine: &dyn Engine) -> Result<(), StorageFault> {
    let mut token_key = [0; 32];
    options.random.fill(&mut token_key).map_err(|error| StorageFault::Io(Arc::new(error)))?;
    engine::commit(engine, |write| {
        meta::create(write, &TokenKey(token_key))?;
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
    let (meta, tables, leftovers) = known.map_err(|error| refused(&error))?;
    let kept = kept_log::prepare(options, &engine)?;
    admit(&engine)?;
    let engine = kept.wrap(options, engine)?;
    let names = Names::default();
    names.replace(&tables);
    let core = Arc::new(Core {
        engine,
        names,
        token_key: meta.token_key,
        options: options.clone(),
        counters: Counters::default(),
        pins: Arc::default(),
        copies: Arc::default(),
        properties: Arc::default(),
        steady: Steady::from(timestamps::reached(meta.clock)),
        reserved: ReservedNames::default(),
    });
    // A store that is only read is not swept.
    let (tables, leftovers) = if options.read_only { (Vec::new(), false) } else { (tables, leftovers) };
    // The first reading is the reference for later clock readings.
    core.now();
    let committer = Committer::start(Arc::clone(&core), meta.clock, tables, leftovers)
        .map_err(|error| StorageFault::Io(Arc::new(error)))?;
    let scrub = options.background_scrub.and_then(|settings| Some((settings, core.engine.page_scrub()?)));
    let scrubber =
        scrub.map(|(settings, scrub)| Scrubber::start(settings, scrub, Arc::clone(&options.clock)));
    let scrubber = scrubber.transpose().map_err(|error| StorageFault::Io(Arc::new(error)))?;
    Ok(Store::new(core, committer, scrubber))
}

fn refused(error: &TableError) -> Refusal {
    match error.fault() {
        Some(fault) => Refusal::from(fault.clone()),
        None => Refusal::Damaged(error.to_string()),
    }
}
