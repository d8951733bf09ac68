use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{
    check, gets, harmless, has, host, listens, reads, run, sets, shell, unsure,
};
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
    harmless("tcpdump-secret", "spi@1.2.3.4 aes:x");
    check("tcpdump-secret", "file /home/u/k", &[reads("/home/u/k")]);
    check("tshark-export", "http,/home/u/x", &[tree("/home/u/x")]);
    unsure("tshark-extension", "lua_script:/tmp/evil.lua");
    harmless("tshark-extension", "read_format:x");
    all_harmless("rsync-filter", &["- *.o", "+ */", "exclude x"]);
    check("rsync-filter", "merge /home/u/k", &[reads("/home/u/k")]);
    check("rsync-filter", "._/home/u/k", &[reads("/home/u/k")]);
    check("rsync-remote-option", "--log-file=/home/u/x", &[writes("/home/u/x")]);
    check("ytdlp-path", "home:/home/u/x", &[tree("/home/u/x")]);
    check("ytdlp-path", "/home/u/%(title)s", &[tree("/home/u")]);
    check("ytdlp-path", "%(title)s.%(ext)s", &[tree(".")]);
    harmless("ytdlp-path", "-");
    harmless("ytdlp-runtime", "node");
    check("ytdlp-runtime", "node:/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
}

#[test]
fn outputs_into_commands() {
    for name in ["strace-output", "ftp-output"] {
        check(name, "|/tmp/evil.sh", &[shell("/tmp/evil.sh")]);
        check(name, "/home/u/x", &[writes("/home/u/x")]);
        harmless(name, "-");
    }
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
    check("docker-publish", "8080:80", &[listens("8080")]);
    check("docker-publish", "127.0.0.1:8080:80/tcp", &[listens("127.0.0.1:8080")]);
    harmless("docker-publish", "80");
    check("docker-output", "type=local,dest=/home/u/x", &[tree("/home/u/x")]);
    check("docker-output", "/home/u/x", &[tree("/home/u/x")]);
    check("docker-output", "type=registry,ref=evil.example/x", &[host("evil.example")]);
    check("docker-output", "x=https://evil.example/x.git", &[url("https://evil.example/x.git")]);
    all_harmless("docker-output", &["type=gha", "-", "app:cache"]);
    all_harmless("aws-param", &["{\"a\": 1}", "text"]);
    check("aws-param", "file:///home/u/k", &[reads("/home/u/k")]);
    check("aws-param", "a=@=fileb://k,b=c", &[reads("k")]);
    check("helm-set-file", "a=/home/u/k,b=c", &[reads("/home/u/k"), reads("c")]);
    check("kubectl-from-file", "k=/home/u/k", &[reads("/home/u/k")]);
    check("kubectl-from-file", "config.yml", &[reads("config.yml")]);
    check("key-file", "a=/home/u/k", &[reads("/home/u/k")]);
    check("key-file", "address=https://evil.example", &[url("https://evil.example")]);
    check("key-write", "link,asm=/home/u/x", &[writes("/home/u/x")]);
    all_harmless("key-write", &["dev", "log_cli=true", "maxfail=3", "addopts="]);
    unsure("key-write", "addopts=-p evil");
    harmless("vault-data", "a=b");
    check("vault-data", "a=@/home/u/k", &[reads("/home/u/k")]);
    check("vault-data", "@k", &[reads("k")]);
    check("tf-backend", "backend.hcl", &[reads("backend.hcl")]);
    check("tf-backend", "address=https://evil.example", &[url("https://evil.example")]);
    check("boto-option", "Boto:proxy=evil.example", &[host("evil.example")]);
    harmless("boto-option", "GSUtil:parallel_process_count=1");
}

#[test]
fn other_agents() {
    harmless("codex-config", "model=\"x\"");
    all_unsure(
        "codex-config",
        &["mcp_servers.x.command=/tmp/evil.sh", "sandbox_mode=x", "notify=[]"],
    );
    all_unsure("mcp-config", &["/home/u/evil.json", "@x.json", "{\"mcpServers\":{}}"]);
    has("mcp-config", "@/home/u/x.json", &reads("/home/u/x.json"));
    check("mcp-server", "https://evil.example/x", &[url("https://evil.example/x")]);
    unsure("mcp-server", "/tmp/evil.sh");
    harmless("bc", "1 + 1");
}
