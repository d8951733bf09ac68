use super::super::testing::*;
use super::Finding;

#[test]
fn expressions_of_emacs_lisp() {
    for code in [
        "(message \"hi\")",
        "(princ (+ 1 2)) ; (shell-command \"id\")",
        "(message \"(shell-command)\")",
        "(setq x 1)",
        "(kill-emacs 0)",
    ] {
        harmless("elisp", code);
    }
    check("elisp", "(shell-command \"id\")", &[shell("id")]);
    check("elisp", "(message (shell-command-to-string \"id\"))", &[shell("id")]);
    check("elisp", "(call-process \"rm\" nil nil nil \"-rf\" \"x\")", &[run(&["rm", "-rf", "x"])]);
    check("elisp", "(delete-file \"x\")", &[deletes("x")]);
    check("elisp", "(write-region \"a\" nil \"x\")", &[writes("x")]);
    check("elisp", "(load \"x.el\")", &[Finding::CodeFile("elisp", "x.el".into())]);
    check("elisp", "(princ (getenv \"TOKEN\"))", &[gets("TOKEN")]);
    for code in [
        "(shell-command x)",
        "(funcall 'shell-command \"id\")",
        "(eval x)",
        "(start-process \"a\" nil \"id\")",
        "(foo)",
        "(shell-command \"\\x41\")",
        "(message \"a\"",
        "((lambda () (foo)))",
    ] {
        unsure("elisp", code);
    }
}
