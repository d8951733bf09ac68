use super::*;
use crate::skip::skip;

#[test]
fn sets_are_subtracted() {
    let (one, two) = (Processors([0b01; WORDS]), Processors([0b11; WORDS]));
    assert_eq!(two.without(&one), Some(Processors([0b10; WORDS])));
    assert_eq!(one.without(&two), None);
    assert!(two.has(&one) && !one.has(&two) && Processors::ALL.has(&two));
}

#[test]
fn a_thread_runs_where_it_may() {
    let all = Processors::of(SELF).unwrap();
    for _ in 0..50 {
        let here = Processors::here().unwrap();
        assert!(all.has(&here));
        let Some(others) = all.without(&here) else {
            return skip("there is but one processor");
        };
        others.allow(SELF).unwrap();
        assert_eq!(Processors::of(SELF), Ok(others));
        assert!(others.has(&Processors::here().unwrap()));
        all.allow(SELF).unwrap();
    }
}
