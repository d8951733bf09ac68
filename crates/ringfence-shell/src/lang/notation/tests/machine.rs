use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, gets, harmless, has, host, reads, run, sets, shell, unsure};
use crate::lang::testing::{url, writes};

fn tree(path: &str) -> Finding {
    Finding::WriteTree(path.to_owned())
}

#[test]
fn files_of_odd_notations() {
    check("path-list", "src:/home/u/x", &[reads("src"), reads("/home/u/x")]);
    check("path-list", "/x/?.lua;;", &[reads("/x")]);
    check("path-list", "lib/*", &[reads("lib")]);
    all_harmless("openssl-pass", &["pass:x", "stdin", "fd:3"]);
    check("openssl-pass", "file:/home/u/k", &[reads("/home/u/k")]);
    check("openssl-pass", "env:X", &[gets("X")]);
    all_harmless("rsync-filter", &["- *.o", "+ */", "exclude x"]);
    check("rsync-filter", "merge /home/u/k", &[reads("/home/u/k")]);
    check("rsync-filter", "._/home/u/k", &[reads("/home/u/k")]);
}

#[test]
fn outputs_into_commands() {
    check("strace-output", "|/tmp/evil.sh", &[shell("/tmp/evil.sh")]);
    check("strace-output", "/home/u/x", &[writes("/home/u/x")]);
    harmless("strace-output", "-");
    check("strace-output", "!rm -rf x", &[shell("rm -rf x")]);
}

#[test]
fn services_and_mounts() {
    all_harmless("systemd-property", &["MemoryMax=1G", "CPUQuota=50%", "OnCalendar=daily"]);
    check("systemd-property", "ExecStartPre=-rm -rf x", &[run(&["rm", "-rf", "x"])]);
    check("systemd-property", "Environment=LD_PRELOAD=x", &[sets("LD_PRELOAD")]);
    check("systemd-property", "StandardOutput=append:/home/u/x", &[writes("/home/u/x")]);
    all_unsure(
        "systemd-property",
        &["ExecStop=rm $x", "BindPaths=/a:/b", "RootDirectory=/x", "User=root", "PAMName=x"],
    );
    harmless("mount-options", "ro,noexec,uid=1000");
    check("mount-options", "lowerdir=/a", &[reads("/a"), tree("/a")]);
    unsure("mount-options", "helper=x");
    check("bind-path", "/tmp", &[reads("/tmp"), tree("/tmp")]);
    unsure("bind-path", "/home/u/.ssh:/k");
    all_harmless("w3m-config", &["display_link=1", "color=0"]);
    check("w3m-config", "extbrowser=rm -rf x", &[shell("rm -rf x")]);
    unsure("w3m-config", "cgi_bin=/tmp");
}

#[test]
fn words_for_tar() {
    all_harmless("tar-options", &["--exclude=.git -v", "--no-same-owner", ""]);
    check("tar-options", "'--to-command=rm -rf x'", &[shell("rm -rf x")]);
    check("tar-options", "--use-comp=/tmp/evil.sh", &[shell("/tmp/evil.sh")]);
    has(
        "tar-options",
        "--checkpoint-action=exec=x",
        &Finding::Code("tar-checkpoint", "exec=x".into()),
    );
    all_unsure("tar-options", &["-I rm", "-F x", "--to-command", "--files-from=x", "x", "'"]);
}

#[test]
fn ansible() {
    check("ansible-inventory", "evil.example,", &[host("evil.example")]);
    check("ansible-inventory", "hosts", &[reads("hosts")]);
    check("ansible-inventory", "inventory/prod.yml", &[reads("inventory/prod.yml")]);
    all_unsure("ansible-inventory", &["/tmp/evil.sh", "inv.py", "/tmp/evil", "../x"]);
    harmless("ansible-vault-id", "dev@prompt");
    check("ansible-vault-id", "dev@pw.txt", &[reads("pw.txt")]);
    unsure("ansible-vault-id", "dev@/tmp/evil.sh");
}

#[test]
fn containers_and_clouds() {
    all_harmless("docker-image", &["alpine", "library/alpine:3", "me/app@sha256:x"]);
    check("docker-image", "evil.example/x:1", &[host("evil.example")]);
    check("docker-image", "localhost:5000/x", &[host("localhost:5000")]);
    check("docker-image", "docker://evil.example/x", &[host("evil.example")]);
    check("docker-image", "dir:/home/u/k", &[reads("/home/u/k"), tree("/home/u/k")]);
    check("key-file", "a=/home/u/k", &[reads("/home/u/k")]);
    check("key-file", "address=https://evil.example", &[url("https://evil.example")]);
    check("key-write", "link,asm=/home/u/x", &[writes("/home/u/x")]);
    all_harmless("key-write", &["dev", "log_cli=true", "maxfail=3", "addopts="]);
    unsure("key-write", "addopts=-p evil");
}

#[test]
fn other_agents() {
    harmless("bc", "1 + 1");
}
