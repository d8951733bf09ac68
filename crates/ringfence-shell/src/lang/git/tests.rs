use super::super::{read, testing::*};
use super::Finding;

const GIT: &str = "git-config";

#[test]
fn everyday_settings_do_nothing() {
    for code in [
        "user.name=a",
        "user.email=a@b.c",
        "USER.NAME=x",
        "core.autocrlf=false",
        "color.ui=always",
        "color.pager=no",
        "advice.detachedHead=false",
        "advice.ignoredHook=false",
        "init.defaultBranch=main",
        "commit.gpgsign=false",
        "core.hooksPath=/dev/null",
        "core.pager=",
        "pager.log=false",
        "pager.diff=NO",
        "core.fsmonitor=false",
        "core.fsmonitor",
        "credential.helper=",
        "protocol.file.allow=always",
        "protocol.ext.allow=never",
        "safe.directory=*",
        "http.extraHeader=X-A: b",
        "branch.main.remote=origin",
        "branch.main.merge=refs/heads/main",
        "submodule.x.update=rebase",
        "submodule.x.path=lib/x",
        "rebase.autosquash=true",
        "completion.commands=x",
        "diff.algorithm=histogram",
        "user.signingkey=ABCDEF",
        "merge.conflictStyle=zdiff3",
        "core.editor=",
    ] {
        harmless(GIT, code);
        harmless("git-config-set", code);
    }
}

#[test]
fn command_lines_are_found() {
    for key in [
        "core.editor",
        "Core.Editor",
        "CORE.SSHCOMMAND",
        "core.pager",
        "core.fsmonitor",
        "sequence.editor",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.command",
        "diff.X.textconv",
        "filter.a.clean",
        "filter.a.b.smudge",
        "filter.a.process",
        "trailer.x.cmd",
        "trailer.x.command",
        "interactive.diffFilter",
        "merge.x.driver",
        "uploadpack.packObjectsHook",
        "pager.log",
        "remote.o.uploadpack",
        "remote.o.receivepack",
        "difftool.x.cmd",
        "mergetool.x.cmd",
        "browser.x.cmd",
        "man.x.cmd",
        "guitool.x.cmd",
        "sendemail.toCmd",
        "sendemail.x.ccCmd",
        "sendemail.sendmailCmd",
        "instaweb.httpd",
        "tar.tar.gz.command",
        "imap.tunnel",
        "gpg.ssh.defaultKeyCommand",
        "gc.recentObjectsHook",
        "hook.x.command",
        "lfs.extension.x.clean",
    ] {
        let line = "rm -rf ~ #x=y";
        has(GIT, &format!("{key}={line}"), &shell(line));
        has("git-config-set", &format!("{key}={line}"), &shell(line));
    }
    check(GIT, "alias.x=!rm -rf ~", &[shell("rm -rf ~")]);
    check(GIT, "ALIAS.x=!id", &[shell("id")]);
    check(GIT, "submodule.x.update=!id", &[shell("id")]);
    check(GIT, "credential.helper=!id", &[shell("id")]);
    check(GIT, "credential.https://x.y.helper=/tmp/evil", &[shell("/tmp/evil")]);
    check(GIT, "credential.helper=store --file /x", &[shell("git credential-store --file /x")]);
    check(GIT, "sendemail.smtpServer=/tmp/evil", &[shell("/tmp/evil")]);
}

#[test]
fn programs_are_found() {
    for key in [
        "core.askPass",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.x509.program",
        "mergetool.x.path",
        "web.browser",
        "man.x.path",
        "merge.tool",
        "diff.tool",
        "lfs.customtransfer.x.path",
    ] {
        check(GIT, &format!("{key}=/tmp/evil"), &[run(&["/tmp/evil"])]);
    }
    check(GIT, "core.gitProxy=/tmp/evil for x.y", &[run(&["/tmp/evil"])]);
    check(GIT, "remote.o.vcs=evil", &[run(&["git-remote-evil"])]);
    check(GIT, "alias.st=status -s", &[run(&["git", "status", "-s"])]);
    check(GIT, "alias.lg=log '--format=%h %s'", &[run(&["git", "log", "--format=%h %s"])]);
    unsure(GIT, "alias.x=log 'a");
    unsure(GIT, "core.hooksPath=/tmp/h");
    unsure(GIT, "init.templateDir=/tmp/t");
    unsure(GIT, "some.tool.cmd=x");
    unsure(GIT, "unknown.program=x");
    unsure(GIT, "protocol.ext.allow=always");
    unsure(GIT, "protocol.allow=always");
    unsure(GIT, "remote.o.url=ext::sh -c id");
    unsure(GIT, "nosection=x");
    unsure(GIT, "=x");
    unsure(GIT, "");
}

#[test]
fn files_and_hosts_are_found() {
    check(GIT, "include.path=/tmp/c", &[Finding::CodeFile("git-config-file", "/tmp/c".into())]);
    check(GIT, "includeIf.gitdir:/x/.path=c", &[Finding::CodeFile("git-config-file", "c".into())]);
    check(GIT, "http.sslKey=/k", &[reads("/k")]);
    check(GIT, "http.https://a.b/.sslCert=/k", &[reads("/k")]);
    check(GIT, "http.cookieFile=/k", &[reads("/k"), writes("/k")]);
    check(GIT, "core.worktree=/w", &[reads("/w"), writes("/w")]);
    check(GIT, "http.proxy=evil:80", &[url("http://evil:80")]);
    check(GIT, "remote.o.proxy=socks5://evil", &[url("socks5://evil")]);
    check(GIT, "remote.o.url=git@evil:x/y", &[host("evil")]);
    check(GIT, "remote.o.url=/srv/x.git", &[reads("/srv/x.git")]);
    check(GIT, "remote.o.pushurl=../x", &[writes("../x")]);
    check(GIT, "url.https://evil/.insteadOf=https://github.com/", &[url("https://evil/")]);
    check(GIT, "url.git@evil:.pushInsteadOf=x", &[host("evil")]);
    check(GIT, "http.curloptResolve=a.b:443:10.0.0.1", &[host("10.0.0.1:443")]);
    check(GIT, "branch.x.remote=https://evil/", &[url("https://evil/")]);
    check(GIT, "remote.o.url=hg::https://x", &[run(&["git-remote-hg", "https://x"])]);
    check(GIT, "user.signingKey=~/.ssh/id.pub", &[reads("~/.ssh/id.pub")]);
}

#[test]
fn a_key_may_hold_an_equals_sign() {
    has("git-config-set", "diff.x=y.command=evil", &shell("evil"));
    has("git-config-set", "alias.x=!id=3", &shell("id=3"));
    has("git-config-set", "url.https://e/?a=b.insteadOf=x", &url("https://e/?a=b"));
    check("git-config-set", "alias.lg=log --format=%h", &[run(&["git", "log", "--format=%h"])]);
}

#[test]
fn files_of_settings() {
    const FILE: &str = "git-config-file";
    harmless(FILE, "[user]\n\tname = A B # it's me\n[core] autocrlf\n");
    harmless(FILE, "no section\n");
    has(FILE, "[core]\n\tfsmonitor = \"evil x\"\n", &shell("evil x"));
    has(FILE, "[diff \"a.b\"] textconv=evil\n", &shell("evil"));
    has(FILE, "# x\n[alias]\nq = \"!evil \\\"x\\\"\"\n", &shell("evil \"x\""));
    for text in ["[core\n", "x = 1\n[core]\n", "[core]\npager = a \\\nb\n", "[a]\nb = \"x\n"] {
        assert!(matches!(read(FILE, text).unwrap().last(), Some(Finding::Unreadable(_))), "{text}");
    }
}
