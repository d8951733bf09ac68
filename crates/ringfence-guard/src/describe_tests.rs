use proptest::prelude::*;
use ringfence_core::access::Program;
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::pattern::{Base, Component, Token};

use super::*;

fn writing(path: &str, extent: Extent) -> AccessKind {
    let path = FilePath::named(AbsPath::new(path).unwrap());
    AccessKind::File(FileAccess { op: FileOp::Write, extent, path })
}

/// Draws names that a program might choose.
fn name() -> impl Strategy<Value = String> {
    let odd = r#"[*?\[\]{},\\$~@!^:'" a.\u{202e}\u{e9}#|-]{1,8}"#;
    prop_oneof![odd, "[a-z]{1,4}", Just("**".to_owned()), Just("${HOME}".to_owned())]
        .prop_filter("a name", |name| name != "." && name != "..")
}

fn exec(words: &[String]) -> AccessKind {
    let (name, args) = words.split_first().unwrap();
    let args = args.iter().map(|word| word.as_str().into()).collect();
    AccessKind::Exec(
        Exec::new(
            Program { invoked: name.as_str().into(), file: None, known_as: None },
            args,
            AbsPath::root(),
        )
        .into(),
    )
}

proptest! {
    #[test]
    fn the_pattern_for_a_path_is_that_path_alone(names in prop::collection::vec(name(), 1..5)) {
        let path = format!("/{}", names.join("/"));
        let text = pattern_for(&writing(&path, Extent::One)).unwrap();
        let Ok(Pattern::File(_, pattern)) = Pattern::parse(&text) else { panic!("{text}") };
        let [only] = pattern.alternatives() else { panic!("{text}") };
        let literals = names.iter().map(|name| Component::Literal(name.as_str().into()));
        prop_assert_eq!(&only.base, &Base::Slash);
        prop_assert_eq!(&only.components, &literals.collect::<Vec<_>>());
    }

    #[test]
    fn the_exact_pattern_is_these_words_alone(words in prop::collection::vec(name(), 1..5)) {
        let what = exec(&words);
        let Some(text) = exact_pattern_for(&what) else {
            // The only exception: a single program whose name contains a space.
            prop_assert!(words.len() == 1 && words[0].contains(' '));
            return Ok(());
        };
        let Ok(Pattern::Command(pattern)) = Pattern::parse(&text) else { panic!("{text}") };
        let [only] = pattern.alternatives() else { panic!("{text}") };
        let literals = words.iter().map(|word| Token::Literal(word.as_str().into()));
        prop_assert_eq!(&only.tokens, &literals.collect::<Vec<_>>());
        prop_assert!(only.ending != Ending::Open);
    }
}

#[test]
fn a_name_that_is_a_glob_grants_nothing_else() {
    let pattern = |path: &str| pattern_for(&writing(path, Extent::One));
    assert_eq!(pattern("/h/**").as_deref(), Some(r"fs:w:/h/\*\*"));
    assert_eq!(pattern("/h/{a,b}?").as_deref(), Some(r"fs:w:/h/\{a,b}\?"));
    assert_eq!(pattern("/h/a b").as_deref(), Some("fs:w:/h/a b"));
    let below = pattern_for(&writing("/h/[x]", Extent::Tree));
    assert_eq!(below.as_deref(), Some(r"fs:w:/h/\[x]{,/**}"));
}

/// A grant of `/h/x/**` covers reading `/h/x` and everything below, but not creating or removing
/// `/h/x`.
#[test]
fn the_pattern_for_a_tree_grants_its_top() {
    let path = || FilePath::named(AbsPath::new("/h/x").unwrap());
    let check = |op: FileOp, extent: Extent, expected: &str| {
        let text = pattern_for(&AccessKind::File(FileAccess { op, extent, path: path() }));
        assert_eq!(text.as_deref(), Some(expected));
    };
    for extent in [Extent::Unknown, Extent::Tree] {
        check(FileOp::Read, extent, "fs:r:/h/x/**");
        check(FileOp::Write, extent, "fs:w:/h/x{,/**}");
        check(FileOp::Delete, extent, "fs:d:/h/x{,/**}");
    }
    check(FileOp::Write, Extent::Below, "fs:w:/h/x/**");
    check(FileOp::Write, Extent::One, "fs:w:/h/x");
}

/// A rule on `git push` asks about `git -C . push`. Neither `cmd:git:*` nor `cmd:git:-C:.:push:`
/// outranks it.
#[test]
fn options_before_a_subcommand_are_left_out() {
    let words = ["git", "-C", ".", "push"].map(str::to_owned);
    let AccessKind::Exec(exec) = exec(&words) else { panic!() };
    let reading =
        vec![WordMeaning::OneOf(["push".into()].into()), WordMeaning::OneOf(["-C".into()].into())];
    let read = AccessKind::Exec(Exec { reading: Some(reading), ..(*exec).clone() }.into());
    assert_eq!(pattern_for(&read).as_deref(), Some("cmd:git:push:*"));
    assert_eq!(outranking_pattern_for(&read).as_deref(), Some("cmd:git:push:*"));
    assert_eq!(exact_pattern_for(&read).as_deref(), Some("cmd:git:-C:.:push:"));
    assert_eq!(pattern_for(&AccessKind::Exec(exec)).as_deref(), Some("cmd:git:*"));
}

#[test]
fn a_question_is_outranked_by_the_exact_words() {
    let words = ["npx", "-y", "cowsay"].map(str::to_owned);
    assert_eq!(outranking_pattern_for(&exec(&words)).as_deref(), Some("cmd:npx:-y:cowsay:"));
    let words = ["git", "push", "-f"].map(str::to_owned);
    assert_eq!(outranking_pattern_for(&exec(&words)).as_deref(), Some("cmd:git:push:-f:"));
}

#[test]
fn accesses_without_a_pattern_have_none() {
    assert_eq!(pattern_for(&writing("/h/a\nb", Extent::One)), None);
    assert_eq!(pattern_for(&writing("/h/\x1b[2K", Extent::One)), None);
    assert_eq!(pattern_for(&writing(&"/*".repeat(1500), Extent::One)), None);
    assert_eq!(pattern_for(&AccessKind::SetEnv("A B".into())), None);
    let of = |server: &str, item: &str| McpItem { server: server.into(), item: item.into() };
    assert_eq!(pattern_for(&AccessKind::Resource(of("a/b", "x"))), None);
    assert_eq!(pattern_for(&AccessKind::Prompt(of("*", "x"))).as_deref(), Some(r"mcp:\*/prompt:x"));
}

#[test]
fn a_deed_has_its_directory() {
    let words = ["git".to_owned(), "push".to_owned()];
    let AccessKind::Exec(exec) = exec(&words) else { panic!() };
    let at = |path: &str| {
        let cwd = AbsPath::new(path).unwrap();
        exact_access_text(&AccessKind::Exec(Exec { cwd, ..(*exec).clone() }.into()))
    };
    assert_eq!(at("/a").as_deref(), Some("cmd:git:push: in /a"));
    assert_ne!(at("/a"), at("/b"));
}
