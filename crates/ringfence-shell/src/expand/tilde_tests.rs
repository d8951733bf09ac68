use crate::list;

fn check(line: &str, wanted: &[Option<&str>]) {
    let listing = list(&format!("c {line}"), "/h");
    let argv: Vec<_> =
        listing.commands[0].argv.iter().skip(1).map(|word| word.as_deref()).collect();
    assert_eq!(argv, wanted, "{line}");
}

fn check_value(line: &str, wanted: Option<&str>) {
    let listing = list(line, "/h");
    assert_eq!(listing.commands[0].assigns[0].1.as_deref(), wanted, "{line}");
}

#[test]
fn at_the_beginning_of_a_word() {
    check("~ ~/ ~/x ~:x", &[Some("/h"), Some("/h/"), Some("/h/x"), Some("/h:x")]);
    check("a~ x:~/y --a=~/x", &[Some("a~"), Some("x:~/y"), Some("--a=~/x")]);
}

#[test]
fn quotes_prevent_it() {
    check(
        r#"\~ '~' "~"/x ~"/x" ~\/x"#,
        &[Some("~"), Some("~"), Some("~/x"), Some("~/x"), Some("~/x")],
    );
    check("~/'x'", &[Some("/h/x")]);
    check(r#"~:\x ~:"x"/y ~{,}:\'"#, &[Some("~:x"), Some("~:x/y"), Some("~:'"), Some("~:'")]);
    check(r"~:x/\y ~:/'z'", &[Some("/h:x/y"), Some("/h:/z")]);
    check_value(r"a=~:\x", Some("/h:x"));
}

#[test]
fn other_directories_are_not_known_here() {
    check("~root ~+ ~-/x ~1 ~$x", &[None; 5]);
}

#[test]
fn in_what_looks_like_an_assignment() {
    check("a=~/x if=~ a+=~", &[Some("a=/h/x"), Some("if=/h"), Some("a+=/h")]);
    check("a[1]=~", &[None]);
    check("a=b:~/x a=:~ a=b=~", &[Some("a=b:/h/x"), Some("a=:/h"), Some("a=b=~")]);
    check("a[\"k\"]=~/x", &[None]);
}

#[test]
fn after_braces() {
    check("{~,x}/a ~{,/b}", &[Some("/h/a"), Some("x/a"), Some("/h"), Some("/h/b")]);
    check("x=~/y{1,2}", &[Some("x=~/y1"), Some("x=~/y2")]);
    check("x=~/y{1..a}", &[Some("x=/h/y{1..a}")]);
}

#[test]
fn in_values() {
    check_value("a=~", Some("/h"));
    check_value("a=~/x:~/y:b", Some("/h/x:/h/y:b"));
    check_value("a=b~", Some("b~"));
    check_value("a=\"~\"", Some("~"));
    check_value("a=~root", None);
}
