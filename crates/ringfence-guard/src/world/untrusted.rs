//! Removes from an untrusted document everything that needs trust.

use ringfence_core::{Document, Effect, Role, Settings};
use ringfence_manifest::Loaded;

/// Removes the ignored parts of an untrusted document. Returns a message about them, or `None` if
/// nothing was removed.
pub(super) fn strip(loaded: &mut Loaded) -> Option<String> {
    if loaded.document.role != Role::Untrusted {
        return None;
    }
    let ignored = ignored(&loaded.document);
    let document = &mut loaded.document;
    document.rules.retain(|rule| rule.effect != Effect::Allow);
    *document = Document {
        rules: std::mem::take(&mut document.rules),
        ..Document::new(document.name.clone(), Role::Untrusted)
    };
    // Ceilings of untrusted documents apply, because they only narrow; their settings do not.
    for ceiling in &mut loaded.ceilings {
        ceiling.settings = Settings::default();
    }
    for (_, server) in &mut loaded.servers {
        server.rules.retain(|rule| rule.effect != Effect::Allow);
        server.danger = None;
    }
    let name = &loaded.document.name;
    let is_nothing = ignored.is_empty();
    let ignored = ignored.join(", ");
    (!is_nothing).then(|| format!("`{name}` is not trusted, so these parts are ignored: {ignored}"))
}

/// Removes everything from an untrusted document but its denies and ceilings, because an earlier
/// version of it is trusted and in force.
pub(super) fn keep_denies_and_ceilings(loaded: &mut Loaded) {
    let denies = |document: &Document, role: Role| Document {
        rules: document.rules.iter().filter(|rule| rule.effect == Effect::Deny).cloned().collect(),
        scope: document.scope.clone(),
        ..Document::new(document.name.clone(), role)
    };
    loaded.document.expand_tables();
    loaded.document = denies(&loaded.document, Role::Untrusted);
    for ceiling in &mut loaded.ceilings {
        ceiling.settings = Settings::default();
    }
    for (_, server) in &mut loaded.servers {
        server.expand_tables();
        *server = denies(server, server.role);
    }
    loaded.tests.clear();
}

fn ignored(document: &Document) -> Vec<String> {
    let allows = document.rules.iter().filter(|rule| rule.effect == Effect::Allow).count();
    let allows = allows.saturating_add(document.fallback.len());
    let opt_ins = document.danger.as_ref().map_or(0, Vec::len);
    let counted = [
        (allows, "allow rule", "allow rules"),
        (opt_ins, "danger opt-in", "danger opt-ins"),
        (document.dangerous.len(), "danger list entry", "danger list entries"),
        (document.programs.len(), "program", "programs"),
    ];
    let counted = counted.into_iter().filter_map(|(count, one, many)| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    });
    let has_default = document.default.is_some() || document.tool_default.is_some();
    let has_settings = document.settings != Settings::default();
    let stated = [(has_default, "its default"), (has_settings, "its settings")];
    let stated = stated.into_iter().filter(|(is_there, _)| *is_there);
    counted.chain(stated.map(|(_, what)| what.to_owned())).collect()
}
