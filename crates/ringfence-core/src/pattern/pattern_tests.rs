use super::*;

fn ok(text: &str) -> Pattern {
    Pattern::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn reason(text: &str) -> String {
    Pattern::parse(text).unwrap_err().reason().to_owned()
}

#[test]
fn every_pattern_prints_as_written() {
    for text in [
        "cmd:git:*",
        "cmd:git:push:*:--force",
        "cmd:npm run test:unit *",
        "cmd:make:",
        "sh",
        "fs:r:**",
        "fs:rw:@root/src/**/*.rs",
        "fs:d:~/x",
        "net:*.github.com:443",
        "net:10.0.0.0/8",
        "net:@npm",
        "listen:8080",
        "listen:*",
        "sock:@docker",
        "sock:/run/x.sock",
        "env:AWS_*",
        "tool:web_*",
        "mcp:github/get_*",
        "mcp:docs/resource:file:///srv/*",
        "mcp:docs/prompt:p",
        "mcp:docs/method:x/y",
        "keychain:shop/*",
        "@keychain",
    ] {
        assert_eq!(ok(text).to_string(), text);
        assert_eq!(ok(&ok(text).to_string()), ok(text), "{text}");
    }
    assert_eq!(ok("net").to_string(), "net:*");
    assert_eq!(ok("network"), ok("net:*"));
    assert_eq!(ok("tool:mcp__github__get_*"), ok("mcp:github/get_*"));
}

#[test]
fn a_flat_list_takes_only_prefixed_forms() {
    for text in ["git status", "git:*", "command:git", "cmd", "fs", "*", "", "read:x", "FS:r:x"] {
        assert!(Pattern::parse(text).is_err(), "{text}");
    }
}

#[test]
fn errors_come_with_a_hint() {
    for (text, expected) in [
        ("fs:read:x", "`r` to read"),
        ("fs:x", "fs:r:@root/**"),
        ("mcp:github", "mcp:github/*"),
        ("env:A=1", "the name alone"),
        ("net:http://x.example", "host alone"),
        ("net:*.10.0.0.1", "10.0.0.0/8"),
        ("net:git*.example", "*.example.com"),
        ("fs:r:@rooot/x", "@root"),
        ("keychain:shop", "keychain:shop/*"),
        ("sock:@docke", "@docker"),
        ("cdm:git:*", "cmd:git:*"),
    ] {
        let error = Pattern::parse(text).unwrap_err();
        let remedy = error.remedy().unwrap_or_default();
        assert!(remedy.contains(expected), "{text}: {remedy}");
        assert_eq!(error.text(), text);
    }
}

#[test]
fn the_ending_of_a_command_pattern_follows_its_text() {
    let ending = |text: &str| match ok(text) {
        Pattern::Command(command) => command.alternatives()[0].ending,
        _ => panic!("{text}"),
    };
    assert_eq!(ending("cmd:git"), Ending::Open);
    assert_eq!(ending("cmd:git:*"), Ending::Open);
    assert_eq!(ending("cmd:git:status"), Ending::BySide);
    assert_eq!(ending("cmd:git:push:*:--force"), Ending::Open);
    assert_eq!(ending("cmd:git:st*"), Ending::BySide);
    assert_eq!(ending("cmd:make:"), Ending::Closed);
}

#[test]
fn colons_quotes_and_backslashes_are_parsed() {
    let words = |text: &str| match ok(text) {
        Pattern::Command(command) => command.alternatives()[0].tokens.clone(),
        _ => panic!("{text}"),
    };
    let literal = |word: &str| Token::Literal(word.into());
    assert_eq!(words(r"cmd:npm:run:test\:unit")[2], literal("test:unit"));
    assert_eq!(words("cmd:npm run test:unit *")[2], literal("test:unit"));
    assert_eq!(words(r#"cmd:git commit -m "a * b""#)[3], literal("a * b"));
    assert_eq!(words(r"cmd:echo:\*")[1], literal("*"));
}

#[test]
fn braces_are_alternatives_and_lone_braces_are_text() {
    let count = |text: &str| match ok(text) {
        Pattern::Command(command) => command.alternatives().len(),
        Pattern::File(_, path) => path.alternatives().len(),
        _ => panic!("{text}"),
    };
    assert_eq!(count("cmd:git:{pull,push,{a,b}}"), 4);
    assert_eq!(count("cmd:xargs:-I:{}:*"), 1);
    assert_eq!(count("fs:r:{@root,~}/x"), 2);
    assert_eq!(count("fs:r:${HOME}/{a,b}"), 2);
    assert!(reason(&format!("fs:r:{}", "{a,b}".repeat(9))).contains("alternatives"));
}

#[test]
fn base_directories_are_kept_as_symbols() {
    let base = |text: &str| match ok(text) {
        Pattern::File(_, path) => path.alternatives()[0].base.clone(),
        _ => panic!("{text}"),
    };
    assert_eq!(base("fs:r:~/x"), Base::Home);
    assert_eq!(base("fs:r:@root/x"), Base::Root(0));
    assert_eq!(base("fs:r:@base/x"), Base::Root(0));
    assert_eq!(base("fs:r:src/**"), Base::Root(0));
    assert_eq!(base("fs:r:./src"), Base::Root(0));
    assert_eq!(base("fs:r:../lib/**"), Base::Root(1));
    assert_eq!(base("fs:r:**/.env"), Base::Slash);
    assert_eq!(base("fs:r:/etc"), Base::Slash);
    assert_eq!(base("fs:r:${HERMES_HOME}/x"), Base::Var("HERMES_HOME".into()));
    assert_eq!(base("fs:r:$HERMES_HOME/x"), Base::Var("HERMES_HOME".into()));
    for bad in ["fs:r:~u/x", "fs:r:@rot/x", "fs:r:${A/x", "fs:r:x/${A}", "fs:r:~/../x", "fs:r:"] {
        assert!(Pattern::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_slash_at_the_end_means_the_whole_directory() {
    let components = |text: &str| match ok(text) {
        Pattern::File(_, path) => path.alternatives()[0].components.clone(),
        _ => panic!("{text}"),
    };
    assert_eq!(components("fs:r:~/.ssh/"), components("fs:r:~/.ssh/**"));
}

#[test]
fn c122_patterns_that_would_cost_too_much_are_refused() {
    assert!(reason(&format!("fs:r:{}", "*a".repeat(1000))).contains("wildcards"));
    assert!(reason(&format!("fs:r:{}", "**/a/".repeat(600))).contains("wildcard"));
    assert!(reason(&format!("cmd:a:{}", "*:x:".repeat(500))).contains("stars"));
    assert!(reason(&"x".repeat(5000)).contains("longer"));
    assert_eq!(Glob::parse(&"*".repeat(1000)).unwrap(), Glob::any());
}

#[test]
fn globs_match_the_whole_text() {
    for (glob, yes, no) in [
        ("*.rs", "a.rs", "a.rsx"),
        ("a*b*c", "aXbYc", "aXcYb"),
        ("?", "ä", "ab"),
        ("[a-c]x", "bx", "dx"),
        ("[!a-c]x", "dx", "bx"),
        ("[]]", "]", "["),
        (r"\*", "*", "a"),
        ("", "", "a"),
        ("*", "anything", "\u{0}never"),
    ] {
        let parsed = Glob::parse(glob).unwrap();
        assert!(parsed.matches(yes), "{glob} {yes}");
        assert!(glob == "*" || !parsed.matches(no), "{glob} {no}");
        assert_eq!(Glob::parse(&parsed.to_string()).unwrap(), parsed, "{glob}");
    }
    for bad in ["[a", "a\\", "[z-a]", "["] {
        assert!(Glob::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn words_with_spaces_are_printed_in_a_form_that_parses_back() {
    for words in [
        ["git", "commit", "a b"],
        ["git", "it's so", "x"],
        ["echo", "", "y"],
        ["echo", "it's \"so\" and '\"", "y"],
        ["echo", "a {b,c} \\{d,e}", "{f,g} \\"],
        ["echo", "a *", "[x] ?\\*"],
    ] {
        let pattern = CommandPattern::of_words(words, Ending::BySide);
        let again = CommandPattern::parse(&pattern.to_string()).unwrap();
        assert_eq!(again.alternatives()[0].tokens, pattern.alternatives()[0].tokens, "{pattern}");
    }
}
