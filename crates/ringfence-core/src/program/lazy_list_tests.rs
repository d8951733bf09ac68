use super::super::{NamedList, TakesValue};
use super::*;

const OPTIONS: &str = "-o|--output=\twrite\n-v|--verbose\n--color[=]\ttext\n-e|-v=\ttext\tfirst\n\
                       -t=\tread,code awk\tlast\n-a\n-b\n-c\n-d";

fn options() -> NamedList<Arc<OptionSpec>> {
    NamedList::kept(OPTIONS, "tool")
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
    assert_eq!(all.named("-v").unwrap().roles, [WordRole::Text]);
    let last = all.named("-t").unwrap();
    assert_eq!((last.fills, last.spelling.takes), (Some(ReplacedOperand::Last), TakesValue::Value));
    assert_eq!(last.roles.len(), 2);
    assert_eq!(all.named("--color").unwrap().spelling.takes, TakesValue::Perhaps);
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
    let subs: NamedList<SubcommandSpec> = NamedList::kept("add|stage\nrm", "git");
    assert_eq!(&*subs.named("stage").unwrap().key, "git add");
    assert!(!subs.is_empty() && subs.named("add rm").is_none());
    assert!(NamedList::<SubcommandSpec>::kept("", "git").is_empty());
}

#[test]
fn added_items_follow_the_parsed_ones() {
    let mut subs: NamedList<SubcommandSpec> = NamedList::kept("add|stage", "git");
    subs.push(SubcommandSpec { names: Arc::from([Box::from("stage")]), key: "x".into() });
    assert_eq!((subs.len(), &*subs.named("stage").unwrap().key), (2, "git add"));
}
