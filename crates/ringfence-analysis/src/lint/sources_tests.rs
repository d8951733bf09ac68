//! Where rules come from: untrusted files, statements with several meanings, profiles.

use ringfence_core::Pattern;
use ringfence_core::rule::{ToolKind, ToolScope};

use super::*;

#[test]
fn an_untrusted_project_is_looked_at_as_if_it_were_trusted() {
    let documents = read(r#"allow = ["cmd:bash:*", "cmd:git:status"]"#, Role::Untrusted);
    let found = lint(&documents, &LintOptions::new(today(), &dangers()));
    assert_eq!(codes(&found), ["L102", "L201"]);
}

#[test]
fn a_statement_that_is_a_ceiling_too_is_not_redundant() {
    let mut documents = read(r#"allow = ["fs:r:**", "fs:r:src/**"]"#, Role::User);
    let mut ceiling = Document::new(FILE, Role::Ceiling);
    ceiling.rules.push(documents[0].rules[1].clone());
    documents.push(ceiling);
    assert_eq!(codes(&lint(&documents, &LintOptions::new(today(), &[]))), ["L105"]);
}

#[test]
fn a_command_with_lists_of_its_own_is_not_redundant() {
    let text = r#"allow = ["cmd:cargo:*", "cmd:cargo:publish:*", "net:publish.example"]"#;
    let mut documents = read(text, Role::User);
    assert_eq!(codes(&lint(&documents, &LintOptions::new(today(), &[]))), ["L004"]);
    let Pattern::Command(publish) = documents[0].rules[1].pattern.clone() else { panic!() };
    documents[0].rules[2].scope.command = Some([publish].into());
    assert_eq!(lint(&documents, &LintOptions::new(today(), &[])), []);
}

#[test]
fn a_tool_that_is_enabled_is_not_every_tool() {
    let mut documents = read(r#"allow = ["tool:*"]"#, Role::User);
    documents[0].rules[0].scope.tool = Some(ToolScope::Kind(ToolKind::Terminal));
    assert_eq!(lint(&documents, &LintOptions::new(today(), &[])), []);
}

#[test]
fn rules_read_from_one_statement_are_not_held_against_each_other() {
    let mut documents = read(r#"allow = ["net:*.a.example", "net:*.b.a.example"]"#, Role::User);
    let origin = documents[0].rules[0].origin.clone();
    documents[0].rules[1].origin = origin;
    assert_eq!(lint(&documents, &LintOptions::new(today(), &[])), []);
}

/// The built-in profiles as if a person had written them: what lint says of them is meant there.
#[test]
fn profiles_have_no_findings_but_broad_programs_and_narrow_repetitions() {
    let dangers = dangers();
    let folder = std::fs::read_dir(policies("profiles")).unwrap();
    let names = folder.map(|file| file.unwrap().path().file_stem().unwrap().to_owned());
    for name in names.map(|name| name.into_string().unwrap()) {
        let text = std::fs::read_to_string(policies(&format!("profiles/{name}.toml"))).unwrap();
        let mut found = lint(&read(&text, Role::User), &LintOptions::new(today(), &dangers));
        // A directory by itself is one that a program makes where it is not there yet.
        found.retain(|finding| !matches!(finding.code, "L004" | "L102" | "L202"));
        // Half of what docker needs: the other half is an opt-in of whoever extends it.
        found.retain(|finding| !finding.message.starts_with("`sock:@docker` "));
        // What an MCP server may start is its own matter: files and network hold all of it.
        found.retain(|finding| name != "server" || finding.code != "L101");
        assert_eq!(found, [], "{name}");
    }
}

#[test]
fn profiles_are_not_reported_to_those_who_extend_them() {
    let dangers = dangers();
    let text = std::fs::read_to_string(policies("profiles/workspace.toml")).unwrap();
    let mut documents = read(&text, Role::User);
    for rule in &mut documents[0].rules {
        rule.origin.document = "@workspace".into();
    }
    assert_eq!(lint(&documents, &LintOptions::new(today(), &dangers)), []);
}
