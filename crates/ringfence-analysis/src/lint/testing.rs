//! Small documents for tests, written as a person would write them.

use ringfence_core::pattern::{NamePattern, PathPattern, Pattern};
use ringfence_core::rule::HarmlessUse;
use ringfence_core::{Date, Document, Effect, Origin, Role, Rule};
use toml::{Table, Value};

pub(super) const FILE: &str = "policy.toml";

pub(super) fn today() -> Date {
    Date::new(2026, 6, 1).unwrap()
}

/// The danger list of the project itself.
pub(super) fn dangers() -> Vec<Rule> {
    let text = std::fs::read_to_string(policies("danger.toml")).unwrap();
    let table: Table = text.parse().unwrap();
    let entries = table["danger"].as_array().unwrap().iter();
    entries.map(|entry| rule(Effect::Deny, entry, Origin::built_in("danger list"))).collect()
}

pub(super) fn policies(path: &str) -> String {
    format!("{}/../../policies/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// The documents of a text: its own, its ceilings, and those of the tables `organisation`,
/// `profile` (whose rules are taken into the document) and `agents.NAME`.
pub(super) fn read(text: &str, role: Role) -> Vec<Document> {
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{error} in {text}"));
    let mut reader = Reader { line: 0 };
    let mut main = reader.document(&table, FILE, role);
    let mut all = Vec::new();
    if let Some(organisation) = table.get("organisation").and_then(Value::as_table) {
        all.push(reader.document(organisation, "organisation policy.toml", Role::Organisation));
    }
    if let Some(profile) = table.get("profile").and_then(Value::as_table) {
        main.rules.extend(reader.document(profile, "@profile", role).rules);
    }
    if table.contains_key("ceiling") {
        let mut ceiling = Document::new(FILE, Role::Ceiling);
        ceiling.rules = reader.rules(&table, "ceiling", Effect::Allow, FILE);
        all.push(ceiling);
    }
    for (name, agent) in table.get("agents").and_then(Value::as_table).into_iter().flatten() {
        let mut ceiling = reader.document(agent.as_table().unwrap(), FILE, Role::Ceiling);
        ceiling.scope.agent = Some(NamePattern::exact(name));
        all.push(ceiling);
    }
    all.insert(0, main);
    all
}

struct Reader {
    line: u32,
}

impl Reader {
    fn document(&mut self, table: &Table, name: &str, role: Role) -> Document {
        let mut document = Document::new(name, role);
        for (key, effect) in
            [("allow", Effect::Allow), ("ask", Effect::Ask), ("deny", Effect::Deny)]
        {
            document.rules.extend(self.rules(table, key, effect, name));
        }
        let danger = table.get("danger").map(|_| self.rules(table, "danger", Effect::Allow, name));
        document.danger = danger;
        document.dangerous = self.rules(table, "danger_list", Effect::Deny, name);
        let default = table.get("default").and_then(Value::as_str);
        document.default = default.map(|word| word.parse().unwrap());
        let granted = table.get("security").and_then(|it| it.get("dangerously_grant"));
        for name in granted.and_then(Value::as_array).into_iter().flatten() {
            document.settings.dangerously_grant.insert(name.as_str().unwrap().to_owned());
        }
        document
    }

    fn rules(&mut self, table: &Table, key: &str, effect: Effect, name: &str) -> Vec<Rule> {
        let entries = table.get(key).and_then(Value::as_array).into_iter().flatten();
        entries
            .map(|entry| {
                self.line += 1;
                rule(effect, entry, Origin::new(name, self.line, 1))
            })
            .collect()
    }
}

fn rule(effect: Effect, entry: &Value, origin: Origin) -> Rule {
    let text = entry.as_str().unwrap_or_else(|| entry["pattern"].as_str().unwrap());
    let mut rule = Rule::new(effect, Pattern::parse(text).unwrap(), origin);
    let Some(table) = entry.as_table() else {
        return rule;
    };
    let word = |key: &str| table.get(key).and_then(Value::as_str);
    rule.note.why = word("why").map(Into::into);
    // Which use is harmless does not matter to lint, only that there is one.
    rule.note.harmless = table.get("harmless").map(|_| HarmlessUse::OwnProcesses);
    rule.note.until = table.get("until").map(|date| date.to_string().parse().unwrap());
    rule.scope.agent = word("agent").map(|name| NamePattern::parse(name).unwrap());
    let excepts = table.get("except").and_then(Value::as_array).into_iter().flatten();
    rule.except = excepts.map(|it| except(&rule.pattern, it.as_str().unwrap())).collect();
    rule
}

fn except(pattern: &Pattern, text: &str) -> Pattern {
    match pattern {
        Pattern::File(rights, _) if !text.starts_with("fs:") => {
            Pattern::File(*rights, PathPattern::parse(text).unwrap())
        }
        _ => Pattern::parse(text).unwrap(),
    }
}
