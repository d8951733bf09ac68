use std::time::Duration;

use super::*;

/// A limit that even a busy machine does not reach.
const LONG: Duration = Duration::from_secs(120);

#[test]
fn a_result_within_the_limit_is_returned() {
    assert_eq!(run_with_timeout(LONG, || 7), Ok(7));
}

#[test]
fn a_panic_is_an_error() {
    let said = run_with_timeout(LONG, || -> u8 { panic!("on purpose") });
    assert!(said.unwrap_err().contains("internal error"));
}

#[test]
fn a_timeout_is_an_error() {
    let said =
        run_with_timeout(Duration::from_millis(20), || thread::sleep(Duration::from_secs(30)));
    assert!(said.unwrap_err().contains("longer than 0.02 s"));
}

#[test]
fn a_panic_in_the_current_thread_is_caught() {
    assert_eq!(catch_panic(|| 7), Ok(7));
    let said = catch_panic(|| -> u8 { panic!("on purpose") });
    assert!(said.unwrap_err().contains("internal error"));
}
