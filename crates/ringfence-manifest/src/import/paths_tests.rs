use super::{crossing, gitignore};

fn ignored(text: &str, expected: &[&str]) {
    assert_eq!(gitignore(text, "@root", "~/.claude").unwrap(), expected, "{text}");
}

#[test]
fn gitignore_patterns_have_four_anchors() {
    ignored("//etc/hosts", &["/etc/hosts", "/etc/hosts/**"]);
    ignored("~/.zshrc", &["~/.zshrc", "~/.zshrc/**"]);
    ignored("/docs/**", &["~/.claude/docs/**"]);
    ignored("./.env", &["@root/.env", "@root/.env/**"]);
    ignored("src/*.ts", &["@root/src/*.ts", "@root/src/*.ts/**"]);
}

#[test]
fn a_name_alone_is_at_any_depth() {
    ignored(".env", &["@root/**/.env", "@root/**/.env/**"]);
    ignored("**/.env", &["@root/**/.env", "@root/**/.env/**"]);
    ignored("build/", &["@root/**/build/**"]);
    ignored("//**/.env", &["/**/.env", "/**/.env/**"]);
}

#[test]
fn what_others_take_for_plain_is_plain() {
    ignored("src/{a,b}", &["@root/src/\\{a,b}", "@root/src/\\{a,b}/**"]);
    assert!(gitignore("!x", "@root", "@root").is_err());
    assert!(gitignore("../x", "@root", "@root").is_err());
}

fn crossed(text: &str, expected: &[&str]) {
    assert_eq!(crossing(text).unwrap(), expected, "{text}");
}

#[test]
fn a_star_that_crosses_slashes_is_deep() {
    crossed("*", &["**"]);
    crossed("*.env", &["**/*.env"]);
    crossed("docs/*", &["@root/docs/**"]);
    crossed("docs/*.md", &["@root/docs/**/*.md"]);
    crossed("src/a*", &["@root/src/a*", "@root/src/a*/**"]);
    crossed("src/a*/b", &["@root/src/a*/**/b"]);
    crossed("src/a*b", &["@root/src/a*b", "@root/src/a*/**/*b"]);
    crossed("$HOME/p/*", &["~/p/**"]);
    assert!(crossing("../x").is_err());
}
