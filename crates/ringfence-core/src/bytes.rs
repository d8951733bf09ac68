//! A binary format for data that is kept between runs.
//!
//! A number takes eight bytes in little-endian order; a text is preceded by its length. The reader
//! reports malformed bytes as `None`. Checking whether well-formed bytes can be trusted is the
//! caller's job.

/// An encoder that appends values to a buffer.
#[derive(Debug, Default)]
pub struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// Creates an empty buffer.
    pub fn new() -> ByteWriter {
        ByteWriter(Vec::with_capacity(16 << 10))
    }

    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Appends a boolean.
    pub fn flag(&mut self, flag: bool) {
        self.number(flag.into());
    }

    /// Appends a text or other bytes, preceded by their length.
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        let text = text.as_ref();
        self.number(text.len() as u64);
        self.0.extend_from_slice(text);
    }

    /// Appends whether a value is present, and then the value.
    pub fn maybe<T>(&mut self, own: Option<T>, one: impl FnOnce(&mut ByteWriter, T)) {
        self.flag(own.is_some());
        if let Some(own) = own {
            one(self, own);
        }
    }

    /// Appends the length of a list, and then each element.
    pub fn each<T>(
        &mut self,
        all: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut one: impl FnMut(&mut ByteWriter, T),
    ) {
        let all = all.into_iter();
        self.number(all.len() as u64);
        all.for_each(|own| one(self, own));
    }

    /// Returns all bytes written so far.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// A decoder for the bytes of a [`ByteWriter`]. Every method returns `None` for malformed bytes.
#[derive(Debug, Clone)]
pub struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    /// Starts to read at the beginning of the bytes.
    pub fn new(bytes: &'b [u8]) -> ByteReader<'b> {
        ByteReader(bytes)
    }

    /// Reads a number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Reads a number and converts it to `T`; `None` if it does not fit.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    /// Reads a boolean.
    pub fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Reads bytes that are preceded by their length.
    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.small()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    /// Reads a UTF-8 text that is preceded by its length.
    pub fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Reads an optional value, using `one` if the value is present.
    pub fn maybe<T>(
        &mut self,
        one: impl FnOnce(&mut ByteReader<'b>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.flag()? {
            true => one(self).map(Some),
            false => Some(None),
        }
    }

    /// Reads a list, using `one` for each element.
    pub fn each<T>(
        &mut self,
        mut one: impl FnMut(&mut ByteReader<'b>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let number = self.number()?;
        (0..number).map(|_| one(self)).collect()
    }

    /// Returns whether all bytes were read.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
#[path = "bytes_tests.rs"]
mod tests;
