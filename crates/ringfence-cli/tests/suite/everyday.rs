//! `allow`, `deny`, `forget` and `allowed`, by an ordinary user at a terminal.

use super::person::Person;
use super::{stderr, stdout};

const MINE: &str = ".config/ringfence/policy.toml";
const ANSWERS: &str = ".config/ringfence/allowed.toml";
const THEIRS: &str = "project/ringfence.toml";

#[test]
fn what_is_allowed_by_hand_counts_and_can_be_forgotten() {
    let Some(person) = Person::new() else { return };
    let call = ["check", "--access", "fs:r:/srv/x"];
    assert_eq!(person.ringfence(&call).status.code(), Some(3), "without a policy it asks");

    let piped = person.ringfence(&["allow", "fs:r:/srv/x"]);
    assert_eq!(piped.status.code(), Some(2), "{}", stdout(&piped));
    assert!(stderr(&piped).contains("terminal"), "{}", stderr(&piped));
    assert_eq!(person.read(ANSWERS), None);

    let done = person.at_terminal(&["allow", "fs:r:/srv/x", "--why", "'the shared notes'"], "");
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    assert!(stdout(&done).contains("ringfence forget fs:r:/srv/x"), "{}", stdout(&done));
    assert_eq!(person.ringfence(&call).status.code(), Some(0));
    let text = person.read(ANSWERS).unwrap();
    assert!(!text.contains("extends"), "answers are no policy: {text}");
    assert_eq!(person.read(MINE), None);
    assert!(text.contains(": the shared notes\""), "{text}");
    assert_eq!(person.ringfence(&["check", "--", "git", "status"]).status.code(), Some(0));

    let list = stdout(&person.ringfence(&["allowed"]));
    assert!(list.contains("fs:r:/srv/x") && list.contains("the shared notes"), "{list}");
    assert!(list.contains("allowed.toml:4"), "with its place: {list}");
    let again = person.at_terminal(&["allow", "fs:r:/srv/x"], "");
    assert!(stdout(&again).contains("already"), "{}", stdout(&again));
    assert_eq!(person.read(ANSWERS).unwrap(), text);

    assert_eq!(person.ringfence(&["forget", "fs:r:/srv/x"]).status.code(), Some(2), "a pipe");
    let forgot = person.at_terminal(&["forget", "fs:r:/srv/x"], "");
    assert_eq!(forgot.status.code(), Some(0), "{}", stdout(&forgot));
    assert_eq!(person.read(ANSWERS), None, "there was no file before");
    assert_eq!(person.ringfence(&call).status.code(), Some(3));
    let none = person.at_terminal(&["forget", "fs:r:/srv/x"], "");
    assert_eq!(none.status.code(), Some(2), "{}", stdout(&none));
}

#[test]
fn a_file_is_byte_for_byte_as_it_was_once_everything_is_forgotten() {
    let Some(person) = Person::new() else { return };
    let before = "# mine\r\nextends = [\"@workspace\"] # everyday\r\nallow = [ \"fs:r:/srv/a\" ]\r\n\r\n\
                  [hooks]\r\nwait = 1\r\n";
    person.write(MINE, before);
    for words in [["allow", "fs:r:/srv/b"], ["deny", "cmd:curl"], ["allow", "net:a.example"]] {
        let done = person.at_terminal(&words, "");
        assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    }
    assert_eq!(person.ringfence(&["check", "--", "curl", "x.example"]).status.code(), Some(4));
    assert_eq!(person.ringfence(&["check", "--access", "fs:r:/srv/b"]).status.code(), Some(0));
    for pattern in ["fs:r:/srv/b", "net:a.example", "cmd:curl"] {
        let done = person.at_terminal(&["forget", pattern], "");
        assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    }
    assert_eq!(person.read(MINE).unwrap(), before);
    let own = person.at_terminal(&["forget", "fs:r:/srv/a"], "");
    assert_eq!(own.status.code(), Some(2));
    assert!(stdout(&own).contains("policy.toml:3"), "it is said where it stands: {}", stdout(&own));
}

#[test]
fn a_project_stays_as_trusted_as_it_was() {
    let Some(person) = Person::new() else { return };
    let call = ["check", "--access", "fs:r:/srv/b"];
    let before = "extends = [\"@workspace\"]\nallow = [\"fs:r:/srv/a\"]\n";
    person.write_policy(before);
    let add = ["allow", "fs:r:/srv/b", "--project"];
    let done = person.at_terminal(&add, "");
    assert!(stdout(&done).contains("ringfence trust"), "{}", stdout(&done));
    assert_eq!(person.ringfence(&call).status.code(), Some(3), "nobody trusted the rest");
    assert!(stdout(&person.ringfence(&["allowed"])).contains("not trusted"));
    let done = person.at_terminal(&["forget", "fs:r:/srv/b"], "");
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    assert_eq!(person.read(THEIRS).unwrap(), before);

    assert_eq!(person.at_terminal(&["trust"], "y\n").status.code(), Some(0));
    assert_eq!(person.at_terminal(&add, "").status.code(), Some(0));
    assert_eq!(person.ringfence(&call).status.code(), Some(0), "it was trusted, and still is");
    assert_eq!(person.at_terminal(&["forget", "fs:r:/srv/b"], "").status.code(), Some(0));
    assert_eq!(person.ringfence(&call).status.code(), Some(3));
    let old = person.ringfence(&["check", "--access", "fs:r:/srv/a"]);
    assert_eq!(old.status.code(), Some(0), "the rest is still trusted: {}", stderr(&old));
}

#[test]
fn a_rule_counts_in_the_users_file_and_in_the_projects_and_what_still_asks_is_named() {
    let Some(person) = Person::new() else { return };
    person.write_policy("extends = [\"@workspace\"]\ndefault = \"ask\"\n");
    assert_eq!(person.at_terminal(&["trust"], "y\n").status.code(), Some(0));
    let push = ["check", "--", "git", "push"];
    assert_eq!(person.ringfence(&push).status.code(), Some(3), "@workspace asks");

    let done = stdout(&person.at_terminal(&["allow", "cmd:git:push:*"], ""));
    assert!(done.contains("allowed.toml"), "the project's policy is everybody's: {done}");
    assert!(!done.contains("still asks"), "{done}");
    assert_eq!(person.ringfence(&push).status.code(), Some(0));
    assert_eq!(person.read(MINE), None, "a policy of the user's would have its own say");
    let elsewhere = person.ringfence(&["check", "--access", "fs:r:/srv/x"]);
    assert_eq!(elsewhere.status.code(), Some(3), "nothing else changed");
    let deny = stdout(&person.at_terminal(&["deny", "cmd:curl"], ""));
    assert!(deny.contains(" cmd:curl  in "), "{deny}");
    let list = stdout(&person.ringfence(&["allowed"]));
    let column = |word: &str| list.lines().find_map(|line| line.find(word));
    assert_eq!(column("cmd:git:push:*"), column("cmd:curl"), "{list}");

    assert_eq!(person.at_terminal(&["forget", "cmd:git:push:*"], "").status.code(), Some(0));
    assert_eq!(person.ringfence(&push).status.code(), Some(3), "as before");
    let done = stdout(&person.at_terminal(&["allow", "cmd:git:push:*", "--user"], ""));
    assert!(!done.contains("still asks"), "{done}");
    assert_eq!(person.ringfence(&push).status.code(), Some(0), "the rules of both files add up");

    let broad = stdout(&person.at_terminal(&["allow", "cmd:git:*", "--user"], ""));
    assert!(!broad.contains("still asks"), "it covers more than the ask: {broad}");
    let ask = "extends = [\"@workspace\"]\ndefault = \"ask\"\nask = [\"cmd:make:*\"]\n";
    person.write_policy(ask);
    assert_eq!(person.at_terminal(&["trust"], "y\n").status.code(), Some(0));
    let done = stdout(&person.at_terminal(&["allow", "cmd:make:*", "--user"], ""));
    assert!(done.contains("`cmd:make:*`") && done.contains("still asks"), "{done}");
    assert_eq!(person.ringfence(&["check", "make"]).status.code(), Some(3), "as it was said");
}

#[test]
fn the_first_rule_of_a_project_makes_its_file() {
    let Some(person) = Person::new() else { return };
    let add = ["allow", "fs:r:/srv/b", "--project"];
    assert_eq!(person.at_terminal(&add, "").status.code(), Some(0));
    let call = ["check", "--access", "fs:r:/srv/b"];
    assert_eq!(person.ringfence(&call).status.code(), Some(0));
    assert_eq!(person.ringfence(&["check", "--", "git", "status"]).status.code(), Some(0));
    assert_eq!(person.at_terminal(&["forget", "fs:r:/srv/b"], "").status.code(), Some(0));
    assert_eq!(person.read(THEIRS), None);
    assert!(stderr(&person.ringfence(&["trust", "--list"])).contains("no project is trusted"));
}

#[test]
fn what_cannot_be_written_well_is_not_written() {
    let Some(person) = Person::new() else { return };
    let check = |words: &[&str], says: &str| {
        let before = person.read(MINE);
        let done = person.at_terminal(words, "");
        assert_eq!(done.status.code(), Some(2), "{words:?} {}", stdout(&done));
        assert!(stdout(&done).contains(says), "{words:?} {}", stdout(&done));
        assert_eq!(person.read(MINE), before);
    };
    check(&["allow", "'git push'"], "cmd:git:push");
    check(
        &["allow", "'cmd:curl:-H:Authorization\\: Bearer abcdefghijklmnopqrstuvwxyz0123456789'"],
        "secret",
    );
    person.write(MINE, "allow = [\n    \"cmd:ls\",\nalow = 1\n");
    check(&["allow", "cmd:id"], "policy.toml:3:");
    check(&["deny", "cmd:id"], "policy.toml:3:");
    person.write(MINE, "[capabilities.allow.read]\npaths = [\"src/**\"]\n");
    check(&["allow", "cmd:id"], "yourself");
}

/// c130: what a person allowed by hand, for good, does not outrank a deny.
#[test]
fn c130_a_rule_by_hand_never_outranks_a_deny() {
    let Some(person) = Person::new() else { return };
    person.write(MINE, "extends = [\"@workspace\"]\ndeny = [\"fs:r:/srv/**\"]\n");
    let done = person.at_terminal(&["allow", "fs:r:/srv/x", "fs:r:/opt/x"], "");
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    assert_eq!(person.ringfence(&["check", "--access", "fs:r:/srv/x"]).status.code(), Some(4));
    assert_eq!(person.ringfence(&["check", "--access", "fs:r:/opt/x"]).status.code(), Some(0));
    assert!(stdout(&done).contains("policy.toml:2) still denies it"), "{}", stdout(&done));
    let danger = person.at_terminal(&["allow", "fs:r:~/.ssh/id_rsa"], "");
    assert!(stdout(&danger).contains("on the danger list"), "{}", stdout(&danger));
    // All of them, or none.
    let before = person.read(MINE);
    assert_eq!(person.at_terminal(&["allow", "cmd:id", "nonsense"], "").status.code(), Some(2));
    assert_eq!(person.read(MINE), before);
}

/// No agent can use these verbs: the calls are refused, whatever a policy grants.
#[test]
fn an_agent_cannot_call_them() {
    let Some(person) = Person::new() else { return };
    person.write(MINE, "allow = [\"cmd:*\", \"cmd:ringfence:*\", \"fs:rw:/**\"]\n");
    let verbs = ["allow", "forget", "approve", "init", "uninstall", "trust", "learn"];
    let verbs = verbs.map(|verb| [verb].to_vec());
    for verb in verbs.into_iter().chain([vec!["session", "end"], vec!["danger", "allow"]]) {
        let call = [&["check", "--", "ringfence"], verb.as_slice(), &["cmd:id"]].concat();
        let call = person.ringfence(&call);
        assert_eq!(call.status.code(), Some(4), "{verb:?}: {}", stdout(&call));
    }
    let ended = person.ringfence(&["session", "end", "x"]);
    assert_eq!(ended.status.code(), Some(2), "a pipe is no person: {}", stdout(&ended));
    assert!(stderr(&ended).contains("terminal"), "{}", stderr(&ended));
}

/// What Claude Code is told about a line, in a session.
fn told(person: &Person, session: &str, line: &str) -> String {
    let project = person.home().join("project");
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": session, "cwd": project,
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": line },
    });
    let mut command = person.command(person.program().to_str().unwrap());
    command.args(["hook", "claude-code"]).env("CLAUDE_PROJECT_DIR", &project);
    let said = super::run_with_input(command.current_dir(&project), event.to_string().as_bytes());
    let said: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    said["hookSpecificOutput"]["permissionDecision"].as_str().unwrap().to_owned()
}

const ASKS: &str = "extends = [\"@workspace\"]\nask = [\"cmd:git:push:*\", \"cmd:id:*\", \"fs:w:@root/kept\"]\n\
                    deny = [\"cmd:git:push:*:--force\"]\n[hooks]\nwait = 0\n";

#[test]
fn a_yes_beforehand_answers_one_question_of_an_agent() {
    let Some(person) = Person::new() else { return };
    person.write(MINE, ASKS);
    assert_eq!(told(&person, "s", "git push origin main"), "deny", "nobody is there to ask");
    assert_eq!(person.ringfence(&["allow", "cmd:git:push:*", "--once"]).status.code(), Some(2));
    let before = person.read(MINE);
    let done = person.at_terminal(&["allow", "'cmd:git:push:*'", "--once"], "");
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    assert_eq!(person.read(MINE), before, "no rule was written");
    let listed = stdout(&person.ringfence(&["allowed"]));
    assert!(listed.contains("cmd:git:push:*") && listed.contains("once in "), "{listed}");
    assert_eq!(told(&person, "s", "git push --force"), "deny", "a deny is no question");
    assert_eq!(told(&person, "s", "git push && id"), "deny", "not all of it was agreed to");
    assert_eq!(told(&person, "s", "git push origin main"), "allow");
    assert_eq!(told(&person, "s", "git push origin main"), "deny", "once was once");

    let done = person.at_terminal(&["allow", "fs:w:@root/kept", "--session"], "");
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    for _ in 0..2 {
        assert_eq!(told(&person, "s", "echo x > kept"), "allow");
    }
    assert_eq!(told(&person, "t", "echo x > kept"), "deny", "another session");
    let place = format!("fs:w:{}/project/kept", person.home().display());
    assert_eq!(person.at_terminal(&["forget", &place], "").status.code(), Some(0));
    assert_eq!(told(&person, "s", "echo x > kept"), "deny", "it was taken back");
}

#[test]
fn a_yes_beforehand_answers_one_question_of_a_run() {
    let Some(person) = Person::new() else { return };
    person.write(MINE, ASKS);
    let run = || {
        let output = person.ringfence(&["run", "--", "sh", "-c", "id -u; echo $?"]);
        (stdout(&output), stderr(&output))
    };
    let (said, talk) = run();
    assert_eq!(said, "126\n", "{talk}");
    assert_eq!(person.at_terminal(&["allow", "cmd:id", "--once"], "").status.code(), Some(0));
    let (said, talk) = run();
    assert!(said.ends_with("\n0\n"), "{said} {talk}");
    assert_eq!(run().0, "126\n", "once was once");
}

#[test]
fn an_answer_for_one_project_holds_there_alone_and_leaves_its_policy_trusted() {
    let Some(person) = Person::new() else { return };
    let policy = "extends = [\"@workspace\"]\ndefault = \"ask\"\n";
    person.write_policy(policy);
    assert_eq!(person.at_terminal(&["trust"], "y\n").status.code(), Some(0));
    let call = ["check", "--access", "fs:r:/srv/x"];
    let done = stdout(&person.at_terminal(&["allow", "fs:r:/srv/x", "--here"], ""));
    assert!(done.contains(".local/state/ringfence/answers/project-"), "{done}");
    let checked = person.ringfence(&call);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    assert_eq!(stderr(&checked), "", "the project's policy is as trusted as it was");
    assert_eq!(person.read(THEIRS).unwrap(), policy);
    let list = stdout(&person.ringfence(&["allowed"]));
    assert!(list.contains("fs:r:/srv/x") && list.contains("answers project-"), "{list}");

    person.run_plain(&["mkdir", "-p", "other/.git"]);
    let other = person.home().join("other");
    let mut elsewhere = person.command(person.program().to_str().unwrap());
    let elsewhere = elsewhere.args(call).current_dir(other).output().unwrap();
    assert_eq!(elsewhere.status.code(), Some(3), "{}", stdout(&elsewhere));

    assert_eq!(person.at_terminal(&["forget", "fs:r:/srv/x"], "").status.code(), Some(0));
    assert_eq!(person.ringfence(&call).status.code(), Some(3));
}

#[test]
fn beside_a_policy_that_programs_cannot_change_rules_go_to_the_answers() {
    let Some(person) = Person::new() else { return };
    let yaml = "extends: ['@workspace']\ndefault: ask\n";
    person.write(".config/ringfence/policy.yaml", yaml);
    assert_eq!(person.at_terminal(&["allow", "fs:r:/srv/x"], "").status.code(), Some(0));
    assert_eq!(person.read(".config/ringfence/policy.yaml").unwrap(), yaml);
    assert!(person.read(ANSWERS).unwrap().contains("fs:r:/srv/x"));
    let call = ["check", "--access", "fs:r:/srv/x"];
    assert_eq!(person.ringfence(&call).status.code(), Some(0));
}
