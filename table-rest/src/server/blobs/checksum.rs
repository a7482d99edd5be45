use crc::{CRC_64_NVME, Crc, Digest as CrcDigest, Table};
use http::HeaderMap;
use md5::{Digest, Md5 as Md5Hasher};
use table_model::{ErrorCode, TableError, blob::Md5};

use crate::wire::{
    blobs::{CONTENT_MD5, read_md5},
    fields,
};

/// The CRC64 of a body, in requests and responses: eight bytes, little-endian.
const CONTENT_CRC64: &str = "x-ms-content-crc64";

static CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_NVME);

/// The checksums of a request body, which detect transfer errors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    pub(super) md5: Option<Md5>,
    crc64: Option<u64>,
}

impl Said {
    /// Reads the headers.
    ///
    /// # Errors
    ///
    /// Returns `InvalidMd5`, `InvalidHeaderValue` or `BothCrc64AndMd5HeaderPresent`.
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, TableError> {
        Self::named(headers, CONTENT_MD5, CONTENT_CRC64)
    }

    /// Reads the headers for the content of the source of a copy.
    ///
    /// # Errors
    ///
    /// Fails like [`read`](Self::read).
    pub(super) fn of_source(headers: &HeaderMap) -> Result<Self, TableError> {
        Self::named(headers, "x-ms-source-content-md5", "x-ms-source-content-crc64")
    }

    fn named(headers: &HeaderMap, md5: &str, crc64: &str) -> Result<Self, TableError> {
        let md5 = read_md5(headers, md5)?;
        let crc64 = match fields::text(headers, crc64)? {
            Some(text) => Some(u64::from_le_bytes(fields::hash(text).ok_or_else(|| fields::invalid(crc64))?)),
            None => None,
        };
        if md5.is_some() && crc64.is_some() {
            return Err(ErrorCode::BothCrc64AndMd5HeaderPresent.into());
        }
        Ok(Self { md5, crc64 })
    }

    /// Returns `true` if a checksum is specified.
    pub(super) const fn is_some(self) -> bool {
        self.md5.is_some() || self.crc64.is_some()
    }

    /// Compares the CRC64 of the body with the header. The store checks the MD5.
    ///
    /// # Errors
    ///
    /// Returns `Crc64Mismatch` if they differ.
    pub(super) fn check(self, sum: u64) -> Result<(), TableError> {
        match self.crc64 {
            Some(said) if said != sum => Err(ErrorCode::Crc64Mismatch.into()),
            _ => Ok(()),
        }
    }

    /// Compares both checksums with a body that is not stored, and returns its CRC64.
    ///
    /// # Errors
    ///
    /// Returns `Crc64Mismatch` or `Md5Mismatch`.
    pub(super) fn verify(self, body: &[u8]) -> Result<u64, TableError> {
        let sum = crc64(body);
        self.check(sum)?;
        match self.md5 {
            Some(said) if said != md5(body) => Err(ErrorCode::Md5Mismatch.into()),
            _ => Ok(sum),
        }
    }

    /// Writes the checksums of the received body: its CRC64, and its MD5 if the client sent one.
    pub(super) fn answer(self, sum: u64, headers: &mut HeaderMap) {
        if let Some(Md5(hash)) = self.md5 {
            fields::set(headers, CONTENT_MD5, fields::hash_text(&hash));
        }
        write_crc64(sum, headers);
    }
}

/// Computes the CRC64 of a body in pieces.
pub(super) struct Sum(CrcDigest<'static, u64, Table<16>>);

impl Sum {
    pub(super) fn new() -> Self {
        Self(CRC.digest())
    }

    pub(super) fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(super) fn finish(self) -> u64 {
        self.0.finalize()
    }
}

/// Computes the MD5 of content in pieces.
pub(super) struct Hash(Md5Hasher);

impl Hash {
    pub(super) fn new() -> Self {
        Self(Md5Hasher::new())
    }

    pub(super) fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(super) fn finish(self) -> Md5 {
        Md5(self.0.finalize().into())
    }
}

/// Returns the CRC64 of a body.
pub(super) fn crc64(content: &[u8]) -> u64 {
    CRC.checksum(content)
}

/// Returns the MD5 of a body.
pub(super) fn md5(content: &[u8]) -> Md5 {
    Md5(Md5Hasher::digest(content).into())
}

/// Writes the CRC64 header of a response.
pub(super) fn write_crc64(sum: u64, headers: &mut HeaderMap) {
    fields::set(headers, CONTENT_CRC64, fields::hash_text(&sum.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_catalogues_and_of_nothing_zero() {
        assert_eq!(crc64(b"123456789"), 0xae8b_1486_0a79_9888);
        assert_eq!(crc64(b""), 0);
        let mut sum = Sum::new();
        sum.update(b"1234");
        sum.update(b"56789");
        assert_eq!(sum.finish(), crc64(b"123456789"));
    }

    #[test]
    fn one_of_both_hashes_may_be_said() {
        let mut headers = HeaderMap::new();
        write_crc64(7, &mut headers);
        assert_eq!(headers[CONTENT_CRC64], "BwAAAAAAAAA=");
        let said = Said::read(&headers).unwrap();
        assert!(said.check(7).is_ok());
        assert_eq!(said.check(8).unwrap_err().code(), ErrorCode::Crc64Mismatch);
        Said { md5: Some(md5(b"")), crc64: None }.answer(0, &mut headers);
        assert_eq!(headers[CONTENT_MD5], "1B2M2Y8AsgTpgAmY7PhCfg==");
        let both = Said::read(&headers).unwrap_err();
        assert_eq!(both.code(), ErrorCode::BothCrc64AndMd5HeaderPresent);
        headers.remove(CONTENT_MD5);
        headers.insert(CONTENT_CRC64, "AAAA".parse().unwrap());
        assert_eq!(Said::read(&headers).unwrap_err().code(), ErrorCode::InvalidHeaderValue);
    }
}
