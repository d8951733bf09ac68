//! What belongs to one tool, held by the kernel.

use std::fs;

use ringfence::{Command, Stdio};

use super::project::Project;

const POLICY: &str = r#"
allow = ["cmd:*", "fs:r:@system/**"]

[tools.file]
enabled = true
allowed_read_paths = ["@root", "/usr", "/etc", "/lib", "/lib64"]
allowed_write_paths = ["@root"]

[tools.code_execution]
enabled = true
allowed_read_paths = ["@root/data", "/usr", "/etc", "/lib", "/lib64"]
allowed_write_paths = ["@root/out"]
"#;

/// Whether code that runs as a call of a tool can do this.
fn can(tool: &str, code: &str) -> bool {
    let project = Project::of(POLICY);
    for (file, content) in [("data/in", "given"), ("out/log", ""), ("secret", "not for code")] {
        fs::create_dir_all(project.root().join(file).parent().unwrap()).unwrap();
        fs::write(project.root().join(file), content).unwrap();
    }
    let command = Command::new("/usr/bin/python3").args(["-I", "-c", code]).tool(tool);
    let command = command.stdin(Stdio::Null).stdout(Stdio::Piped).stderr(Stdio::Piped);
    let outcome = ringfence::run(&project.fence(&command), &command).unwrap();
    let complaint = String::from_utf8(outcome.stderr.clone()).unwrap();
    assert!(
        outcome.is_success() || complaint.contains("PermissionError"),
        "{code}: {outcome:?} {complaint}"
    );
    outcome.is_success()
}

#[test]
fn c150_the_lists_of_a_tool_bind_the_code_that_it_runs() {
    assert!(can("code_execution", "open('data/in').read()"));
    assert!(can("code_execution", "open('out/log', 'a').write('x')"));
    assert!(!can("code_execution", "open('secret').read()"));
    assert!(!can("code_execution", "open('data/in', 'a').write('x')"));
    assert!(!can("code_execution", "import os; os.rename('out/log', 'secret')"));
    // Lists of one tool say nothing of another.
    assert!(can("write_file", "open('secret').read()"));
}
