use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, harmless, has, host, listens, reads, shell, unsure};
use crate::lang::testing::{url, writes};

#[test]
fn ssh() {
    check("ssh-jump", "u@a.example,b.example:22", &[host("u@a.example"), host("b.example:22")]);
    harmless("ssh-jump", "none");
    check("ssh-forward", "8080:db:5432", &[listens("8080"), host("db:5432")]);
    check("ssh-forward", "127.0.0.1:80:[::1]:90", &[listens("80"), host("[::1]:90")]);
    check(
        "ssh-forward",
        "8080:/var/run/docker.sock",
        &[listens("8080"), reads("/var/run/docker.sock"), writes("/var/run/docker.sock")],
    );
    all_unsure("ssh-forward", &["1080", "*:1080", "a:b:c:d:e"]);
}

#[test]
fn requests() {
    all_harmless("curl-urlencode", &["a=b@c", "=x@y", "text"]);
    check("curl-urlencode", "a@/home/u/k", &[reads("/home/u/k")]);
    check("curl-urlencode", "@/home/u/k", &[reads("/home/u/k")]);
    all_harmless("httpie", &["POST", "a=b", "a:=1", "Accept:text/html", "a==b", ""]);
    check("httpie", "https://evil.example/", &[url("https://evil.example/")]);
    check("httpie", "api.example.com/a?b=c", &[url("api.example.com/a?b=c")]);
    check("httpie", "evil.example:80", &[url("evil.example:80")]);
    check("httpie", ":3000/x", &[url("http://localhost:3000/x")]);
    for item in ["f@/home/u/k", "f=@/home/u/k", "f:=@/home/u/k", "F:@/home/u/k"] {
        check("httpie", item, &[reads("/home/u/k")]);
    }
    check("httpie-proxy", "http:http://evil.example:1", &[url("http://evil.example:1")]);
    harmless("httpie-session", "dev");
    check("httpie-session", "./s.json", &[reads("./s.json"), writes("./s.json")]);
    all_harmless("dig", &["+short", "MX", "aaaa", "."]);
    check("dig", "@evil.example", &[host("evil.example")]);
    check("dig", "secret.evil.example.", &[host("secret.evil.example")]);
}

#[test]
fn git_and_forges() {
    check("git-smtp", "mail.example", &[host("mail.example")]);
    check("git-smtp", "/tmp/evil.sh", &[shell("/tmp/evil.sh")]);
    harmless("gh-api", "repos/o/r/issues");
    check("gh-api", "https://evil.example/x", &[url("https://evil.example/x")]);
    harmless("gh-repo", "owner/name");
    check("gh-repo", "evil.example/o/n", &[host("evil.example")]);
    check("gh-repo", "https://evil.example/x", &[url("https://evil.example/x")]);
    unsure("gh-repo", "ext::/tmp/evil.sh");
    check("gh-repo", "/home/u/x", &[reads("/home/u/x")]);
}

#[test]
fn browsers_editors_and_clones() {
    let both = |word: &str| [reads(word), url(&format!("http://{word}"))];
    check("browser-place", "evil.example", &both("evil.example"));
    check("browser-place", "evil.example/x.html", &both("evil.example/x.html"));
    check("browser-place", "localhost:8080", &both("localhost:8080"));
    check("browser-place", "index.html", &[reads("index.html")]);
    check("browser-place", "docs/a.b", &[reads("docs/a.b")]);
    check("browser-place", "./evil.example", &[reads("./evil.example")]);
    check("browser-place", "https://evil.example/", &[url("https://evil.example/")]);
    check("editor-file", "scp://evil.example/x", &[url("scp://evil.example/x")]);
    check("editor-file", "a", &[reads("a"), writes("a")]);
    all_harmless("clone-word", &["--depth", "1", "--depth=1", "--branch", "main", "-q"]);
    all_unsure("clone-word", &["--upload-pack=x", "-u", "-c", "--config=a.b=c", "--template=x"]);
    all_harmless("gh-item", &["7", "feature/x"]);
    check("gh-item", "https://evil.example/o/r/pull/7", &[url("https://evil.example/o/r/pull/7")]);
    all_harmless("perl-split", &[",", "/,/", ":", "\\t"]);
    all_unsure("perl-split", &["/,/,$_);system(1);(/", "(?{system(1)})", "@{[`id`]}"]);
    all_harmless("fzf-options", &["--height 40% --reverse", "--preview-window=right"]);
    all_unsure("fzf-options", &["--preview=x", "--bind enter:become(x)", "--'preview'=x"]);
}

#[test]
fn databases() {
    harmless("pg-database", "app");
    check(
        "pg-database",
        "host=evil.example dbname=x",
        &[Finding::Code("pg-host", "evil.example".into())],
    );
    check(
        "pg-database",
        "postgres://u:p@a.example,b.example:1/x",
        &[host("a.example"), host("b.example:1")],
    );
    has(
        "pg-database",
        "postgres:///x?host=e.example",
        &Finding::Code("pg-host", "e.example".into()),
    );
    all_unsure("pg-database", &["sslkey=engine:x:y", "host = evil.example", "host='a"]);
    check("pg-database", "sslkeylogfile=/home/u/x", &[writes("/home/u/x")]);
    check("pg-host", "a.example,b.example", &[host("a.example"), host("b.example")]);
    check("pg-host", "/run/x", &[reads("/run/x"), writes("/run/x")]);
    harmless("psql-variable", "ON_ERROR_STOP=1");
    check("psql-variable", "x=\\! id", &[Finding::Code("psql", "\\! id".to_owned())]);
    unsure("psql-variable", "PROMPT1=%`rm x`");
    all_harmless("redis", &["GET", "user:1", "a.b"]);
    all_unsure("redis", &["CONFIG", "Module", "REPLICAOF"]);
    check("redis", "/home/u", &[reads("/home/u")]);
}

#[test]
fn sql() {
    all_harmless("clickhouse", &["SELECT 1", "SELECT log(x), count() FROM t"]);
    check(
        "clickhouse",
        "SELECT * FROM file('/home/u/k')",
        &[reads("/home/u/k"), writes("/home/u/k")],
    );
    check("clickhouse", "SELECT * FROM url('http://evil.example')", &[url("http://evil.example")]);
    check("clickhouse", "SELECT * FROM remote('evil.example', a, b)", &[host("evil.example")]);
    check("clickhouse", "SELECT 1 INTO OUTFILE '/home/u/x'", &[writes("/home/u/x")]);
    check("clickhouse", "clickhouse://evil.example/x", &[host("evil.example")]);
    all_unsure(
        "clickhouse",
        &[
            "SELECT * FROM Executable('x')",
            "SELECT * FROM file (concat('a', 'b'))",
            "SELECT 1 INTO OUTFILE 'a''b'",
        ],
    );
    harmless("cql", "SELECT * FROM t WHERE a = 'b'");
    check("cql", "CAPTURE '/home/u/.bashrc'", &[writes("/home/u/.bashrc")]);
    check("cql", "copy t to '/home/u/x'", &[writes("/home/u/x")]);
    unsure("cql", "SOURCE 'x.cql'");
    check("sql", "select 1", &[Finding::Code("sqlite", "select 1".to_owned())]);
    check("sql", "/home/u/q.sql", &[reads("/home/u/q.sql")]);
}
