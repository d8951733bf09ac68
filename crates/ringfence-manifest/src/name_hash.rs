// The build script writes tables by this and the crate looks into them by it: both include this file.

/// Where the search for a name begins in a table whose length is a power of two: FNV-1a.
pub(crate) fn first_slot(name: &str, length: usize) -> usize {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = name.bytes().fold(0x811c_9dc5, mix);
    // The high bits depend on all of the name.
    (hash ^ (hash >> 15)) as usize & length.saturating_sub(1)
}
