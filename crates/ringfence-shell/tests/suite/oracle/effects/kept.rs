//! Differences that were found, each kept as a case.

use super::Patience;
use super::compare::compare;
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
    "d || f() { cd; }; f > \"$HOME/e\"",
    "bash -c 'c6 \"$@\" s'",
    "set --; c1 \"$@\" \"$*\" x\"$@\"",
    "set -- p; set --; c1 \"$@\"",
    "set -- p q; c1 \"$*\"",
    "set -- p q; x=\"$*\"; c1 \"$x\"; x=$@; c1 \"$x\"",
    "a=(p q); c1 \"${a[*]}\" \"${a[@]}\"",
    "cd link; c1 \"$PWD\" ~+",
    "PWD=/tmp; cd sub; c1 $PWD",
    "cd away; cd ..; c1 $PWD",
    "cd away/..; c1",
    "cd away; cd ../sub; c1 > out",
    "f() { cd sub; return; cd ..; }; f; c1",
    "while c2; do cd sub; break; cd ..; done; c1",
    "for x in a b; do cd sub; continue; cd ..; done; c1",
    "trap 'c1' EXIT; cd sub",
    "x=1; trap 'c1 $x' EXIT; x=2",
    "trap 'cd sub' ERR; false; c2",
    "find sub -execdir c1 {} \\;",
    "exec {E1}> out; c1",
    "c1 <(c2) >(c3) x<(c4)",
    "cd.; a",
    "cp *",
    "cp -b a b",
    "cp -S.x a b",
    "mv --backup=numbered a b",
    "ln -sfn /tmp link",
    "mv lf q; c1 > q",
    "mv away w; c1 > w/out",
    "cp -a away w; c1 > w/out",
    "mv sub s; cp a s; c1 > s/deep/x",
    "split a",
    "split a pre",
    "flock f -c 'c1 > out'",
    "sed '1e c1' a",
    "awk 'BEGIN { system(\"c1 > out\") }'",
    "c1 | tac",
];

#[test]
fn kept_lines_do_what_was_predicted() {
    let Some(root) = Root::find(Patience::Long) else { return };
    let lines: Vec<String> = LINES.iter().map(|line| (*line).to_owned()).collect();
    let wrong = super::on_all(&lines, |line| {
        let (compared, difference) = compare(&root, line);
        let cut = (compared.cut > 0).then(|| "was cut short".to_owned());
        Some(format!("{line:?}\n  {}", difference.or(cut)?))
    });
    super::report(&wrong);
}
