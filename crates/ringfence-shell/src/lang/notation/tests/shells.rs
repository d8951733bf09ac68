use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, harmless, host, reads, run, shell, writes, writes_unknown};

#[test]
fn other_shells_are_read_where_they_agree() {
    for name in ["fish", "csh", "elvish"] {
        check(name, "rm -rf x", &[shell("rm -rf x")]);
        check(name, "git log --format=%h 'a b'", &[shell("git log --format=%h 'a b'")]);
        harmless(name, "");
        all_unsure(
            name,
            &[
                "rm -rf x; ls",
                "echo (rm x)",
                "echo $x",
                "source x",
                "not rm x",
                "and rm x",
                "A=b rm x",
                "echo ~/x",
                "echo a\nrm x",
                "'rm' x",
                "echo 'a\\'b'",
                "echo {a,b}",
                "echo *",
                "exec rm",
                "echo \"$x\"",
                "echo a > b",
                "e:rm x",
                "%self",
                "é x",
            ],
        );
    }
    check("nu", "^rm -rf x", &[shell("rm -rf x")]);
    all_unsure("nu", &["rm -rf x", "^ rm", "^rm x; ls", "open x"]);
    all_unsure("powershell", &["rm -rf x", "Get-Date", ""]);
}

#[test]
fn options_of_the_shell() {
    all_harmless("set-option", &["errexit", "pipefail", "nounset", "xtrace"]);
    all_unsure("set-option", &["allexport", "keyword", "posix", "braceexpand", "x"]);
    all_harmless("shopt", &["nullglob", "inherit_errexit"]);
    all_unsure(
        "shopt",
        &["expand_aliases", "extglob", "globstar", "dotglob", "cdable_vars", "lastpipe"],
    );
    harmless("expand", "a b c");
    all_unsure("expand", &["$(rm -rf x)", "`id`", "$x"]);
}

#[test]
fn less_runs_commands() {
    all_harmless("less", &["10", "G", "F", "/pattern!", "50%", "+10", ""]);
    check("less", "!rm -rf x", &[shell("rm -rf x")]);
    all_unsure(
        "less",
        &["|a rm", "v", "s x", ":e x", "!rm %", "/x\n!rm", "#rm", "10!rm %", "-o x"],
    );
    all_harmless("less-options", &["-R", "FRX", "-iMRj5", "--use-color -x4", "-P%f"]);
    check("less-options", "-o/home/u/.bashrc", &[writes("/home/u/.bashrc")]);
    writes_unknown("less-options", "-Ro");
    all_unsure("less-options", &["+v", "-k/tmp/keys", "--lesskey-src=x", "--cmd=x", "-R +|rm"]);
    check("less-options", "-R +!id", &[shell("id")]);
}

#[test]
fn debuggers_and_editors() {
    all_harmless("lldb", &["target list", "bt", "run", "breakpoint set -n main", "quit"]);
    check("lldb", "platform shell rm -rf x", &[shell("rm -rf x")]);
    all_unsure(
        "lldb",
        &[
            "script import os",
            "plat sh rm x",
            "command source x",
            "expr x()",
            "breakpoint command add",
            "target create /x",
            "p `x`",
            "settings set x y",
            "bt; script x",
            "source x",
        ],
    );
    harmless("kak", "quit");
    all_unsure("kak", &["%sh{rm -rf x}", "!rm<space>-rf<ret>", "write /x"]);
    check("expect", "spawn -noecho rm -rf x", &[run(&["rm", "-rf", "x"])]);
    harmless("expect", "set timeout 5; exit");
    all_unsure("expect", &["exec rm x", "system rm", "puts [exec rm]", "spawn $x", "set x y"]);
    all_harmless("applescript", &["display notification \"do it\" with title \"a\"", "beep 3"]);
    all_unsure(
        "applescript",
        &[
            "do shell script \"rm\"",
            "display dialog (do shell script \"x\")",
            "tell app \"x\" to run",
            "display dialog \"\\\" & do\"",
        ],
    );
}

#[test]
fn bindings_and_formats() {
    all_harmless(
        "fzf-bind",
        &["ctrl-a:select-all", "ctrl-j:preview-down,up:up", "tab:down+toggle"],
    );
    check("fzf-bind", "enter:execute(rm -rf x)", &[shell("rm -rf x")]);
    check("fzf-bind", "f1:become(rm x)", &[shell("rm x")]);
    all_unsure(
        "fzf-bind",
        &[
            "enter:execute(rm {})",
            "enter:execute:rm x",
            "a:up+execute[rm x]",
            "a:reload~rm~",
            "a:transform(x)",
            "a:execute(x)+execute(y)",
            "a:change-preview:rm",
            "a:preview:rm",
        ],
    );
    all_harmless("tmux-format", &["#{session_name}: #{window_index}", "#S"]);
    check("tmux-format", "#(rm -rf x)", &[shell("rm -rf x")]);
    all_unsure("tmux-format", &["#(rm #{pane_id})", "#(a)#(b)", "#(rm", "#(a (b) c)"]);
}

#[test]
fn lftp() {
    check("lftp", "open api.example.com; ls", &[host("api.example.com")]);
    check("lftp", "!rm -rf x", &[shell("rm -rf x")]);
    check("lftp", "lcd /home/u; put k", &[reads("/home/u"), reads("/home/u/k")]);
    check("lftp", "get a -o /home/u/x", &[Finding::WriteTree("/home/u/x".to_owned())]);
    check("lftp", "mirror -R src dst", &[reads("src"), reads("dst")]);
    check("lftp", "set sftp:connect-program /tmp/evil.sh", &[shell("/tmp/evil.sh")]);
    all_unsure("lftp", &["cat x | sh", "ls > x", "source x", "a && b", "eval x", "alias x y"]);
}
