//! Taking documents into the one that extends them, as if written there.

use ringfence_core::{Document, Settings};

use super::Loaded;

/// Takes in what a document extends. Where only one word can stand, the document's own stands;
/// where several that it extends disagree, the strictest.
pub(super) fn take_in(loaded: &mut Loaded, taken: Vec<Loaded>) {
    let (own_default, own_tool_default) = (loaded.document.default, loaded.document.tool_default);
    let mut extended = Settings::default();
    for other in taken {
        let Loaded { document, ceilings, extends, servers, warnings, .. } = other;
        loaded.ceilings.extend(ceilings);
        loaded.extends.extend(extends);
        loaded.servers.extend(servers);
        loaded.warnings.extend(warnings);
        extended = extended.meet(&document.settings);
        let own = &mut loaded.document;
        own.default = own_default.or(own.default.max(document.default));
        own.tool_default = own_tool_default.or(own.tool_default.max(document.tool_default));
        take_in_rules(own, document);
    }
    let own = std::mem::take(&mut loaded.document.settings);
    loaded.document.settings = overlay(own, extended);
}

fn take_in_rules(own: &mut Document, other: Document) {
    own.rules.extend(other.rules);
    own.dangerous.extend(other.dangerous);
    own.stances.extend(other.stances);
    own.fallback.extend(other.fallback);
    own.directories.extend(other.directories);
    own.programs.extend(other.programs);
    own.servers.extend(other.servers);
    own.tables.extend(other.tables);
    if let Some(danger) = other.danger {
        own.danger.get_or_insert_default().extend(danger);
    }
}

fn overlay(mut own: Settings, extended: Settings) -> Settings {
    own.unanalysable = own.unanalysable.or(extended.unanalysable);
    own.unknown_operands = own.unknown_operands.or(extended.unknown_operands);
    own.reveal_roots = own.reveal_roots.or(extended.reveal_roots);
    own.allow_metacharacters = own.allow_metacharacters.or(extended.allow_metacharacters);
    own.mode = own.mode.or(extended.mode);
    own.dangerously_grant.extend(extended.dangerously_grant);
    own.projectname = own.projectname.or(extended.projectname);
    own.best_effort = own.best_effort.or(extended.best_effort);
    own.children = own.children.or(extended.children);
    own.unlisted_programs = own.unlisted_programs.or(extended.unlisted_programs);
    own.limits = own.limits.or(extended.limits);
    own.elicitation = own.elicitation.or(extended.elicitation);
    own
}
