//! What is said to grant something, and written down for good, where names are a program's choice.

use std::process::{Output, Stdio};

use super::asking::Desk;
use super::{ringfence, stderr, stdout};

/// Tries to write files of these names, which are Python's text.
fn tries(names: &[&str]) -> Output {
    let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let project = folder.path().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let policy = "extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n";
    std::fs::write(folder.path().join("policy.toml"), policy).unwrap();
    let names = names.join(",");
    let code = format!(
        "for name in [{names}]:\n  try: open('/etc/' + name, 'w')\n  except OSError: pass\n"
    );
    std::fs::write(project.join("tries.py"), code).unwrap();
    let mut command = ringfence();
    command.args(["run", "--policy", "../policy.toml", "--", "python3", "-S", "tries.py"]);
    command.current_dir(project).stdin(Stdio::null()).output().unwrap()
}

/// The patterns of the list, as a policy would read its lines.
fn patterns(output: &Output) -> Vec<String> {
    let said = stderr(output);
    let lines = said.lines().filter(|line| line.trim_start().starts_with("allow = ["));
    lines
        .map(|line| {
            let read: toml::Table = toml::from_str(line).unwrap();
            let list = read["allow"].as_array().unwrap();
            assert_eq!(list.len(), 1, "{line}");
            list[0].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn a_line_of_the_list_is_one_rule_about_one_name() {
    let output = tries(&["'x\", \"cmd:*'", "'**'", "'{a,b}?'", "'y\\u202etxt'"]);
    let expected = [
        r#"fs:w:/etc/x", "cmd:\*"#,
        r"fs:w:/etc/\*\*",
        r"fs:w:/etc/\{a,b}\?",
        "fs:w:/etc/y\u{202e}txt",
    ];
    assert_eq!(patterns(&output), expected, "{}", stderr(&output));
    assert!(!stderr(&output).contains('\u{202e}'));
}

#[test]
fn names_that_speak_to_a_terminal_are_written_out_and_get_no_line() {
    let output = tries(&["'\\x1b]0;t\\x07\\x1b[31mRED'", "'z\"]\\nallow = [\"fs:rw:~/**'"]);
    let said = stderr(&output);
    assert!(said.contains(r"write /etc/\x1b]0;t\x07"), "{said}");
    assert!(!said.contains(['\x1b', '\x07']), "{said}");
    assert_eq!(patterns(&output), [""; 0], "{said}");
}

#[test]
fn an_answer_that_lasts_is_about_the_very_name() {
    let desk = Desk::new("extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n");
    let notes = desk.policy().with_file_name("notes");
    std::fs::create_dir(&notes).unwrap();
    let policy = std::fs::read_to_string(desk.policy()).unwrap();
    let asks = format!("{policy}ask = [\"fs:rw:{}/**\"]\n", notes.display());
    std::fs::write(desk.policy(), asks).unwrap();
    let run = desk.run("echo x > '../notes/**'");
    let agreed = desk.at_terminal(&["approve", &desk.id(), "--always"]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let policy = std::fs::read_to_string(desk.policy()).unwrap();
    assert!(policy.contains(r"/notes/\*\*"), "{policy}");
    assert!(!policy.contains("allow = [\"fs:w:/"), "{policy}");
}

/// To opt in to a danger grants nothing: where a grant is missing too, both lines are said, and with
/// both the next run does it.
#[test]
fn the_lines_of_a_danger_are_all_that_it_takes() {
    let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let project = folder.path().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(project.join("tool"), "#!/bin/sh\necho started\n").unwrap();
    let run = |more: &str| {
        let policy = format!("extends = [\"@workspace\"]\n{more}");
        std::fs::write(folder.path().join("policy.toml"), policy).unwrap();
        let mut command = ringfence();
        let line = "chmod 755 tool; stat -c %a tool";
        command.args(["run", "--policy", "../policy.toml", "--", "sh", "-c", line]);
        command.current_dir(&project).stdin(Stdio::null()).output().unwrap()
    };
    let first = run("");
    let said = stderr(&first);
    assert_eq!(stdout(&first), "644\n", "{said}");
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|own| own.contains(" = [")).collect();
    // The fence holds a program that no rule lists; only the danger takes a line.
    assert_eq!(lines, ["danger = [\"cmd:chmod:755:tool:\"]"], "{said}");
    let second = run(&lines.join("\n"));
    assert_eq!((stdout(&second).as_str(), stderr(&second).as_str()), ("755\n", ""));
}
