use super::*;
use crate::skip::skip;

#[test]
fn whoever_is_let_go_may_run_where_the_supervisor_may() {
    let before = Processors::of(SELF).unwrap();
    let Some(place) = Place::here() else { return skip("there is but one processor") };
    place.keep_off(SELF);
    assert_eq!(Processors::of(SELF), Ok(place.others));
    place.let_go();
    assert_eq!(Processors::of(SELF), Ok(before));
}

#[test]
fn what_somebody_chose_is_kept() {
    let Some(Place { others, .. }) = Place::here() else {
        return skip("there is but one processor");
    };
    let chosen = Place { all: others, others };
    chosen.let_go();
    assert_eq!(Processors::of(SELF), Ok(others));
}
