use super::*;

#[test]
fn anything_but_a_clear_yes_is_a_no() {
    for (line, expected) in [
        ("y", Choice::Once),
        ("  YES ", Choice::Once),
        ("s", Choice::Session),
        ("always", Choice::Always),
        ("d", Choice::Never),
        ("never", Choice::Never),
        ("", Choice::No),
        ("n", Choice::No),
        ("yy", Choice::No),
        ("yes please", Choice::No),
        ("\u{1b}[Ay", Choice::No),
    ] {
        assert_eq!(Choice::of(line), expected, "{line:?}");
    }
}
