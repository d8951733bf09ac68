use super::super::testing::*;

const SED: &str = "sed";

#[test]
fn everyday_scripts_do_nothing() {
    for code in [
        "1,80p",
        "$=",
        "/^fn main/,/^}/p",
        "s/foo/bar/g",
        "1d",
        r"s/^[ \t]*//",
        r"s/.*\.//",
        "1,5p",
        "s/[^/]*$//",
        "s#/usr/local#/opt#g",
        "s|a|b|;s,c,d,2;s:e:f:gI",
        ":a;N;$!ba;s/\\n/ /g",
        ":a\ns/x/y/\nta",
        "/start/,/end/{s/a/b/;p}",
        "/x/{",
        "}",
        "2i\\\nhello; w /etc/passwd",
        "a hello e w file",
        "$a\\\none\\\ntwo",
        "/x/a\\  indented",
        "y/abc/def/",
        "# w /etc/passwd",
        "s/w file/e cmd/",
        "s/a/w\\/e/p",
        "0~4d;2~1p;1,+3d;2,~4p",
        "\\%/x/%d",
        "\\,a,I{p}",
        "/a/I!p;5q;10Q3;l 5",
        "$!N;P;D",
        "n;d",
        "s/[[:space:]]*$//",
        "s/a/b/ ; p",
        "s/\\(a\\|b\\)/\\1/",
        "s/x/\\\n/g",
        "1!G;h;$!d",
        "/^$/d;s/\"//g;F;z",
        "v 4.2",
        "b end;p;:end",
    ] {
        harmless(SED, code);
    }
}

#[test]
fn files_are_found() {
    check(SED, "w /etc/passwd", &[writes("/etc/passwd")]);
    check(SED, "1,3w out;p}", &[writes("out;p}")]);
    check(SED, "s/a/b/w /tmp/x", &[writes("/tmp/x")]);
    check(SED, "s/a/b/gpw x\np", &[writes("x")]);
    check(SED, "s/a/b/ w x", &[writes("x")]);
    check(SED, "swawbww x", &[writes("x")]);
    check(SED, "$!{N;W f\n}", &[writes("f")]);
    check(SED, "/x/r /etc/shadow", &[reads("/etc/shadow")]);
    check(SED, "R/etc/shadow", &[reads("/etc/shadow")]);
    check(SED, "1!w f", &[writes("f")]);
    check(SED, "1 ! { w f\n}", &[writes("f")]);
    check(SED, "/[/]/w f", &[writes("f")]);
    check(SED, "\\xaxw f", &[writes("f")]);
    check(SED, "a text\nw f", &[writes("f")]);
    check(SED, "a\\\ntext\nw f", &[writes("f")]);
    check(SED, "a\\\nte\\\nxt\nw f", &[writes("f")]);
    check(SED, "# comment\\\nw f", &[writes("f")]);
    check(SED, ":a;w f", &[writes("f")]);
    check(SED, "p;w /dev/stdout", &[writes("/dev/stdout")]);
    check(SED, "y/w/e/;r x", &[reads("x")]);
    check(SED, "/a/,/b/Iw f", &[writes("f")]);
    check(SED, "0,/x/w f", &[writes("f")]);
}

#[test]
fn commands_are_found() {
    check(SED, "1e rm -rf ~", &[shell("rm -rf ~")]);
    check(SED, "1eid;p", &[shell("id;p")]);
    check(SED, "$!{e id\n}", &[shell("id")]);
    for code in
        ["e", "1e\np", "s/a/b/e", "s/a/b/ge", "s/.*/id/pe;p", "s,a,b,Ie", "e id\\\nx", "s a b e"]
    {
        unsure(SED, code);
    }
}

#[test]
fn what_sed_refuses_is_refused() {
    for code in [
        "k",
        "s/a/b",
        "s/a",
        "s/a\nb/c/",
        "y/a/b/x",
        "pp",
        "1,p",
        "/x",
        "a",
        "a\n",
        "w",
        "r\n",
        "s\na\nb\n",
        "sé1é2é",
        "1",
        "s/[/x/w f",
        "s/[\\]/]/x/w f",
        "s/a/b/k",
        "a\\  \nw f",
        "+1p",
        "1,/x",
        "\\",
        "s[a[b[",
    ] {
        unsure(SED, code);
    }
}
