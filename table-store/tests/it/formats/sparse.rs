//! Files without their zeros: the total length as `u32`, followed by the offset and length of each piece as `u32` and
//! its bytes. All numbers are little-endian.

/// Shorter runs of zeros do not start a new piece.
const GAP: usize = 16;

pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut packed = number(bytes.len()).to_vec();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(|byte| *byte != 0) {
        let start = at + skipped;
        let rest = &bytes[start..];
        let zeros = rest.windows(GAP).position(|window| window.iter().all(|byte| *byte == 0));
        let piece = &rest[..zeros.unwrap_or(rest.len())];
        packed.extend_from_slice(&number(start));
        packed.extend_from_slice(&number(piece.len()));
        packed.extend_from_slice(piece);
        at = start + piece.len();
    }
    packed
}

pub(crate) fn unpack(mut packed: &[u8]) -> Vec<u8> {
    let number = |packed: &mut &[u8]| {
        let (first, rest) = packed.split_first_chunk().unwrap();
        *packed = rest;
        usize::try_from(u32::from_le_bytes(*first)).unwrap()
    };
    let mut bytes = vec![0; number(&mut packed)];
    while !packed.is_empty() {
        let (start, length) = (number(&mut packed), number(&mut packed));
        let (piece, rest) = packed.split_at(length);
        bytes[start..start + length].copy_from_slice(piece);
        packed = rest;
    }
    bytes
}

#[test]
fn a_file_unpacks_to_what_was_packed() {
    for bytes in [
        vec![],
        vec![0; 40],
        vec![1; 40],
        [&[0; 20][..], &[1, 0, 2], &[0; 50], &[3]].concat(),
        [&[1][..], &[0; 15], &[1], &[0; 16]].concat(),
    ] {
        assert_eq!(unpack(&pack(&bytes)), bytes);
    }
}
