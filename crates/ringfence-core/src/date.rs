//! Calendar dates, for rules that expire.

use std::fmt;
use std::str::FromStr;

/// A calendar date (proleptic Gregorian), ordered by time.
///
/// The judge reads no clock. The caller that compiles a policy passes the current date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Creates a date; `None` if the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let in_calendar = (1..=days_in_month(year, month)).contains(&day);
        in_calendar.then_some(Date { year, month, day })
    }

    /// Returns the date `days` days after 1 January 1970.
    pub fn from_unix_days(days: u32) -> Date {
        // The usual civil-from-days algorithm: the year starts in March, so that a leap day comes
        // last.
        let shifted = u64::from(days).saturating_add(719_468);
        let era = shifted / 146_097;
        let day_of_era = shifted % 146_097;
        let leap_days = (day_of_era / 1_460).saturating_add(day_of_era / 146_096);
        let year_of_era =
            day_of_era.saturating_add(day_of_era / 36_524).saturating_sub(leap_days) / 365;
        let before_year = year_of_era
            .saturating_mul(365)
            .saturating_add(year_of_era / 4)
            .saturating_sub(year_of_era / 100);
        let day_of_year = day_of_era.saturating_sub(before_year);
        let shifted_month = day_of_year.saturating_mul(5).saturating_add(2) / 153;
        let before_month = shifted_month.saturating_mul(153).saturating_add(2) / 5;
        let day = day_of_year.saturating_sub(before_month).saturating_add(1);
        let month = if shifted_month < 10 {
            shifted_month.saturating_add(3)
        } else {
            shifted_month.saturating_sub(9)
        };
        let year = era
            .saturating_mul(400)
            .saturating_add(year_of_era)
            .saturating_add(u64::from(month <= 2));
        Date {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month: u8::try_from(month).unwrap_or(12),
            day: u8::try_from(day).unwrap_or(31),
        }
    }

    /// Returns the number of days since 1 January 1970; zero for earlier dates.
    pub fn unix_days(self) -> u32 {
        let mut days = 0u32;
        for year in 1970..self.year {
            days = days.saturating_add(if is_leap(year) { 366 } else { 365 });
        }
        for month in 1..self.month {
            days = days.saturating_add(u32::from(days_in_month(self.year, month)));
        }
        days.saturating_add(u32::from(self.day)).saturating_sub(1)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The error for a text that is not a date of the form `2027-03-01`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadDate(pub String);

impl fmt::Display for BadDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a date of the form `2027-03-01`", self.0)
    }
}

impl std::error::Error for BadDate {}

impl FromStr for Date {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadDate(text.to_owned());
        let mut fields = text.split('-');
        let (Some(year), Some(month), Some(day), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(bad());
        };
        if year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return Err(bad());
        }
        let year = year.parse().map_err(|_| bad())?;
        let month = month.parse().map_err(|_| bad())?;
        let day = day.parse().map_err(|_| bad())?;
        Date::new(year, month, day).ok_or_else(bad)
    }
}

fn is_leap(year: u16) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
#[path = "date_tests.rs"]
mod tests;
