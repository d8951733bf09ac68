use proptest::prelude::*;

use super::expand;

#[test]
fn a_group_expands_to_its_choices_and_other_text_stays() {
    for (text, expected) in [
        ("", vec![""]),
        ("plain", vec!["plain"]),
        ("{a,b}", vec!["a", "b"]),
        ("x{a,b}y{c,d}", vec!["xayc", "xayd", "xbyc", "xbyd"]),
        ("{a{b,c},d}", vec!["ab", "ac", "d"]),
        ("{,a}b", vec!["b", "ab"]),
        ("{é,ü}ß", vec!["éß", "üß"]),
        // These texts stay as they are: no comma, not closed, or escaped.
        ("{}{x}", vec!["{}{x}"]),
        ("{x{a,b}}", vec!["{xa}", "{xb}"]),
        ("{x{a,b},c", vec!["{xa,c", "{xb,c"]),
        ("a}{b,c}", vec!["a}b", "a}c"]),
        (r"\{a,b}", vec![r"\{a,b}"]),
        (r"{a\,b,c}", vec![r"a\,b", "c"]),
        (r"{a,\é}", vec!["a", r"\é"]),
        (r"{a,b\", vec![r"{a,b\"]),
        // `${NAME}` is a variable and no group, also if a group ends in the dollar sign.
        ("${A,B}", vec!["${A,B}"]),
        ("{a$,b}{c,d}", vec!["a${c,d}", "bc", "bd"]),
    ] {
        assert_eq!(expand(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn too_many_alternatives_are_an_error() {
    assert!(expand(&"{a,b}".repeat(40)).is_err());
}

proptest! {
    #[test]
    fn every_choice_is_used_once(groups in prop::collection::vec(prop::collection::vec("[a-zé]{0,3}", 2..4), 0..4)) {
        let text: String = groups.iter().map(|own| format!("{{{}}}", own.join(","))).collect();
        let mut expected = vec![String::new()];
        for group in &groups {
            expected = expected
                .iter()
                .flat_map(|own| group.iter().map(move |choice| format!("{own}{choice}")))
                .collect();
        }
        prop_assert_eq!(expand(&text).unwrap(), expected);
    }

    #[test]
    fn no_text_panics_the_expansion(text in r"[{},\\$aé]{0,24}") {
        let _ = expand(&text);
    }
}
