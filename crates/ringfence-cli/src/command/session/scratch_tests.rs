use super::*;

#[test]
fn names_become_patterns_that_match_at_least_them() {
    assert_eq!(one("a.b-c_D9"), "a.b-c_D9");
    assert_eq!(one("a*{b}\"\n"), "a??b???");
}

#[test]
fn the_name_in_tmp_is_the_first_part() {
    assert_eq!(in_tmp("/tmp/x/y"), Some("x"));
    assert_eq!(in_tmp("/tmp"), None);
    assert_eq!(in_tmp("/tmpx/y"), None);
}

#[test]
fn this_process_began_a_while_ago() {
    let own = i32::try_from(std::process::id()).unwrap();
    let began = began(own).unwrap();
    assert!(began < SystemTime::now() + Duration::from_secs(2));
    assert!(began > SystemTime::now() - Duration::from_secs(3600));
}
