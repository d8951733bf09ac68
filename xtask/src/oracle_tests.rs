use std::time::Duration;

use super::{Counts, Wanted};

#[test]
fn time_and_seed_are_read() {
    let wanted = Wanted::parse(&["--minutes", "3", "--seed", "7"]).ok();
    assert_eq!(wanted, Some(Wanted { time: Duration::from_secs(180), seed: 7 }));
    assert_eq!(Wanted::parse(&[]).ok().map(|wanted| wanted.seed), Some(1));
    for wrong in [&["--minutes"][..], &["--minutes", "x"], &["--lines", "3"], &["3"]] {
        assert!(Wanted::parse(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn counts_of_rounds_are_added() {
    let mut counts = Counts::default();
    counts.add("oracle effects: 10 lines, 2 differences");
    counts.add("some other line: 3 lines");
    counts.add("oracle effects: 5 lines, 0 differences");
    assert_eq!(counts.text(), "effects: 15 lines, 2 differences\n");
}
