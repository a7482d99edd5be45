/// Row of an encrypted property. The value cannot be decrypted in any other row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) table: &'p str,
    pub(crate) partition_key: &'p str,
    pub(crate) row_key: &'p str,
}
