use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, host, reads, shell, url, writes};

fn also(words: &[&str]) -> Finding {
    Finding::Also(words.iter().map(|&word| word.to_owned()).collect())
}

#[test]
fn kinds_of_a_cluster() {
    let secrets = also(&["kubectl", "get", "secrets"]);
    for value in ["secret", "Secrets", "SECRET/x", "secrets.v1.", "pods,Secret"] {
        check("kube-kinds", value, std::slice::from_ref(&secrets));
    }
    all_harmless("kube-kinds", &["pods", "secretstores", "deploy/secret", "pods,svc"]);
    check("kube-raw", "/api/v1/namespaces/x/secrets?limit=1", std::slice::from_ref(&secrets));
    check("kube-raw", "/api/v1/%73ecrets", std::slice::from_ref(&secrets));
    all_harmless("kube-raw", &["/healthz", "/api/v1/pods"]);
}

#[test]
fn lines_that_programs_are_told() {
    check("ghci", ":!rm x", &[shell("rm x")]);
    all_unsure("ghci", &[":script x", ":def x y", "System.Process.callCommand \"rm\""]);
    all_harmless("ghci", &["1 + 1", ":type map"]);
    check("aider-message", "!rm x", &[shell("rm x")]);
    check("aider-message", "/run rm x", &[shell("rm x")]);
    all_unsure("aider-message", &["/load x", "/add /etc/x"]);
    all_harmless("aider-message", &["fix the test", "/ask why"]);
    check("elsewhere", "true; rm x", &[also(&["true"]), also(&["rm", "x"])]);
    all_unsure("m4-define", &["x=syscmd(rm)", "x=include", "x=a(b)"]);
    all_unsure("just-value", &["`rm`", "$(rm)", "a; rm"]);
    all_unsure("rollup-plugin", &["{transform(){}}", "x=()=>1"]);
    all_harmless("rollup-plugin", &["node-resolve", "terser={a:1}"]);
    check("ctest-overwrite", "MakeCommand=rm x", &[shell("rm x")]);
}

#[test]
fn settings_that_are_variables() {
    check("git-trace", "/x", &[writes("/x")]);
    all_harmless("git-trace", &["1", "true", "2"]);
    check("ffreport", "file=/x:level=32", &[writes("/x")]);
    check("flask-app", "/x/app.py:create", &[reads("/x/app.py")]);
    all_harmless("flask-app", &["app", "app:create"]);
    all_unsure("nix-config", &["post-build-hook = /x", "builders = ssh://x"]);
    all_harmless("nix-config", &["experimental-features = nix-command flakes\ncores = 4"]);
    all_unsure("erl-options", &["-eval x", "-s x", "-run x"]);
    all_harmless("erl-options", &["+S 4", "-kernel shell_history enabled"]);
    all_unsure("toolchain", &["/tmp/x", "./x"]);
    all_harmless("toolchain", &["nightly", "1.80.0"]);
    check("dnf-setting", "x.baseurl=http://evil.example", &[url("http://evil.example")]);
    all_unsure("dnf-setting", &["pluginpath=/x"]);
}

#[test]
fn variables_of_plays() {
    check("ansible-vars", "@/x", &[reads("/x")]);
    check("ansible-vars", "ansible_host=evil.example", &[host("evil.example")]);
    let unsure =
        ["ansible_ssh_executable=rm", "x={{ lookup('pipe', 'rm') }}", "{\"ansible_x\": 1}"];
    all_unsure("ansible-vars", &unsure);
    all_harmless("ansible-vars", &["a=1 b=2", "{\"a\": 1}"]);
    all_harmless("ansible-python", &["auto", "/usr/bin/python3"]);
}

#[test]
fn names_in_archives_and_builds() {
    check("7z-names", "r!/etc/*", &[reads("/etc")]);
    check("7z-names", "@/x", &[reads("/x")]);
    check("7z-lists", "r@/x", &[reads("/x")]);
    all_harmless("7z-lists", &["r!*.o"]);
    check("7z-switch", "fx/x", &[reads("/x")]);
    check("tree-or-list", "@/x", &[reads("/x")]);
    check("gcc-f", "dump-tree-all=/x", &[writes("/x")]);
    check("gcc-f", "opt-info-vec=/x", &[writes("/x")]);
    check("gcc-f", "optimization-record-file=x", &[writes("x")]);
    all_harmless("gcc-f", &["sanitize=address", "file-prefix-map=/a=/b", "PIC"]);
    check("bake-set", "*.context=/x", &[reads("/x")]);
    check("bake-set", "x.output=type=local,dest=/x", &[writes("/x")]);
}
