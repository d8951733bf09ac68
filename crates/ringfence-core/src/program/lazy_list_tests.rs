use super::super::{ByName, Takes};
use super::*;

const OPTIONS: &str = "-o|--output=\twrite\n-v|--verbose\n--color[=]\ttext\n-e|-v=\ttext\tfirst\n\
                       -t=\tread,code awk\tlast\n-a\n-b\n-c\n-d";

fn options() -> ByName<Arc<OptionSpec>> {
    ByName::kept(OPTIONS, "tool")
}

#[test]
fn a_single_lookup_and_the_whole_list_give_the_same_item() {
    let all = options();
    assert_eq!(all.len(), 9);
    for spec in &all {
        for name in &*spec.spelling.names {
            let alone = options();
            assert_eq!(alone.named(name), all.named(name), "{name}");
        }
    }
    assert_eq!(all.named("-v").unwrap().roles, [Role::Text]);
    let last = all.named("-t").unwrap();
    assert_eq!((last.fills, last.spelling.takes), (Some(Fills::Last), Takes::Value));
    assert_eq!(last.roles.len(), 2);
    assert_eq!(all.named("--color").unwrap().spelling.takes, Takes::Perhaps);
}

#[test]
fn repeated_lookups_give_the_same_item() {
    let options = options();
    for _ in 0..3 {
        for name in ["-o", "-v", "-e", "-t", "-a", "-b", "-c", "-d", "--verbose", "--output"] {
            assert!(options.named(name).unwrap().spelling.has(name), "{name}");
        }
        for name in ["", "-", "-x", "--out", "--color[=]", "-o|--output", "write"] {
            assert_eq!(options.named(name), None, "{name}");
        }
    }
}

#[test]
fn subcommand_keys_start_with_the_program() {
    let subs: ByName<Sub> = ByName::kept("add|stage\nrm", "git");
    assert_eq!(&*subs.named("stage").unwrap().key, "git add");
    assert!(!subs.is_empty() && subs.named("add rm").is_none());
    assert!(ByName::<Sub>::kept("", "git").is_empty());
}

#[test]
fn added_items_follow_the_parsed_ones() {
    let mut subs: ByName<Sub> = ByName::kept("add|stage", "git");
    subs.push(Sub { names: Arc::from([Box::from("stage")]), key: "x".into() });
    assert_eq!((subs.len(), &*subs.named("stage").unwrap().key), (2, "git add"));
}
