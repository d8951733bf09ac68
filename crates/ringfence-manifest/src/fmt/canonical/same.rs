//! Whether two texts say the same.

use ringfence_core::{Document, Origin, Rule};

use crate::lower::Part;

/// Whether two documents say the same, wherever in their text they say it.
pub(super) fn say_the_same(one: &Part, two: &Part) -> bool {
    let extends = |part: &Part| -> Vec<String> {
        part.extends.iter().map(|reference| reference.value.clone()).collect()
    };
    let tests = |part: &Part| -> Vec<String> {
        part.tests
            .iter()
            .map(|test| format!("{:?}", (&test.call, &test.agent, &test.cwd, test.expect)))
            .collect()
    };
    let ceilings = |part: &Part| -> Vec<Vec<String>> {
        let mut ceilings: Vec<Vec<String>> = part.ceilings.iter().map(said).collect();
        ceilings.sort();
        ceilings
    };
    let servers = |part: &Part| -> Vec<(String, Vec<String>)> {
        let mut servers: Vec<(String, Vec<String>)> =
            part.servers.iter().map(|(name, own)| (name.to_string(), said(own))).collect();
        servers.sort();
        servers
    };
    let remote = |part: &Part| -> Vec<String> {
        let remote = part.document.servers.iter().filter(|own| own.is_remote);
        remote.map(|own| own.name.to_string()).collect()
    };
    one.title == two.title
        && extends(one) == extends(two)
        && tests(one) == tests(two)
        && remote(one) == remote(two)
        && servers(one) == servers(two)
        && said(&one.document) == said(&two.document)
        && ceilings(one) == ceilings(two)
}

/// Everything that a document says, in an order of its own.
fn said(document: &Document) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rules = |list: &str, rules: &[Rule]| {
        lines.extend(rules.iter().map(|rule| format!("{list} {:?}", without_place(rule))));
    };
    rules("rule", &document.rules);
    rules("dangerous", &document.dangerous);
    rules("fallback", &document.fallback);
    rules("danger", document.danger.as_deref().unwrap_or_default());
    lines.extend(document.stances.iter().map(|stance| format!("{stance:?}")));
    lines.push(format!(
        "{:?}",
        (
            &document.scope,
            document.danger.is_some(),
            document.default,
            document.tool_default,
            &document.directories,
            &document.settings,
        )
    ));
    lines.sort();
    lines.dedup();
    lines
}

fn without_place(rule: &Rule) -> Rule {
    Rule { origin: Origin::built_in(""), ..rule.clone() }
}
