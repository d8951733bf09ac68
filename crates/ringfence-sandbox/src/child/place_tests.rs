use super::*;

#[test]
fn whoever_is_let_go_may_run_where_the_supervisor_may() {
    let before = Processors::of(SELF).unwrap();
    let Some(place) = Place::here() else { return };
    place.keep_off(SELF);
    assert_eq!(Processors::of(SELF), Ok(place.others));
    place.let_go();
    assert_eq!(Processors::of(SELF), Ok(before));
}

#[test]
fn what_somebody_chose_is_kept() {
    let Some(Place { others, .. }) = Place::here() else { return };
    let chosen = Place { all: others, others };
    chosen.let_go();
    assert_eq!(Processors::of(SELF), Ok(others));
}
