use super::super::testing::*;
use super::Finding;

const SSH: &str = "ssh-option";

#[test]
fn everyday_options_do_nothing() {
    for code in [
        "StrictHostKeyChecking=no",
        "BatchMode yes",
        "ConnectTimeout=5",
        "connecttimeout = 5",
        "LogLevel=ERROR",
        "ServerAliveInterval 60",
        "ControlPath=none",
        "ProxyCommand=none",
        "ProxyCommand none",
        "ProxyJump=none",
        "RemoteCommand=none",
        "IdentitiesOnly=yes",
        "ForwardAgent=no",
        "SecurityKeyProvider=internal",
        "User=me",
        "Match host x.y user z",
    ] {
        harmless(SSH, code);
    }
}

#[test]
fn commands_are_found() {
    check(SSH, "ProxyCommand=rm -rf ~/other", &[shell("rm -rf ~/other")]);
    check(SSH, "proxycommand nc %h %p", &[shell("nc %h %p")]);
    check(SSH, "  PROXYCOMMAND = ;id", &[shell(";id")]);
    check(SSH, "ProxyCommand==id", &[shell("id")]);
    check(SSH, "LocalCommand=id", &[shell("id")]);
    check(SSH, "RemoteCommand=rm -rf x", &[shell("rm -rf x")]);
    check(SSH, "KnownHostsCommand=/bin/x %H", &[shell("/bin/x %H")]);
    check(SSH, "Match exec \"id -u\"", &[shell("id -u")]);
    check(SSH, "Match host x !exec=id", &[shell("id")]);
    check(SSH, "XAuthLocation=/tmp/evil", &[run(&["/tmp/evil"])]);
    for code in [
        "PKCS11Provider=/tmp/evil.so",
        "SecurityKeyProvider /tmp/evil.so",
        "Brandnew=x",
        "",
        "=x",
        "RemoteForward=8080",
        "BatchMode=yes\nProxyCommand=id",
        "IdentityFile=\"x",
    ] {
        unsure(SSH, code);
    }
}

#[test]
fn files_and_hosts_are_found() {
    check(SSH, "IdentityFile=~/.ssh/id", &[reads("~/.ssh/id")]);
    check(SSH, "UserKnownHostsFile=/dev/null", &[reads("/dev/null"), writes("/dev/null")]);
    check(SSH, "ControlPath=/tmp/%r", &[reads("/tmp/%r"), writes("/tmp/%r")]);
    check(SSH, "Include ~/c", &[Finding::CodeFile("ssh-config", "~/c".into())]);
    check(SSH, "ProxyJump=u@a:22,b", &[host("a:22"), host("b")]);
    check(SSH, "Hostname=evil", &[host("evil")]);
    check(SSH, "LocalForward=8080 x:80", &[listens("8080")]);
    check(SSH, "DynamicForward 0.0.0.0:1080", &[listens("0.0.0.0:1080")]);
    check(SSH, "RemoteForward=80 localhost:22", &[host("localhost:22")]);
    check(SSH, "SendEnv=LANG TOKEN", &[gets("LANG"), gets("TOKEN")]);
    check(SSH, "SendEnv=*", &[Finding::AllEnv]);
    check(SSH, "IdentityAgent=$SOCK", &[gets("SOCK")]);
}
