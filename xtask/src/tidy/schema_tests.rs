use super::*;

#[test]
fn the_first_line_that_differs_is_named() {
    assert_eq!(stale_from("a\nb\n", "a\nb\n"), None);
    assert_eq!(stale_from("a\nb\n", "a\nc\n"), Some(2));
    assert_eq!(stale_from("a\n", "a\nb\n"), Some(2));
    assert_eq!(stale_from("a", "a\n"), Some(2));
}

#[test]
fn no_schema_yet_is_no_fault() -> Result<(), String> {
    let found = check(Path::new("."), &Tree::of(&[("README.md", "")]));
    assert_eq!(found.map_err(|Failure(message)| message)?, None);
    Ok(())
}
