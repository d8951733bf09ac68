use ringfence_core::path::AbsPath;

use super::{Put, first_words, language_of, scripts_of, texts};

fn put(text: &str, append: bool) -> Put {
    Put { real: AbsPath::root(), text: text.to_owned(), append, exact: true }
}

#[test]
fn what_is_added_belongs_to_what_is_there() {
    let all = [put("a", false), put("b", true), put("c", false)];
    assert_eq!(texts(&all), ["ab", "c"]);
    assert_eq!(texts(&[put("b", true)]), ["b"]);
}

#[test]
fn languages_by_the_end_of_a_name() {
    assert_eq!(language_of("tests/a.py"), Some("python"));
    assert_eq!(language_of("a.txt"), None);
    assert_eq!(language_of("py"), None);
}

#[test]
fn words_at_which_a_command_may_begin() {
    let words = |text: &'static str| first_words(text).collect::<Vec<_>>();
    assert_eq!(words("new(\"rm\")"), ["new", "rm"]);
    assert_eq!(words("all:\n\trm x && /bin/rm y"), ["all", "rm", "bin", "rm"]);
    assert_eq!(words("// rm\nkeep the rm"), ["keep"]);
}

#[test]
fn scripts_of_a_package() {
    let text = r#"{"a": "git", "scripts": {"t": "echo } \" x"}, "b": "git"}"#;
    assert_eq!(scripts_of(text), r#": {"t": "echo } \" x""#);
    assert_eq!(scripts_of(r#"{"a": 1}"#), "");
}

#[test]
fn a_source_that_hides_what_it_starts_is_noticed() {
    let named = [
        r#"Command::new("git").arg("x")"#,
        r#"exec.Command("ls", "-l").Run()"#,
        r#"exec.CommandContext(ctx, "ls")"#,
        r#"Command::new(env!("CARGO_BIN_EXE_app"))"#,
        r#"int main(){puts("hi");}"#,
    ];
    let hidden = [
        r#"Command::new(["r","m"].concat())"#,
        r#"exec.Command("r"+"m", "x")"#,
        r#"exec.CommandContext(ctx, name)"#,
        r#"system(argv[1]);"#,
        r#"system("r" "m x");"#,
        r#"system("\x72m x");"#,
    ];
    assert!(named.iter().all(|text| !super::starts_unknown(text)));
    assert!(hidden.iter().all(|text| super::starts_unknown(text)));
}
