use super::*;

fn tally(text: &str) -> Tally {
    let mut tally = Tally::default();
    text.lines().for_each(|line| tally.add(line));
    tally
}

#[test]
fn both_runners_are_understood() {
    let nextest = "     Summary [   9.123s] 12 tests run: 10 passed (1 slow, 2 leaky), 1 failed, 1 timed out, 3 skipped";
    assert_eq!(tally(nextest), Tally { passed: 10, failed: 2 });
    let libtest = "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
                   test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
    assert_eq!(tally(libtest), Tally { passed: 10, failed: 2 });
}

#[test]
fn colour_does_not_hide_a_count() {
    let line = "\u{1b}[32;1m     Summary\u{1b}[0m [   1.0s] \u{1b}[1m5\u{1b}[0m tests run: \u{1b}[1m5\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m \u{1b}[33;1mskipped\u{1b}[0m";
    assert_eq!(tally(line), Tally { passed: 5, failed: 0 });
}

#[test]
fn other_lines_count_nothing() {
    assert_eq!(
        tally("running 3 tests\ntest a ... 3 passed, 1 failed\nSummary of it"),
        Tally::default()
    );
}

#[test]
fn skipped_tests_are_not_counted_as_passed() {
    let line = Tally { passed: 10, failed: 2 }.line(3);
    assert_eq!(line, "7 passed, 2 failed, 3 skipped");
}
