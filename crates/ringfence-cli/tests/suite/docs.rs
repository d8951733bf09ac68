//! Every example of the documentation runs.

use std::path::Path;

use super::repository;

/// The pages are written for readers; what the runner needs besides is put into copies of them.
#[test]
fn console_examples_say_what_they_show() {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let _ = std::fs::remove_dir_all(&copies);
    for page in pages() {
        let copy = copies.join(page.strip_prefix(repository()).unwrap());
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        let text = std::fs::read_to_string(&page).unwrap();
        let marked = marked(&text).unwrap_or_else(|fault| panic!("{}: {fault}", page.display()));
        std::fs::write(&copy, marked).unwrap();
        // The files that a page's examples read lie beside it, in a folder of its name.
        let files = page.with_extension("in");
        if files.is_dir() {
            copy_files(&files, &copy.with_extension("in"));
        }
    }
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_ringfence"))
        .case(copies.join("**/*.md"));
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        assert!(entry.file_type().unwrap().is_file(), "{}", entry.path().display());
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Writes a page in the notation of trycmd.
///
/// - A comment `<!-- exit 3 -->` before a block of kind `console` has the exit statuses of its
///   commands, in their order; where there is none they are 0. In the copy each stands behind its
///   command, as `? 3`.
/// - ` …` at the end of a line stands for any rest of it: `[..]`.
fn marked(text: &str) -> Result<String, String> {
    let mut copy = String::new();
    let mut statuses: Vec<String> = Vec::new();
    let mut in_console = false;
    for line in text.lines() {
        let exit = line.strip_prefix("<!-- exit ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(listed) = exit {
            statuses = listed.split(' ').map(str::to_owned).collect();
            continue;
        }
        match line {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ if is_status(line) => return Err(format!("`{line}`: say it in a comment")),
            _ => {}
        }
        if !in_console && !statuses.is_empty() {
            return Err(format!("`{line}`: no command has the exit status {}", statuses.join(" ")));
        }
        match line.strip_suffix(" …") {
            Some(start) if in_console => copy.push_str(&format!("{start} [..]\n")),
            _ => copy.push_str(&format!("{line}\n")),
        }
        if in_console && line.starts_with("$ ") && !statuses.is_empty() {
            copy.push_str(&format!("? {}\n", statuses.remove(0)));
        }
    }
    Ok(copy)
}

fn is_status(line: &str) -> bool {
    line.strip_prefix("? ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[test]
fn exit_statuses_in_comments_go_behind_their_commands() {
    let page = "a\n<!-- exit 4 0 -->\n```console\n$ x\nsaid\n\n$ y …\nz …\n$ z\n```\nb …\n";
    let copy = "a\n```console\n$ x\n? 4\nsaid\n\n$ y [..]\n? 0\nz [..]\n$ z\n```\nb …\n";
    assert_eq!(marked(page).unwrap(), copy);
    for wrong in [
        "<!-- exit 4 -->\n```sh\n$ x\n```\n",
        "<!-- exit 4 3 -->\n```console\n$ x\n```\n",
        "```console\n$ x\n? 4\n```\n",
    ] {
        assert!(marked(wrong).is_err(), "{wrong}");
    }
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
