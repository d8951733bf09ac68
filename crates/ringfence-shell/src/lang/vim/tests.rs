use super::super::testing::*;
use super::Finding;

const VIM: &str = "vim";

#[test]
fn everyday_commands_do_nothing() {
    for code in [
        "q",
        ":q!",
        ":wq",
        "x",
        "wqa!",
        "%s/foo/bar/g",
        "%s/a|b/c/ge | w",
        "g/^$/d",
        "v/x/d",
        "set nu",
        "set ft=rust ts=4",
        "1,5d",
        "normal gg=G",
        "norm! ggVG",
        "+10",
        "/main",
        "syntax on",
        "set nomodeline",
        "call cursor(1, 1)",
        "let x = 1 | echo x + 2",
        "if x == 1 | q | endif",
        "silent! %s/a/b/",
        "sort u",
        "\" system('id')",
        "echo 'system(\"id\")'",
        "%j",
        "undo",
        "noh",
        "argdo %s/a/b/ge | update",
        "w",
        "echo strftime('%Y')",
        "%d | 0put ='x'",
        "g/foo/s//bar/",
        "let y = x || z",
        "wa | qa",
    ] {
        harmless(VIM, code);
    }
}

#[test]
fn commands_are_found() {
    for code in [
        "!id",
        ":!id",
        ":::!id",
        "%!id",
        "1,$!id",
        "r !id",
        "r!id",
        "0r !id",
        "w !id",
        "%w !id",
        "silent !id",
        "sil! exe '!id'",
        "call system(\"id\")",
        "call system('id')",
        "let x = system('id')",
        "echo systemlist('id')",
        "g/x/!id",
        "bufdo !id",
        "q | !id",
        "set nu\n!id",
        "terminal id",
        "ter id",
        "execute '!id'",
        "exe \"!id\"",
        "if 1 | !id | endif",
        "s/x/\\=system('id')/",
        "%s/a|b/c/g | !id",
        "call execute('!id')",
        "'a,'b!id",
        "/x/;?y?!id",
        "noautocmd vert !id",
        "let x = y || system('id')",
        "redir! | !id",
    ] {
        let found = super::super::read(VIM, code).unwrap();
        assert!(
            found.iter().any(|f| matches!(f, Finding::Shell(text) if text.starts_with("id"))),
            "{code}\n{found:?}"
        );
    }
    check(VIM, "call system(\"rm -rf ~/other\")", &[shell("rm -rf ~/other")]);
    check(VIM, "py3 import os", &[Finding::Code("python", "import os".into())]);
    check(VIM, "lua os.execute('x')", &[Finding::Code("lua", "os.execute('x')".into())]);
    check(VIM, "perl system('x')", &[Finding::Code("perl", "system('x')".into())]);
}

#[test]
fn what_runs_is_not_known() {
    for code in [
        "!",
        "!!",
        "!cat %",
        "make",
        "mak x",
        "grep x",
        "sh",
        "shell",
        "terminal",
        "exe x",
        "execute 'a' . b",
        "normal :!id",
        "normal! K",
        "norm @q",
        "@:",
        "call feedkeys(':!id')",
        "call job_start('id')",
        "call libcall('x','y','z')",
        "call system(x)",
        "call system('a' . b)",
        "echo 'id'->system()",
        "set shell=/tmp/x",
        "set makeprg=x",
        "let &shell = 'x'",
        "set stl=%{system('id')}",
        "au BufRead * !id",
        "e `id`",
        "packadd x",
        "Foo",
        "call Foo()",
        "call foo#bar()",
        "py3 << EOF",
        "source `id`",
        "nonsense",
        "e +!id x",
        "call call('system', ['id'])",
        "call eval('x')",
        "echo expand('`id`')",
        "hardcopy",
        "cscope add x",
        "call system(\n\\ 'id')",
        "com! X !id",
        "nnoremap x :!id<cr>",
    ] {
        unsure(VIM, code);
    }
}

#[test]
fn files_are_found() {
    check(VIM, "w /tmp/x", &[writes("/tmp/x")]);
    check(VIM, "w! >> x", &[writes("x")]);
    check(VIM, "r /etc/passwd", &[reads("/etc/passwd")]);
    check(VIM, "e /etc/passwd", &[reads("/etc/passwd"), writes("/etc/passwd")]);
    check(VIM, "sav x", &[writes("x")]);
    check(VIM, "so x.vim", &[Finding::CodeFile("vim", "x.vim".into())]);
    check(VIM, "redir > x", &[writes("x")]);
    check(VIM, "call writefile(['a', 'b'], 'x')", &[writes("x")]);
    check(VIM, "call delete('x')", &[deletes("x")]);
    check(VIM, "echo readfile('/etc/passwd')", &[reads("/etc/passwd")]);
    check(VIM, "call mkdir('d', 'p')", &[writes("d")]);
    check(VIM, "echo $TOKEN", &[gets("TOKEN")]);
    check(VIM, "let $PATH = 'x'", &[sets("PATH")]);
    writes_unknown(VIM, "w $HOME/x");
    writes_unknown(VIM, "cd /tmp");
    writes_unknown(VIM, "set backupdir=/tmp");
}
