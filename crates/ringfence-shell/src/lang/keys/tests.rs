use super::super::Finding;
use super::super::testing::*;

#[test]
fn everyday_values_do_nothing() {
    for (language, code) in [
        ("tar-checkpoint", "dot"),
        ("tar-checkpoint", "echo=hi %u"),
        ("apt-option", "Dpkg::Options::=--force-confold"),
        ("apt-option", "APT::Get::Assume-Yes=true"),
        ("apt-option", "Acquire::Retries=3"),
        ("apt-option", "Acquire::http::Proxy=direct"),
        ("curl-form", "name=value"),
        ("curl-form", "name=a;type=text/plain"),
        ("curl-form", "file=@-"),
        ("curl-config", "# nothing\n"),
        ("wgetrc", "timeout = 5"),
        ("wgetrc", "header=X: y"),
        ("socat", "-"),
        ("socat", "STDIO"),
        ("docker-volume", "data:/data"),
        ("docker-volume", "/data"),
        ("docker-mount", "type=volume,src=data,dst=/data"),
        ("docker-mount", "type=tmpfs,dst=/tmp"),
        ("cargo-config", "term.color=\"always\""),
        ("cargo-config", "profile.release.lto=true"),
        ("cargo-config", "build.jobs=2"),
        ("cargo-config", "net.offline=true"),
        ("rustc-codegen", "opt-level=3"),
        ("rustc-codegen", "target-cpu=native"),
        ("rustc-codegen", "link-arg=-fuse-ld=mold"),
        ("imagemagick", "-"),
        ("imagemagick", "xc:white"),
        ("imagemagick", "png:-"),
        ("perl-module", "strict"),
        ("perl-module", "List::Util=sum,max"),
        ("perl-module", "-warnings"),
    ] {
        harmless(language, code);
    }
}

#[test]
fn commands_are_found() {
    for (language, code, expected) in [
        ("tar-checkpoint", "exec=rm -rf x", shell("rm -rf x")),
        ("apt-option", "APT::Update::Pre-Invoke::=id", shell("id")),
        ("apt-option", "dpkg::post-invoke=id", shell("id")),
        ("apt-option", "Acquire::http::Proxy-Auto-Detect=id", shell("id")),
        ("apt-option", "Dir::Bin::dpkg=/tmp/x", run(&["/tmp/x"])),
        (
            "curl-config",
            "url = \"https://a.b\"\noutput=x\n-s",
            run(&["curl", "--url", "https://a.b", "--output", "x", "-s"]),
        ),
        ("wgetrc", "use_askpass=/tmp/x", run(&["/tmp/x"])),
        ("wgetrc", "Use-Askpass = /tmp/x", run(&["/tmp/x"])),
        ("socat", "EXEC:rm -rf x,pty", run(&["rm", "-rf", "x"])),
        ("socat", "system:id", shell("id")),
        ("socat", "STDIN!!SHELL:id", shell("id")),
        ("cargo-config", "build.rustc-wrapper=\"/tmp/x\"", run(&["/tmp/x"])),
        (
            "cargo-config",
            "target.\"cfg(all())\".runner=['sh', '-c', 'id']",
            run(&["sh", "-c", "id"]),
        ),
        ("cargo-config", "target.x.runner=\"sh -c\"", run(&["sh", "-c"])),
        ("cargo-config", "alias.x=\"run --bin y\"", run(&["cargo", "run", "--bin", "y"])),
        ("cargo-config", "build.rustflags=\"-C linker=/tmp/x\"", run(&["/tmp/x"])),
        ("cargo-config", "build.rustflags=['-Clinker=/tmp/x']", run(&["/tmp/x"])),
        ("rustc-codegen", "linker=/tmp/x", run(&["/tmp/x"])),
        ("imagemagick", "|id", shell("id")),
        ("imagemagick", "png:|id", shell("id")),
        ("env-split", "-i A=1 rm -rf 'a b'", run(&["env", "-i", "A=1", "rm", "-rf", "a b"])),
        (
            "perl-module",
            "strict;system('id')",
            Finding::Code("perl", "use strict;system('id');".into()),
        ),
    ] {
        has(language, code, &expected);
    }
    for (language, code) in [
        ("tar-checkpoint", "nonsense"),
        ("apt-option", "DPkg::Options::=--pre-invoke=id"),
        ("apt-option", "APT::Unknown=x"),
        ("socat", "EXEC:'rm -rf x'"),
        ("socat", "TUN:x"),
        ("cargo-config", "target.x={runner=\"id\"}"),
        ("cargo-config", "unstable.x=\"y\""),
        ("rustc-codegen", "link-arg=-B/tmp"),
        ("rustc-codegen", "llvm-args=-load=x"),
        ("imagemagick", "msl:x"),
        ("imagemagick", "show:"),
        ("env-split", "a\\_b"),
        ("env-split", "${X} y"),
        ("env-split", "'a"),
        ("docker-mount", "\"type=bind,src=/x\""),
    ] {
        unsure(language, code);
    }
}

#[test]
fn files_and_hosts_are_found() {
    for (language, code, expected) in [
        ("curl-form", "f=@/etc/passwd;type=text/plain", reads("/etc/passwd")),
        ("curl-form", "f=<x", reads("x")),
        ("curl-form", "f=@a,b", reads("b")),
        ("curl-form", "f=@\"a,b\",c", reads("a,b")),
        ("curl-form", "f=x;headers=@h", reads("h")),
        ("curl-connect", "a.b:443:10.0.0.1", host("10.0.0.1:443")),
        ("curl-connect", "a.b:443:evil:", host("evil:443")),
        ("curl-connect", "::evil:80", host("evil:80")),
        ("curl-connect", "a.b:443:[::1]", host("::1:443")),
        ("wgetrc", "http_proxy=evil:80", url("http://evil:80")),
        ("wgetrc", "output_document=/x", writes("/x")),
        ("wgetrc", "post_file=/x", reads("/x")),
        ("socat", "TCP:evil:80", host("evil:80")),
        ("socat", "tcp4-listen:8080,fork", listens("8080")),
        ("socat", "OPEN:/etc/passwd", reads("/etc/passwd")),
        ("socat", "CREATE:x", writes("x")),
        ("socat", "UNIX-CONNECT:/var/run/docker.sock", writes("/var/run/docker.sock")),
        ("socat", "/etc/passwd", reads("/etc/passwd")),
        ("socat", "PTY,link=/tmp/x", writes("/tmp/x")),
        ("docker-volume", "/:/host", writes("/")),
        ("docker-volume", "~/.ssh:/k:ro", reads("~/.ssh")),
        ("docker-volume", "./src:/src", writes("./src")),
        ("docker-mount", "type=bind,src=/home/u/.ssh,dst=/k", writes("/home/u/.ssh")),
        ("docker-mount", "type=bind,source=/x,target=/k,readonly", reads("/x")),
        ("docker-mount", "type=volume,dst=/k,volume-opt=o=bind,volume-opt=device=/x", writes("/x")),
        ("cargo-config", "x.toml", Finding::CodeFile("cargo-config", "x.toml".into())),
        ("cargo-config", "env.PATH=\"x\"", sets("PATH")),
        ("cargo-config", "source.crates-io.registry='https://evil/'", url("https://evil/")),
        ("cargo-config", "build.target-dir='/x'", writes("/x")),
        ("rustc-codegen", "incremental=/x", writes("/x")),
        ("imagemagick", "https://evil/x.png", url("https://evil/x.png")),
        ("imagemagick", "@list", reads("list")),
        ("imagemagick", "label:@/etc/passwd", reads("/etc/passwd")),
        ("imagemagick", "ephemeral:x", deletes("x")),
        ("imagemagick", "x.png[0]", reads("x.png")),
        ("apt-option", "Acquire::http::Proxy=http://evil", url("http://evil")),
        ("apt-option", "Dir::Etc=/x", reads("/x")),
    ] {
        has(language, code, &expected);
    }
    check("docker-volume", "/x:/y:ro", &[reads("/x")]);
    check("docker-mount", "type=bind,src=/x,dst=/y,ro=true", &[reads("/x")]);
}
