use super::*;

#[test]
fn unix_days_and_back_agree_over_two_centuries() {
    for days in 0..73_000 {
        assert_eq!(Date::from_unix_days(days).unix_days(), days);
    }
    assert_eq!(Date::from_unix_days(0).to_string(), "1970-01-01");
    assert_eq!(Date::from_unix_days(20_772).to_string(), "2026-11-15");
}

#[test]
fn only_existing_dates_parse() {
    assert!("2027-02-28".parse::<Date>().is_ok());
    for text in ["2027-02-29", "2027-13-01", "27-1-1", "2027-03-01T00:00", "", "2027-00-10"] {
        assert!(text.parse::<Date>().is_err(), "{text}");
    }
}
