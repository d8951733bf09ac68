//! Exported rules, loaded by the agents that they are for: one line that they deny, one that they
//! allow, and no complaint about the file.

use serde_json::{Value, json};

use super::super::{stderr, stdout};
use super::claude_code::CLAUDE;
use super::codex::CODEX;
use super::gemini::GEMINI;
use super::model::Model;
use super::opencode::{OPENCODE, have_packages};
use super::task::{Agent, Desk, Step};
use super::{has_node, installed};

const POLICY: &str = "default = \"ask\"\nallow = [\"cmd:touch:*\"]\ndeny = [\"cmd:mkdir:*\"]\n";

/// Has an agent load the rules and try both lines, with none of our hooks.
fn obeys(agent: &Agent, format: &str, start: fn(&Desk, &Model, &str) -> Vec<String>) {
    if installed(agent.program).is_none() {
        return;
    }
    let desk = Desk::new();
    std::fs::write(desk.machine.policy(), POLICY).unwrap();
    let program = desk.machine.ringfence().display().to_string();
    let policy = desk.machine.policy().display().to_string();
    let words = [&program, "export", format, "--policy", &policy, "--dangerously-trust-operands"];
    let exported = desk.machine.run(&words.map(str::to_owned));
    assert!(exported.status.success(), "{}", stderr(&exported));

    let lines = ["mkdir planted", "touch made"];
    let mut script: Vec<Value> =
        lines.iter().map(|line| (agent.call)(&Step::Run((*line).to_owned()))).collect();
    script.push((agent.done)());
    let speak = agent.speak;
    let model =
        Model::start(Box::new(move |path, request, turn| speak(&script, path, request, turn)));
    let path = format!("PATH={}:/usr/local/bin:/usr/bin:/bin", desk.bin(agent).display());
    let mut words = vec!["env".to_owned(), path];
    words.extend(start(&desk, &model, &stdout(&exported)));
    let output = desk.machine.run(&words);
    let said = format!("{}\n{}", stdout(&output), stderr(&output));

    let heard = model.interpret_reply();
    assert!(heard.len() > lines.len(), "{} turns:\n{said}", heard.len());
    assert!(!desk.file("planted").exists(), "it did what the rules deny:\n{said}");
    assert!(desk.file("made").exists(), "it did not do what the rules allow:\n{said}\n{heard:?}");
    // Whoever complains about a file names it.
    for file in ["settings.json", "ringfence.rules", "ringfence.toml", "opencode.json"] {
        assert!(!said.contains(file), "it complains:\n{said}");
    }
}

#[test]
fn claude_code_obeys_what_was_exported() {
    obeys(&CLAUDE, "claude", |desk, model, exported| {
        desk.machine.write(".claude/settings.json", exported);
        // What a project allows counts once a person has trusted the project.
        let project = desk.machine.project().display().to_string();
        let trusted = json!({ "projects": { project: { "hasTrustDialogAccepted": true } } });
        desk.machine.write_at(&desk.at_home(".claude.json"), &trusted.to_string());
        let words = [
            &format!("ANTHROPIC_BASE_URL={}", model.url()),
            "ANTHROPIC_API_KEY=not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
            "DISABLE_AUTOUPDATER=1",
            "claude",
            "-p",
            "do it",
            "--output-format",
            "json",
            "--strict-mcp-config",
        ];
        words.map(str::to_owned).to_vec()
    });
}

#[test]
fn codex_obeys_what_was_exported() {
    obeys(&CODEX, "codex", |desk, model, exported| {
        let config = format!(
            "model = \"gpt-5\"\nmodel_provider = \"local\"\n[model_providers.local]\n\
             name = \"local\"\nbase_url = \"{}/v1\"\nwire_api = \"responses\"\n\
             env_key = \"OPENAI_API_KEY\"\n",
            model.url(),
        );
        desk.machine.write_at(&desk.at_home(".codex/config.toml"), &config);
        desk.machine.write_at(&desk.at_home(".codex/rules/ringfence.rules"), exported);
        let words = [
            "OPENAI_API_KEY=not-a-key",
            "codex",
            "exec",
            "--skip-git-repo-check",
            "--sandbox",
            "danger-full-access",
            "do it",
        ];
        words.map(str::to_owned).to_vec()
    });
}

#[test]
fn gemini_obeys_what_was_exported() {
    if !has_node() {
        return;
    }
    obeys(&GEMINI, "gemini", |desk, model, exported| {
        let settings = json!({
            "security": { "auth": { "selectedType": "gemini-api-key" },
                          "folderTrust": { "enabled": false } },
            "general": { "disableAutoUpdate": true },
        });
        desk.machine.write_at(&desk.at_home(".gemini/settings.json"), &settings.to_string());
        desk.machine.write_at(&desk.at_home(".gemini/policies/ringfence.toml"), exported);
        let words = [
            "GEMINI_API_KEY=not-a-key",
            &format!("GOOGLE_GEMINI_BASE_URL={}", model.url()),
            "GEMINI_CLI_TRUST_WORKSPACE=true",
            "gemini",
            "-p",
            "do it",
        ];
        words.map(str::to_owned).to_vec()
    });
}

#[test]
fn opencode_obeys_what_was_exported() {
    obeys(&OPENCODE, "opencode", |desk, model, exported| {
        let options = json!({ "baseURL": format!("{}/v1", model.url()), "apiKey": "not-a-key" });
        let provider = json!({
            "npm": "@ai-sdk/anthropic", "name": "local", "options": options,
            "models": { "model": { "name": "model", "tool_call": true } },
        });
        let config = json!({
            "model": "local/model", "small_model": "local/model",
            "provider": { "local": provider }, "autoupdate": false, "share": "disabled",
        });
        let own = desk.at_home(".config/opencode/opencode.json");
        desk.machine.write_at(&own, &config.to_string());
        have_packages(desk);
        desk.machine.write("opencode.json", exported);
        ["OPENCODE_DISABLE_MODELS_FETCH=1", "opencode", "run", "do it"].map(str::to_owned).to_vec()
    });
}
