//! From byte offsets to lines and columns.

/// The distance between two places whose character count is known, in bytes.
const STRIDE: usize = 256;

/// Where the lines of a text start.
///
/// Finding a column costs the same wherever it lies, also in a text of one very long line.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// The offset at which each line starts.
    starts: Vec<usize>,
    /// How many characters start before each multiple of [`STRIDE`]; empty for ASCII.
    counts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Lines<'t> {
        let mut starts = vec![0];
        let (mut at, mut left) = (0usize, text.as_bytes());
        while let Some(end) = left.iter().position(|byte| *byte == b'\n') {
            at = at.saturating_add(end).saturating_add(1);
            starts.push(at);
            left = left.get(end.saturating_add(1)..).unwrap_or_default();
        }
        Lines { text, starts, counts: count_chars(text) }
    }

    /// The line and the column in characters, both counted from 1.
    pub(crate) fn locate(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.chars_before(offset).saturating_sub(self.chars_before(start));
        (clamp(line), clamp(column.saturating_add(1)))
    }

    /// The stretch of the line in which an offset lies, without its end.
    pub(crate) fn line_at(&self, offset: usize) -> (usize, &'t str) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let end = self.starts.get(line).map_or(self.text.len(), |next| next.saturating_sub(1));
        let text = self.text.get(start..end.max(start)).unwrap_or("");
        (start, text.strip_suffix('\r').unwrap_or(text))
    }

    fn chars_before(&self, offset: usize) -> usize {
        if self.counts.is_empty() {
            return offset;
        }
        let block = offset / STRIDE;
        let counted = self.counts.get(block).copied().unwrap_or(0);
        let from = block.saturating_mul(STRIDE);
        let rest = self.text.as_bytes().get(from..offset).unwrap_or(&[]);
        counted.saturating_add(rest.iter().filter(|byte| starts_char(**byte)).count())
    }
}

fn count_chars(text: &str) -> Vec<usize> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut total = 0usize;
    let blocks = text.as_bytes().chunks(STRIDE).map(|block| {
        let before = total;
        let here = block.iter().filter(|byte| starts_char(**byte)).count();
        total = total.saturating_add(here);
        before
    });
    let mut counts: Vec<usize> = blocks.collect();
    counts.push(total);
    counts
}

fn starts_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
