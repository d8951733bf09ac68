//! Whole plans, as people read them.

use super::*;

const WORLD: [&str; 10] = [
    "/home/u/proj/README.md",
    "/home/u/proj/.env",
    "/home/u/proj/api/.env.local",
    "/home/u/proj/api/.env.example",
    "/home/u/proj/certs/server.pem",
    "/home/u/.ssh/id_ed25519",
    "/home/u/.gitconfig",
    "/home/u/.config/git/ignore",
    "/etc/shadow",
    "/etc/ssl/certs/ca.pem",
];

fn check(name: &str, documents: Vec<Document>) {
    insta::assert_snapshot!(name, make(&host(&WORLD), documents, true));
}

#[test]
fn profiles() {
    for name in ["workspace", "readonly", "strict"] {
        check(name, profile(name));
    }
}

#[test]
fn everything_but_secrets() {
    let text = r#"
        allow = ["fs:rw:~/**", "cmd:*", "net:github.com:22", "net:*.example.org", "listen:8080",
                 "net:localhost:5432", "env:*"]
        ask = ["fs:r:~/mail/**", "listen:9000"]
        deny = ["fs:d:~/keep/**", "env:AWS_*"]
        [limits]
        time = "10m"
        memory = "2GiB"
    "#;
    check("everything_but_secrets", documents(text));
}

#[test]
fn shapes_of_files() {
    let text = r#"
        allow = ["fs:r:@root/**/*.md", "fs:r:~/.config/*/ignore", "fs:w:@root/out.txt"]
    "#;
    check("shapes_of_files", documents(text));
}

#[test]
fn rules_of_tools_and_commands() {
    let text = r#"
        allow = [{ pattern = "net:crates.io", command = "cargo:*" }, "fs:r:@root/**"]
        deny = [{ pattern = "fs:w:@root/src/**", command = "curl:*" },
                { pattern = "fs:r:@root/docs/**", tool = "file" }]
    "#;
    check("rules_of_tools_and_commands", documents(text));
}

#[test]
fn the_plan_is_data() {
    let plan = make(&host(&WORLD), profile("strict"), false);
    insta::assert_json_snapshot!("data", plan);
}
