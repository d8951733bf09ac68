//! Differences that were found, each kept as a case.

use ringfence_core::What;
use ringfence_core::access::FileOp;

use super::compare::{compare, show};
use super::predict::predict;
use super::root::Root;

/// Lines that once did what was not predicted.
const LINES: &[&str] = &[
    "false && cd sub; c1 x",
    "! cd nowhere && c1 x",
    "cd sub extra || c1 x",
    "cd sub > nowhere/out; c1 x",
    "builtin cd sub; c1 x",
    "command cd sub; c1 x",
    "HOME=/tmp; cd; c1 x",
    "HOME=/tmp; c1 ~/x",
    "false && c1() { :; }; c1 x",
    "true || c1() { :; }; c1 x",
    "for E1 in a b; do c1; done",
    "read E1 < a; c1",
    "printf -v E1 %s v; c1",
    "((E2 = 3)); c1",
    "let E2=4; c1",
    "unset E1; c1 ${E1:=made}",
    "x=1; ((x = 3)); c1 $x",
    "x=1; let x=5; c1 $x",
    "declare -i x; x=1+1; c1 $x",
    "readonly x=1; x=2; c1 $x",
    "x=1; f() { local x=2; }; f; c1 $x",
    "x=1; f() { c1 $x; }; x=2 f",
    "x=1; x=2 eval 'c1 $x'",
    "E1=v f; f() { c1; }; E1=w f",
    "find a b -exec c1 {} +",
    "find a -exec c1 + x {} \\;",
    "mapfile -C c5 -c 1 x < a",
    "compgen -C c1 z",
    "env - c1 x",
    "cp a sub",
    "cp -t sub a b",
    "mv a b sub",
    "ln *",
    "bash s.sh q",
    "set -- p; . ./s.sh q",
    "set +f; c1 \"$1\"",
    "c1 \"${!x@}\"",
    "c1<()",
    "c1 > -",
    "pushd -n /tmp; c1 x",
    "c1 ?\"$x\"",
    "./b",
    "flock f c1",
    "sed -i.bak p a",
    "sed -ik p *",
    "sed -i'sub/*.old' p a",
    "ln -s /g",
    "cd sub; for x in a b; do cd ..; source s.sh; done",
];

#[test]
fn kept_lines_do_what_was_predicted() {
    let Some(root) = Root::find() else { return };
    let wrong =
        super::on_all(&LINES.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), |line| {
            let difference = compare(&root, line).1?;
            Some(format!("{line:?}\n  {difference}"))
        });
    super::report(&wrong);
}

/// What is predicted of a line: programs with their directories, variables set, files not read.
fn predicted(line: &str) -> Vec<String> {
    let effects = predict(line);
    let shown = effects.accesses.iter().filter_map(|access| match &access.what {
        What::Exec(exec) => Some(format!("{}: {}", exec.cwd, show(exec))),
        What::SetEnv(name) => Some(format!("set {name}")),
        What::File(file) if file.op == FileOp::Write => Some(format!("write {}", file.path.real)),
        _ => None,
    });
    shown.chain(effects.doubts.iter().map(|doubt| format!("doubt {}", doubt.reason))).collect()
}

fn has(line: &str, wanted: &[&str]) {
    let predicted = predicted(line);
    for wanted in wanted {
        assert!(predicted.iter().any(|own| own == wanted), "{line}: no {wanted}: {predicted:#?}");
    }
}

#[test]
fn a_directory_is_changed_only_where_the_list_got_there() {
    let both = ["/home/u/proj: c1 \"x\"", "/home/u/proj/sub: c1 \"x\""];
    has("c2 && cd sub; c1 x", &both);
    has("c2 || cd sub; c1 x", &both);
    has("! cd nowhere && c1 x", &both[..1]);
    has("cd sub extra || c1 x", &both[..1]);
    has("cd sub > nowhere/out; c1 x", &both);
}

#[test]
fn a_carried_builtin_is_carried_out() {
    has("builtin cd sub; c1", &["/home/u/proj/sub: c1"]);
    has("command cd sub; c1", &["/home/u/proj/sub: c1"]);
}

#[test]
fn a_function_that_may_not_be_there_hides_no_program() {
    has("c2 && c1() { :; }; c1 x", &["/home/u/proj: c1 \"x\""]);
    has("c2 || c1() { :; }; c1 x", &["/home/u/proj: c1 \"x\""]);
}

#[test]
fn exported_variables_are_set_by_more_than_assignments() {
    for line in ["for E1 in a; do :; done", "read E1", "printf -v E1 x", "((E1=1))", "let E1=1"] {
        has(line, &["set E1"]);
    }
    has(": ${E1:=x}", &["set E1"]);
    has("f() { c1; }; E1=v f", &["set E1"]);
}

#[test]
fn values_that_changed_are_not_taken_for_known() {
    for line in [
        "x=1; ((x = 3)); c1 \"$x\"",
        "x=1; let x=5; c1 \"$x\"",
        "declare -i x; x=1+1; c1 \"$x\"",
        "readonly x=1; x=2; c1 \"$x\"",
        "x=1; f() { local x=2; }; f; c1 \"$x\"",
    ] {
        has(line, &["/home/u/proj: c1 ?"]);
    }
    has("x=1; f() { c1 $x; }; x=2 f", &["/home/u/proj: c1 \"2\""]);
}

#[test]
fn finders_hand_on_all_names_or_a_plus() {
    has("find a b -exec c1 {} +", &["/home/u/proj: c1 …"]);
    has("find a -exec c1 + x \\;", &["/home/u/proj: c1 \"+\" \"x\""]);
}

#[test]
fn what_is_put_into_a_directory_is_written_there() {
    has("cp a sub", &["write /home/u/proj/sub/a"]);
    has("cp -t sub a b", &["write /home/u/proj/sub/a", "write /home/u/proj/sub/b"]);
    has("mv ../notes sub/", &["write /home/u/proj/sub/notes"]);
}

#[test]
fn scripts_see_their_own_arguments() {
    has("bash s.sh q", &["/home/u/proj: c3 \"sourced\" \"q\""]);
    has("set -- p; . ./s.sh q", &["/home/u/proj: c3 \"sourced\" \"q\""]);
}

#[test]
fn a_shell_writes_a_file_that_is_called_dash() {
    has("c1 > -", &["write /home/u/proj/-"]);
}

#[test]
fn a_text_without_a_first_line_of_its_own_is_a_shell_script() {
    has("./b", &["/home/u/proj: c2 \"b\""]);
}

#[test]
fn a_pattern_beside_what_is_not_known_may_be_many_words() {
    has("c1 ?\"$x\"", &["/home/u/proj: c1 …"]);
}

#[test]
fn a_directory_that_is_only_put_on_the_stack_is_not_entered() {
    has("pushd -n /tmp; c1", &["/home/u/proj: c1"]);
}

#[test]
fn a_link_without_a_name_is_made_where_the_line_stands() {
    has("ln -s /etc/g", &["write /home/u/proj/g"]);
}

#[test]
fn a_script_in_a_directory_that_cannot_be_told_is_a_doubt() {
    let line = "while c1; do cd sub; source s.sh; done";
    has(line, &["doubt in which directory the script `s.sh` lies cannot be told"]);
}

#[test]
fn backups_of_sed_are_written_where_the_suffix_leads() {
    has("sed -i.bak p a", &["write /home/u/proj/a.bak"]);
    has("sed -i'/tmp/*' p a", &["write /tmp/a"]);
}

#[test]
fn a_dash_of_env_is_no_program() {
    has("env - c1 x", &["/home/u/proj: c1 \"x\""]);
}
