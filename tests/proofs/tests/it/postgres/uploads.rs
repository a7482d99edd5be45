//! Uploads whose connection is cut, and block lists of two services.

use std::sync::atomic::Ordering;

use table_model::{
    Bytes, ErrorCode, Metadata, TableError,
    blob::{BlobAddress, BlobService, BlockId, BlockSource, PutBlob, PutBlock, ReadBlob},
};
use table_postgres::{Postgres, PostgresOptions};

use super::{
    Outcome,
    blobs::{bytes, remove_garbage, rows},
    cuts::Proxy,
    database, services,
};

/// Content of a small blob, which is one transaction, and of one whose first part is stored before.
const SIZES: [usize; 2] = [1_000, 1_500_000];

async fn upload(service: &Postgres, at: &BlobAddress, content: &Bytes) -> Result<(), TableError> {
    if content.len() == SIZES[0] {
        return service.put_blob(at, content.clone(), PutBlob::new()).await.map(drop);
    }
    let mut writer = service.write_blob(at, PutBlob::new()).await?;
    for piece in content.chunks(300_000) {
        writer.write(piece).await?;
    }
    writer.finish().await.map(drop)
}

/// The blob is the old or the new one, as reported, and nothing else stays.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_cut_anywhere_is_whole_and_leaves_only_garbage() -> Outcome {
    let database = database!();
    let (proxy, url) = Proxy::start(&database)?;
    let service = PostgresOptions::new(&url)?.connections(1).connect().await?;
    let at = BlobAddress::new("cut", "a")?;
    service.create_container(&at.container, Metadata::new()).await?;
    let (mut outcomes, mut n) = ([0; 3], 0);
    for size in SIZES {
        for direction in 0..2 {
            // A response has at most some tens of bytes for each statement. Most bytes of a large request are content.
            let step = if direction == 0 { size / 30 } else { 9 };
            // Until an upload passes without a cut.
            for cut in (0..).step_by(step) {
                let cut = i64::from(cut);
                n += 1;
                let old = bytes(n, size);
                // Prepares the statements on the current connection, which the last cut may have closed.
                for tries in 0.. {
                    match upload(&service, &at, &old).await {
                        Ok(()) => break,
                        Err(error) if tries == 5 => return Err(error.into()),
                        Err(_) => {}
                    }
                }
                n += 1;
                let new = bytes(n, size);
                proxy.left[direction].store(cut, Ordering::SeqCst);
                let result = upload(&service, &at, &new).await;
                let was_cut = proxy.left[direction].swap(-1, Ordering::SeqCst) < 0;
                let found = service.get_blob(&at, ReadBlob::new()).await?;
                match &result {
                    Ok(()) => {
                        outcomes[0] += 1;
                        assert!(found == new, "acknowledged, but lost: {size} bytes, cut {cut}");
                    }
                    Err(error) if error.is_outcome_unknown() => {
                        outcomes[1] += 1;
                        assert!(found == new || found == old, "a part: {size} bytes, cut {cut}");
                    }
                    Err(error) => {
                        outcomes[2] += 1;
                        assert!(found == old, "{size} bytes, cut {cut}: {error}");
                    }
                }
                if !was_cut {
                    assert!(cut > 100, "nothing was cut");
                    break;
                }
            }
        }
    }
    println!("{} acknowledged, {} unknown, {} refused", outcomes[0], outcomes[1], outcomes[2]);
    assert!(outcomes[0] > 3 && outcomes[1] > 10, "{outcomes:?}");
    remove_garbage(&database, &service).await?;
    let chunks = SIZES[1].div_ceil(256 << 10);
    assert_eq!(rows(&database, "chunks").await?, chunks as u64);
    Ok(())
}

/// A block list of another service discards uncommitted blocks; the committed blob is always one whole list.
#[tokio::test(flavor = "multi_thread")]
async fn block_lists_of_two_services_are_whole() -> Outcome {
    const BLOCKS: u8 = 3;
    let database = database!();
    let services = services(&database, 2).await?;
    let at = BlobAddress::new("shared", "list")?;
    services[0].create_container(&at.container, Metadata::new()).await?;
    let writers = (0..4_u8).map(|task| {
        let (service, at) = (services[usize::from(task % 2)].clone(), at.clone());
        tokio::spawn(async move {
            let (mut written, mut discarded, mut round) = (0, 0, 0_u8);
            while written < 10 {
                round = round.wrapping_add(1);
                let mut list = Vec::new();
                for number in 0..BLOCKS {
                    let id = BlockId::new([task, number])?;
                    let content = Bytes::from([task, round, number].repeat(1_000));
                    service.put_block(&at, &id, content, PutBlock::new()).await?;
                    list.push(BlockSource::Uncommitted(id));
                }
                match service.put_block_list(&at, &list, PutBlob::new()).await {
                    Ok(_) => written += 1,
                    Err(error) if error.code() == ErrorCode::InvalidBlockList => discarded += 1,
                    Err(error) => return Err(error),
                }
                let found = service.get_blob(&at, ReadBlob::new()).await;
                let Ok(found) = found else { continue };
                let (task, round) = (found[0], found[1]);
                let whole = (0..BLOCKS).flat_map(|number| [task, round, number].repeat(1_000));
                assert!(found.iter().copied().eq(whole), "a mixture");
            }
            Ok::<_, TableError>(discarded)
        })
    });
    let mut discarded = 0;
    for writer in futures_util::future::try_join_all(writers).await? {
        discarded += writer?;
    }
    assert!(discarded > 0, "no block list met another one");
    remove_garbage(&database, &services[1]).await?;
    let staged = rows(&database, "staged").await?;
    assert_eq!(rows(&database, "chunks").await?, u64::from(BLOCKS) + staged);
    Ok(())
}
