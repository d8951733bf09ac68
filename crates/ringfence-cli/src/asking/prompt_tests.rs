use super::*;

#[test]
fn anything_but_a_clear_yes_is_a_no() {
    for (line, expected) in [
        ("y", Choice::Once),
        ("  YES ", Choice::Once),
        ("s", Choice::Session(None)),
        ("s2", Choice::Session(Some(2))),
        ("a 3", Choice::Always(Some(3))),
        ("p1", Choice::Here(Some(1))),
        ("d2", Choice::Never(Some(2))),
        ("always", Choice::Always(None)),
        ("d", Choice::Never(None)),
        ("never", Choice::Never(None)),
        ("", Choice::No),
        ("2", Choice::No),
        ("y2", Choice::No),
        ("s0", Choice::No),
        ("s-1", Choice::No),
        ("s1x", Choice::No),
        ("s99999999999999999999999", Choice::No),
        ("n", Choice::No),
        ("yy", Choice::No),
        ("yes please", Choice::No),
        ("\u{1b}[Ay", Choice::No),
    ] {
        assert_eq!(Choice::of(line), expected, "{line:?}");
    }
}
