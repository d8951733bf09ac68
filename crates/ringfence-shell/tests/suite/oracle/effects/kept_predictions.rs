//! What is now predicted of lines that once differed.

use ringfence_core::AccessKind;
use ringfence_core::access::FileOp;

use super::compare::show;
use super::predict::predict;

/// What is predicted of a line: programs with their directories, variables set, files not read.
fn predicted(line: &str) -> Vec<String> {
    let effects = predict(line);
    let shown = effects.accesses.iter().filter_map(|access| match &access.what {
        AccessKind::Exec(exec) => Some(format!("{}: {}", exec.cwd, show(exec))),
        AccessKind::SetEnv(name) => Some(format!("set {name}")),
        AccessKind::File(file) if file.op == FileOp::Write => {
            Some(format!("write {}", file.path.real))
        }
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
        "local x=1; c1 \"$x\"",
        "x=1; printf -v 'x[0]' 2; c1 \"$x\"",
        "x=1; x=2 > nowhere/y; c1 \"$x\"",
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
    has(line, &["doubt can't tell in which directory the script `s.sh` lies"]);
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

#[test]
fn where_a_function_may_not_be_there_the_program_runs_where_the_call_began() {
    has("c2 || f() { cd /tmp; }; f", &["/home/u/proj: f"]);
}

#[test]
fn all_words_are_one_in_quotes_and_in_values() {
    has("set -- p q; c1 \"$*\"", &["/home/u/proj: c1 \"p q\""]);
    has("set -- p q; x=$@; c1 \"$x\"", &["/home/u/proj: c1 \"p q\""]);
    has("a=(p q); c1 \"${a[*]}\"", &["/home/u/proj: c1 \"p q\""]);
    has("bash -c 'c1 \"$@\" s'", &["/home/u/proj: c1 \"s\""]);
    has("bash -c 'set --; c1 \"$@\" s' _ p", &["/home/u/proj: c1 \"s\""]);
}

#[test]
fn a_shell_knows_its_directory_by_the_name_it_took() {
    has("cd away; cd ..; c1 \"$PWD\"", &["/home/u/proj: c1 \"/home/u/proj\""]);
    has("cd away/..; c1", &["/home/u/proj: c1"]);
    has("cd -P away; cd ..; c1", &["/: c1"]);
    has("PWD=/tmp; cd sub; c1 \"$PWD\"", &["/home/u/proj/sub: c1 \"/home/u/proj/sub\""]);
}

#[test]
fn what_is_left_in_the_middle_goes_on_from_there() {
    let both = ["/home/u/proj: c1", "/home/u/proj/sub: c1"];
    has("f() { cd sub; return; cd ..; }; f; c1", &both[1..]);
    has("f() { c2 && return; cd sub; }; f; c1", &both);
    has("for x in a; do cd sub; continue; cd ..; done; c1", &both[1..]);
}

#[test]
fn what_is_kept_for_later_runs_where_the_shell_is_then() {
    has("trap c1 EXIT; cd sub", &["/home/u/proj: c1", "/home/u/proj/sub: c1"]);
    let reason = "doubt the line lays down a command that changes what later words mean";
    has("trap 'cd sub' ERR; c1", &[reason]);
}

#[test]
fn files_are_kept_moved_and_split_under_other_names() {
    has("cp -b a b", &["write /home/u/proj/b~"]);
    has("mv -S .x a sub", &["write /home/u/proj/sub/a.x"]);
    has("ln -sfn /tmp link", &["write /home/u/proj/link"]);
    has("ln -sf link", &["write /home/u/proj/link"]);
    has("mv sub/a away .", &["write /home/u/proj/away"]);
    has("mv away w", &["write /tmp"]);
    has("split a sub/x", &["write /home/u/proj/sub"]);
}

#[test]
fn a_descriptor_is_put_into_a_variable() {
    has("exec {E1}> out", &["set E1"]);
}

#[test]
fn an_assignment_sees_those_before_it() {
    has("x=1; x=2 y=$x; c1 $y", &["/home/u/proj: c1 \"2\""]);
}

#[test]
fn nothing_is_done_where_a_file_cannot_be_opened() {
    has("{ cd sub; } > nowhere/x; c1", &["/home/u/proj: c1", "/home/u/proj/sub: c1"]);
}

#[test]
fn a_function_of_two_bodies_is_a_doubt() {
    let line = "if c2; then f() { c1; }; else f() { c3; }; fi; f";
    has(line, &["doubt the line defines `f` in two ways"]);
}

#[test]
fn a_program_sees_the_variables_that_it_is_given() {
    has("HOME=/tmp bash -c 'c1 ~'", &["/home/u/proj: c1 \"/tmp\""]);
    has("env HOME=/tmp bash -c 'cd; c1'", &["/tmp: c1"]);
}

#[test]
fn words_that_a_carrier_adds_are_parameters() {
    has("xargs bash -c 'c1 \"$@\"'", &["/home/u/proj: c1 …"]);
}

#[test]
fn a_link_without_a_name_leads_where_it_says() {
    has("ln -s ../notes", &["write /home/u/notes", "write /home/u/proj/notes"]);
}

#[test]
fn a_shell_reads_on_after_its_first_file() {
    has("bash --init-file b <<< 'c1 x'", &["/home/u/proj: c1 \"x\""]);
}

#[test]
fn a_function_that_a_loop_defines_is_not_there_at_first() {
    has("while c2; do f; f() { c1; }; done", &["/home/u/proj: f", "/home/u/proj: c1"]);
}

#[test]
fn patterns_become_names_where_the_shell_is() {
    has("env -C sub tee li*", &["write /home/u/proj/sub/list"]);
    has("env -C sub bash -c 'tee g*'", &["write /home/u/proj/sub/g"]);
}
