use super::*;

#[test]
fn dates_are_numbers_between_signs() {
    assert_eq!(dated(&["+%F"]).as_deref(), Some("\u{1}-\u{1}-\u{1}"));
    assert_eq!(dated(&["-u", "+%Y.%mT%H:%MZ"]).as_deref(), Some("\u{1}.\u{1}T\u{1}:\u{1}Z"));
    for args in [
        vec!["+%b"],
        vec!["+%"],
        vec!["+-%Y"],
        vec!["+a b"],
        vec!["+$x"],
        vec![],
        vec!["-s", "+%F"],
    ] {
        assert_eq!(dated(&args), None, "{args:?}");
    }
}
