//! Every example of the documentation runs.

use super::repository;

#[test]
fn console_examples_say_what_they_show() {
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_ringfence"))
        .case("../../README.md")
        .case("../../docs/**/*.md");
}

/// Policies in the documentation load, and their own tests pass.
#[test]
fn policy_examples_load_and_pass_their_tests() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for (language, block) in blocks(&text) {
            let policy = match language.as_str() {
                "toml" => block,
                // An entry of the catalogue is one of a policy, by another name.
                "toml entry" => block.replace("\n[", "\n[programs.").replacen('[', "[programs.", 1),
                _ => continue,
            };
            count += 1;
            check_policy(&page.display().to_string(), &policy);
        }
    }
    assert!(count >= 3, "the documentation shows policies");
}

fn check_policy(page: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ringfence.toml");
    std::fs::write(&file, text).unwrap();
    let lint = super::ringfence().arg("lint").arg(&file).output().unwrap();
    assert_ne!(lint.status.code(), Some(2), "{page}: {}", super::stderr(&lint));
    if text.contains("[[test]]") {
        let test = super::ringfence().arg("test").arg(&file).output().unwrap();
        assert_eq!(test.status.code(), Some(0), "{page}: {}", super::stdout(&test));
    }
}

fn pages() -> Vec<std::path::PathBuf> {
    let mut pages = vec![repository().join("README.md")];
    let mut open = vec![repository().join("docs")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The fenced blocks of a page, each with its language.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (None, Some((language, block))) => {
                open = Some((language, format!("{block}{line}\n")));
            }
            (None, None) => {}
        }
    }
    blocks
}
