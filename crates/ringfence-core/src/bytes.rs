//! Plain bytes: what is kept from one run to the next is written and read so.
//!
//! Numbers have eight bytes, texts their length in front. Whoever reads is told at once that bytes
//! are not what was written, and never more: whether to believe them is not decided here.

/// Writes bytes.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Nothing written yet.
    pub fn new() -> Writer {
        Writer(Vec::with_capacity(16 << 10))
    }

    /// A number.
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// A yes or a no.
    pub fn flag(&mut self, flag: bool) {
        self.number(flag.into());
    }

    /// A text, or any other bytes.
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        let text = text.as_ref();
        self.number(text.len() as u64);
        self.0.extend_from_slice(text);
    }

    /// Something, or that there is nothing.
    pub fn maybe<T>(&mut self, own: Option<T>, one: impl FnOnce(&mut Writer, T)) {
        self.flag(own.is_some());
        if let Some(own) = own {
            one(self, own);
        }
    }

    /// A list.
    pub fn each<T>(
        &mut self,
        all: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut one: impl FnMut(&mut Writer, T),
    ) {
        let all = all.into_iter();
        self.number(all.len() as u64);
        all.for_each(|own| one(self, own));
    }

    /// All that was written.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads what a [`Writer`] wrote; `None` where that is not what is there.
#[derive(Debug, Clone)]
pub struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// These bytes, from their beginning.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader(bytes)
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// A number that is small enough.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    /// A yes or a no.
    pub fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Any bytes.
    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.small()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Something, or that there is nothing.
    pub fn maybe<T>(
        &mut self,
        one: impl FnOnce(&mut Reader<'b>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.flag()? {
            true => one(self).map(Some),
            false => Some(None),
        }
    }

    /// A list.
    pub fn each<T>(&mut self, mut one: impl FnMut(&mut Reader<'b>) -> Option<T>) -> Option<Vec<T>> {
        let number = self.number()?;
        (0..number).map(|_| one(self)).collect()
    }

    /// Whether all was read.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
#[path = "bytes_tests.rs"]
mod tests;
