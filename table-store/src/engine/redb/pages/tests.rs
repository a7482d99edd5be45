use super::*;
use crate::MemoryDisk;

fn pages(blocks: u64) -> (MemoryDisk, Pages) {
    let disk = MemoryDisk::new();
    disk.set_len(start(Shape::FILE.len(0))).unwrap();
    let pages = Pages::new(Arc::new(disk.clone()), true);
    pages.set_len(start(blocks)).unwrap();
    (disk, pages)
}

/// Reads and writes cross the nodes that are between the blocks.
#[test]
fn runs_of_blocks_read_back_and_each_wrong_block_is_named() {
    let (disk, pages) = pages(2100);
    assert_eq!(pages.len().unwrap(), start(2100));
    let bytes: Vec<u8> = (0..2000 * BLOCK_BYTES).map(|at| u8::try_from(at / 4096 % 251).unwrap()).collect();
    pages.write(start(50), &bytes).unwrap();
    let mut read = vec![0; bytes.len()];
    pages.read(start(50), &mut read).unwrap();
    assert!(read == bytes);
    for block in [50, 1021, 1022, 1023, 2043, 2044, 2049] {
        let at = start(Shape::FILE.place(block));
        let mut byte = [0];
        disk.read(at + 7, &mut byte).unwrap();
        disk.write(at + 7, &[byte[0] ^ 1]).unwrap();
        let error = pages.read(start(50), &mut read).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the page at byte {at} of the file: it does not match its checksum")
        );
        pages.read(start(block - 1), &mut read[..BLOCK_BYTES]).unwrap_or_else(|_| assert_eq!(block, 50));
        disk.write(at + 7, &byte).unwrap();
    }
    pages.read(start(50), &mut read).unwrap();
    let error = pages.read(start(2090), &mut read[..BLOCK_BYTES]).unwrap_err().to_string();
    assert!(error.contains("never written"), "{error}");
    assert_eq!(pages.damage_count(), 7 + 2, "the changed blocks, 49 and 2090");
    assert!(pages.check_writable().unwrap_err().to_string().contains("writes are rejected"));
}

#[test]
fn a_part_of_a_block_is_neither_read_nor_written() {
    let (_, pages) = pages(10);
    assert!(pages.read(start(2) + 1, &mut [0; 8]).is_err());
    assert!(pages.write(start(2) + 1, &[0; 8]).is_err());
}
