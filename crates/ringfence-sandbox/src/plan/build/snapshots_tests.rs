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
    let plan = make(&host(&WORLD), documents, true).to_string();
    insta::assert_snapshot!(name, without_counts(&plan));
}

/// Returns a plan as text without how many rules the built-in lists have: a new entry in
/// `policies/` is no change of the plan's shape.
fn without_counts(plan: &str) -> String {
    let lines = plan.lines().map(|line| match line.split_once(" rules on ") {
        Some((before, after))
            if [" protected", " danger list"].iter().any(|l| after.ends_with(l)) =>
        {
            let effect = before.trim_end_matches(|own: char| own.is_ascii_digit());
            let after: Vec<&str> = after.split_whitespace().collect();
            format!("{effect}N rules on {}", after.join(" "))
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
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
