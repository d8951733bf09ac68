//! Rules of single tools, enforced by the kernel.

use std::fs;
use std::sync::Arc;

use ringfence::{Approver, Command, Stdio};
use ringfence_core::Effect;
use ringfence_guard::{Action, Call, Guard};

use super::project::{Project, Yes, sh};

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

/// Returns whether code that runs as a call of a tool succeeds.
fn can(tool: &str, code: &str) -> bool {
    let project = Project::of(POLICY);
    for (file, content) in [("data/in", "given"), ("out/log", ""), ("secret", "not for code")] {
        fs::create_dir_all(project.root().join(file).parent().unwrap()).unwrap();
        fs::write(project.root().join(file), content).unwrap();
    }
    let command = Command::new("/usr/bin/python3").args(["-I", "-c", code]).tool(tool);
    let command = command.stdin(Stdio::Null).stdout(Stdio::Piped).stderr(Stdio::Piped);
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
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
    // The path lists of one tool do not apply to another.
    assert!(can("write_file", "open('secret').read()"));
}

#[test]
fn c123_a_question_about_a_tool_that_runs_commands_is_left_to_the_fence() {
    let project = Project::of(
        r#"
        allow = ["cmd:{sh,echo}:*", "fs:r:@system/**", "fs:r:@root/**"]
        ask = ["cmd:id:*"]
        [permissions.tools]
        bash = "ask"
        code_exec = "deny"
        read_file = "ask"
        "#,
    );
    let call = |tool: &str, input: serde_json::Value| {
        Call::new(Action::Tool { name: tool.to_owned(), input })
    };
    let bash = call("bash", serde_json::json!({ "command": "echo hello" }));
    let code = call("code_exec", serde_json::json!({ "command": "echo hello" }));
    let file = call("read_file", serde_json::json!({ "path": "notes" }));
    let (alone, fenced) = (project.guard(), project.guard().for_fence());
    let said = |guard: &Guard, call: &Call| guard.consider(call).verdict.effect;
    assert_eq!((said(alone, &bash), said(&fenced, &bash)), (Effect::Ask, Effect::Allow));
    assert_eq!((said(alone, &code), said(&fenced, &code)), (Effect::Deny, Effect::Deny));
    assert_eq!((said(alone, &file), said(&fenced, &file)), (Effect::Ask, Effect::Ask));

    // The exec gate asks about the programs that the commands start.
    let yes = Arc::new(Yes::default());
    let project = project.asking(Arc::clone(&yes) as Arc<dyn Approver>);
    let command = sh("echo hello; id -u").tool("bash");
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(yes.asked().len(), 1, "{:?}", yes.asked());
}
