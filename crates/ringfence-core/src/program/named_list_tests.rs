use super::*;

fn sub(names: &[&str]) -> SubcommandSpec {
    SubcommandSpec {
        names: names.iter().map(|name| Box::from(*name)).collect(),
        key: names.concat().into(),
    }
}

#[test]
fn items_are_found_by_any_of_their_names() {
    let subs = NamedList::from_iter([sub(&["add", "stage"]), sub(&["rm"])]);
    let found = |name: &str| subs.named(name).map(|sub| &*sub.key);
    assert_eq!(found("add"), Some("addstage"));
    assert_eq!(found("stage"), Some("addstage"));
    assert_eq!(found("rm"), Some("rm"));
    assert_eq!(found("stag"), None);
}

#[test]
fn a_lookup_returns_the_first_item_with_the_name() {
    let subs = NamedList::from_iter([sub(&["a", "b"]), sub(&["b", "c"])]);
    assert_eq!(subs.named("b"), subs.first());
    assert_eq!(subs.named("c"), subs.last());
}
