use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn names_are_taken_apart_alike(name in "[a-z0-9_]{0,12}|(old|new|link|to|src|target|glob|text)(_(path|name|file|uri|s|text))?") {
        let by_words = words(&name).join("_");
        prop_assert_eq!(
            format!("{:?}", Key::new(&name, &[])),
            format!("{:?}", Key::new(&by_words, &[])),
        );
        prop_assert_eq!(
            format!("{:?}", Key::new(&name, &[])),
            format!("{:?}", Key::new(&name.replace('_', "-"), &[])),
        );
    }
}
