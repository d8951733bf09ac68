//! Models of how other programs decide a line, written independently of the importer.

use ringfence_core::Effect;
use ringfence_manifest::import::Foreign;
use serde_json::json;

/// One format and its rules.
pub(super) trait Model {
    fn format(&self) -> Foreign;
    fn name(&self) -> &'static str;
    /// Returns the rules in the format's own syntax.
    fn text(&self) -> String;
    /// Returns the other program's decision on a command of plain words.
    fn decide(&self, line: &str) -> Effect;
}

type Rules = Vec<(String, Effect)>;

/// Matches a pattern in which `*` matches anything, and a final ` *` is optional.
fn matches(pattern: &str, text: &str) -> bool {
    fn glob(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            ([b'*', rest @ ..], _) => {
                glob(rest, text) || text.split_first().is_some_and(|(_, text)| glob(pattern, text))
            }
            ([c, pattern @ ..], [d, text @ ..]) => c == d && glob(pattern, text),
            _ => false,
        }
    }
    let optional =
        pattern.strip_suffix(" *").is_some_and(|start| glob(start.as_bytes(), text.as_bytes()));
    optional || glob(pattern.as_bytes(), text.as_bytes())
}

/// Claude Code: deny first, then ask, then allow.
struct Claude(Rules);

impl Model for Claude {
    fn format(&self) -> Foreign {
        Foreign::Claude
    }
    fn name(&self) -> &'static str {
        "settings.json"
    }
    fn text(&self) -> String {
        let list = |effect| -> Vec<String> {
            let own = self.0.iter().filter(|(_, own)| *own == effect);
            own.map(|(pattern, _)| format!("Bash({pattern})")).collect()
        };
        let lists = json!({
            "allow": list(Effect::Allow), "ask": list(Effect::Ask), "deny": list(Effect::Deny),
        });
        json!({ "permissions": lists }).to_string()
    }
    fn decide(&self, line: &str) -> Effect {
        let matching = self.0.iter().filter(|(pattern, _)| matches(pattern, line));
        matching.map(|(_, effect)| *effect).max().unwrap_or(Effect::Ask)
    }
}

/// opencode: the last match wins; without a match, commands run.
struct Opencode(Rules);

impl Model for Opencode {
    fn format(&self) -> Foreign {
        Foreign::Opencode
    }
    fn name(&self) -> &'static str {
        "opencode.json"
    }
    fn text(&self) -> String {
        let mut bash = serde_json::Map::new();
        for (pattern, effect) in &self.0 {
            bash.insert(pattern.clone(), json!(effect.as_str()));
        }
        json!({ "permission": { "bash": bash } }).to_string()
    }
    fn decide(&self, line: &str) -> Effect {
        let last = self.0.iter().rfind(|(pattern, _)| matches(pattern, line));
        last.map_or(Effect::Allow, |(_, effect)| *effect)
    }
}

/// Codex: the strictest of the rules whose words the command starts with.
struct Codex(Vec<(Vec<&'static str>, Effect)>);

impl Model for Codex {
    fn format(&self) -> Foreign {
        Foreign::Codex
    }
    fn name(&self) -> &'static str {
        "default.rules"
    }
    fn text(&self) -> String {
        let rule = |(words, effect): &(Vec<&'static str>, Effect)| {
            let decision = match effect {
                Effect::Allow => "allow",
                Effect::Ask => "prompt",
                Effect::Deny => "forbidden",
            };
            format!("prefix_rule(pattern={}, decision=\"{decision}\")\n", json!(words))
        };
        self.0.iter().map(rule).collect()
    }
    fn decide(&self, line: &str) -> Effect {
        let words: Vec<&str> = line.split(' ').collect();
        let matching = self.0.iter().filter(|(prefix, _)| words.starts_with(prefix));
        matching.map(|(_, effect)| *effect).max().unwrap_or(Effect::Ask)
    }
}

/// Gemini CLI: the rule with the highest priority, then the first.
struct Gemini(Vec<(Vec<&'static str>, Effect)>);

impl Gemini {
    fn priority(at: usize) -> usize {
        // Some priorities are equal, so that the order in the file decides.
        at % 3 * 100
    }
}

impl Model for Gemini {
    fn format(&self) -> Foreign {
        Foreign::Gemini
    }
    fn name(&self) -> &'static str {
        "policy.toml"
    }
    fn text(&self) -> String {
        let rule = |(at, (words, effect)): (usize, &(Vec<&'static str>, Effect))| {
            let decision = match effect {
                Effect::Allow => "allow",
                Effect::Ask => "ask_user",
                Effect::Deny => "deny",
            };
            format!(
                "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"{}\"\ndecision = \"{decision}\"\npriority = {}\n",
                words.join(" "),
                Gemini::priority(at)
            )
        };
        self.0.iter().enumerate().map(rule).collect()
    }
    fn decide(&self, line: &str) -> Effect {
        let words: Vec<&str> = line.split(' ').collect();
        let matching =
            self.0.iter().enumerate().filter(|(_, (prefix, _))| words.starts_with(prefix));
        let best = matching.max_by_key(|(at, _)| (Gemini::priority(*at), std::cmp::Reverse(*at)));
        best.map_or(Effect::Ask, |(_, (_, effect))| *effect)
    }
}

/// Returns the formats whose rules are patterns over the command's text.
pub(super) fn of_patterns(rules: &[(String, Effect)]) -> Vec<Box<dyn Model>> {
    // An object has each key only once; the last value counts.
    let mut once: Rules = Vec::new();
    for (pattern, effect) in rules {
        once.retain(|(own, _)| own != pattern);
        once.push((pattern.clone(), *effect));
    }
    vec![Box::new(Claude(rules.to_vec())), Box::new(Opencode(once))]
}

/// Returns the formats whose rules are the first words of a command.
pub(super) fn of_prefixes(rules: &[(Vec<&'static str>, Effect)]) -> Vec<Box<dyn Model>> {
    vec![Box::new(Codex(rules.to_vec())), Box::new(Gemini(rules.to_vec()))]
}

/// Returns rules as people write them.
pub(super) fn samples() -> Vec<(Box<dyn Model>, String)> {
    use Effect::{Allow, Ask, Deny};
    let patterns: Rules = [
        ("git *", Allow),
        ("git push *", Ask),
        ("git push --force *", Deny),
        ("npm run *", Allow),
        ("npm publish*", Deny),
        ("cargo test *", Allow),
        ("cargo * --release", Ask),
        ("ls *", Allow),
        ("make", Allow),
        ("rm *", Deny),
        ("cat *", Allow),
    ]
    .map(|(pattern, effect)| (pattern.to_owned(), effect))
    .to_vec();
    let prefixes = vec![
        (vec!["git"], Allow),
        (vec!["git", "push"], Ask),
        (vec!["npm", "run"], Allow),
        (vec!["cargo"], Allow),
        (vec!["rm"], Deny),
        (vec!["cargo", "publish"], Deny),
        (vec!["cat"], Allow),
    ];
    let models = of_patterns(&patterns).into_iter().chain(of_prefixes(&prefixes));
    models.map(|model| (model.text(), model)).map(|(text, model)| (model, text)).collect()
}
