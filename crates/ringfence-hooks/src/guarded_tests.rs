use std::time::Duration;

use super::*;

/// Longer than any machine is busy.
const LONG: Duration = Duration::from_secs(120);

#[test]
fn what_is_said_in_time_counts() {
    assert_eq!(guarded(LONG, || 7), Ok(7));
}

#[test]
fn a_judge_that_panics_has_said_no() {
    let said = guarded(LONG, || -> u8 { panic!("on purpose") });
    assert!(said.unwrap_err().contains("error of its own"));
}

#[test]
fn a_judge_that_takes_too_long_has_said_no() {
    let said = guarded(Duration::from_millis(20), || thread::sleep(Duration::from_secs(30)));
    assert!(said.unwrap_err().contains("longer than 0.02 s"));
}

#[test]
fn what_is_said_in_this_thread_counts_unless_it_panics() {
    assert_eq!(caught(|| 7), Ok(7));
    let said = caught(|| -> u8 { panic!("on purpose") });
    assert!(said.unwrap_err().contains("error of its own"));
}
