use super::*;

#[test]
fn target_and_time_are_optional() {
    let check = |arguments: &[&str], target: Option<&str>, seconds| {
        let expected = Wanted { target: target.map(str::to_owned), seconds };
        assert_eq!(Wanted::parse(arguments).ok(), Some(expected), "{arguments:?}");
    };
    check(&[], None, DEFAULT_SECONDS);
    check(&["url"], Some("url"), DEFAULT_SECONDS);
    check(&["--seconds", "5"], None, 5);
    check(&["url", "--seconds", "5"], Some("url"), 5);
}

#[test]
fn anything_else_is_refused() {
    for arguments in [&["--seconds"][..], &["--seconds", "x"], &["a", "b"], &["--fast"]] {
        assert!(Wanted::parse(arguments).is_err(), "{arguments:?}");
    }
}
