//! Durations and sizes, as documents write them.

/// Seconds of each unit of time.
const TIMES: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
/// Bytes of each unit of size.
const SIZES: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("kB", 1_000),
    ("B", 1),
];

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Seconds.
    Time,
    /// Bytes.
    Size,
}

impl Quantity {
    fn units(self) -> &'static [(&'static str, u64)] {
        match self {
            Quantity::Time => &TIMES,
            Quantity::Size => &SIZES,
        }
    }

    /// Reads a whole number with its unit; the reason where it is none.
    pub(crate) fn parse(self, text: &str) -> Result<u64, String> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at_checked(digits).unwrap_or(("", text));
        let number: u64 = match number.parse() {
            Ok(0) => return Err(format!("`{text}` leaves nothing")),
            Ok(number) => number,
            Err(_) => return Err(format!("`{text}` is no whole number with a unit")),
        };
        let known = self.units().iter().find(|(name, _)| *name == unit.trim_start());
        let Some((_, size)) = known else {
            return Err(match unit {
                "" => format!("`{text}` has no unit"),
                unit => format!("`{unit}` is no unit of {}", self.word()),
            });
        };
        number.checked_mul(*size).ok_or_else(|| format!("`{text}` is too much"))
    }

    /// What would have been right.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Quantity::Time => "write `90s`, `10m`, `2h` or `1d`",
            Quantity::Size => "write `64kB`, `512MiB` or `2GiB`",
        }
    }

    /// A number as people write it: in the largest unit that divides it.
    pub(crate) fn write(self, number: u64) -> String {
        let divides = |unit: &&(&str, u64)| number.checked_rem(unit.1) == Some(0);
        // The binary unit comes before the decimal one of its size, and is tried first.
        let (unit, size) = self.units().iter().find(divides).copied().unwrap_or(("", 1));
        format!("{}{unit}", number.checked_div(size).unwrap_or(number))
    }

    fn word(self) -> &'static str {
        match self {
            Quantity::Time => "time",
            Quantity::Size => "size",
        }
    }
}

#[cfg(test)]
#[path = "quantity_tests.rs"]
mod tests;
