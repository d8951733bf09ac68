use super::*;

const FILES: [&str; 4] = [
    "crates/ringfence-core/src/judge/decide.rs",
    "crates/ringfence-core/src/judge/compile.rs",
    "crates/ringfence-cli/src/command/run.rs",
    "policies/danger.toml",
];

fn faults(text: &str) -> Vec<String> {
    let exists = |path: &str| FILES.iter().any(|file| is_at(file, path));
    missing(text, &exists).iter().map(ToString::to_string).collect()
}

#[test]
fn paths_that_exist_pass() {
    let text = "1. `ringfence-core/src/judge/decide.rs`, beside it `compile.rs`; data in `policies/`.\n\
                ### ringfence-core\n- `judge/`: `Policy::decide`, `cargo xtask tidy`\n\
                ### ringfence-analysis, ringfence-cli\n- `command/run.rs`\n\
                ```\n`no/such.rs`\n```\n";
    assert_eq!(faults(text), Vec::<String>::new());
}

#[test]
fn paths_that_do_not_exist_are_faults_with_their_lines() {
    let text = "1. `ringfence-core/src/judge/nosuch.rs`\n### ringfence-core\n- `gone/`\n\
                ### ringfence-cli\n- `judge/decide.rs`\n";
    let found = faults(text);
    assert_eq!(found.len(), 3, "{found:?}");
    for (fault, line) in
        found.iter().zip(["ARCHITECTURE.md:1", "ARCHITECTURE.md:3", "ARCHITECTURE.md:5"])
    {
        assert!(fault.starts_with(line), "{fault}");
    }
}
