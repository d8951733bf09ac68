//! How rules stand to each other: which takes in all of another, and which outranks which.
//!
//! Each answer is as the judge would have it, or errs towards "no".

use ringfence_core::pattern::{CommandPattern, McpItemKind, NamePattern, NetTarget, Token};
use ringfence_core::{Pattern, Rule};

use super::compare::Compare;
use super::rights::{self, Op};
use super::spelling;
use crate::programs;

impl Compare {
    /// Whether the deny rule leaves nothing of an allow or ask rule.
    pub(super) fn denies_all(&self, deny: &Rule, grant: &Rule) -> bool {
        let ops = rights::granted_ops(&grant.pattern);
        outlasts(deny, grant)
            && ops.into_iter().all(|op| rights::objects(&deny.pattern, op))
            && self.scope_includes(&deny.scope, &grant.scope)
            && self.objection_includes(&spelling::opened(&deny.pattern), &grant.pattern)
            && !deny.except.iter().any(|except| self.overlaps(except, &grant.pattern))
    }

    /// Whether the entry of the danger list takes in all of an allow or ask rule, rights aside.
    pub(super) fn endangers_all(&self, danger: &Rule, grant: &Rule) -> bool {
        self.scope_includes(&danger.scope, &grant.scope)
            && self.objection_includes(&danger.pattern, &grant.pattern)
            && !danger.except.iter().any(|except| self.overlaps(except, &grant.pattern))
    }

    /// Whether everything that the allow, ask or opt-in rule `one` takes in, `two` takes in too.
    pub(super) fn grants_all(&self, two: &Rule, one: &Rule) -> bool {
        let ops = rights::granted_ops(&one.pattern);
        let says = |op: &Op| {
            // Reading that is named is more than reading that writing implies.
            let named = rights::names(&two.pattern, *op) || !rights::names(&one.pattern, *op);
            named && rights::grants(&two.pattern, *op)
        };
        outlasts(two, one)
            && two.except.is_empty()
            && ops.iter().all(says)
            && self.scope_includes(&two.scope, &one.scope)
            && self.grant_includes(&two.pattern, &one.pattern)
            && (!ops.iter().any(rights::replaces) || self.replacing_includes(two, one))
    }

    /// Whether everything that the deny rule `one` takes in, `two` takes in too; `read` says how
    /// the patterns of such rules are read.
    pub(super) fn objects_all(
        &self,
        two: &Rule,
        one: &Rule,
        read: impl Fn(&Pattern) -> Pattern,
    ) -> bool {
        let pattern = read(&one.pattern);
        let ops = rights::objected_ops(&one.pattern);
        let spared = |except: &Pattern| {
            !one.except.iter().any(|own| self.includes(own, except))
                && self.overlaps(except, &pattern)
        };
        outlasts(two, one)
            && ops.into_iter().all(|op| rights::objects(&two.pattern, op))
            && self.scope_includes(&two.scope, &one.scope)
            && !is_whole_server(&two.pattern, &pattern)
            && self.objection_includes(&read(&two.pattern), &pattern)
            && !two.except.iter().any(spared)
    }

    /// Whether an allow rule outranks an ask rule where both match, as the judge has it.
    pub(super) fn outranks(&self, allow: &Rule, ask: &Rule, op: Op) -> bool {
        match (rights::names(&allow.pattern, op), rights::names(&ask.pattern, op)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
        self.is_within(allow, ask) && !self.is_within(ask, allow)
    }

    /// Whether one rule's pattern and scope lie within the other's, rights aside.
    fn is_within(&self, one: &Rule, two: &Rule) -> bool {
        self.includes(&two.pattern, &one.pattern) && self.scope_includes(&two.scope, &one.scope)
    }

    fn objection_includes(&self, two: &Pattern, one: &Pattern) -> bool {
        match (two, one) {
            (Pattern::Shell, Pattern::Command(command)) => is_shell(command),
            (two, one) => !has_path_glob(two) && self.includes(two, one),
        }
    }

    fn grant_includes(&self, two: &Pattern, one: &Pattern) -> bool {
        if let (Pattern::Net(two), Pattern::Net(one)) = (two, one)
            && is_wild(&two.target)
            && !is_wild(&one.target)
        {
            // A name or address that is granted as such may also be a private one.
            return false;
        }
        !has_path_glob(two) && !names_alone(two, one) && self.includes(two, one)
    }

    /// `dir/**` does not grant to replace `dir`; whether what `one` may replace is in none of the
    /// directories that `two` names in this way.
    fn replacing_includes(&self, two: &Rule, one: &Rule) -> bool {
        let (Pattern::File(_, two_path), Pattern::File(rights, one_path)) =
            (&two.pattern, &one.pattern)
        else {
            return true;
        };
        if two_path.alternatives() == one_path.alternatives() {
            return true;
        }
        let (Some(stems), Some(below)) = (spelling::stems(two_path), spelling::below(one_path))
        else {
            return false;
        };
        let file = |path| Pattern::File(*rights, path);
        let stems: Vec<Pattern> = stems.into_iter().map(file).collect();
        !below.into_iter().map(file).any(|one| stems.iter().any(|stem| self.overlaps(stem, &one)))
    }
}

/// Whether the rule holds at least as long as the other.
pub(super) fn outlasts(two: &Rule, one: &Rule) -> bool {
    match (two.note.until, one.note.until) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(two), Some(one)) => one <= two,
    }
}

fn is_wild(target: &NetTarget) -> bool {
    matches!(target, NetTarget::Any | NetTarget::Under(_))
}

/// Whether `one` names a tool without a glob and `two` does not: only such a rule grants operations
/// of which it is not known what they do with a path.
fn names_alone(two: &Pattern, one: &Pattern) -> bool {
    let is_plain =
        |name: &NamePattern| name.alternatives().iter().all(|glob| glob.as_literal().is_some());
    let names = |pattern: &Pattern| match pattern {
        Pattern::Tool(name) => is_plain(name),
        Pattern::Mcp(mcp) => is_plain(&mcp.server) && is_plain(&mcp.item),
        _ => false,
    };
    names(one) && !names(two)
}

/// Whether `one` denies a server with all that it has, and `two` only names tools.
fn is_whole_server(two: &Pattern, one: &Pattern) -> bool {
    match (two, one) {
        (Pattern::Tool(_), Pattern::Mcp(one)) => one.sort == McpItemKind::Tool && one.item.is_any(),
        _ => false,
    }
}

fn is_shell(command: &CommandPattern) -> bool {
    let mut programs = command.alternatives().iter().map(|alternative| alternative.tokens.first());
    programs.all(|program| match program {
        Some(Token::Literal(word)) => programs::is_shell(word),
        _ => false,
    })
}

/// Whether a program is named by a glob with a slash: in a path a star ends at the next slash, in
/// a word it does not.
fn has_path_glob(pattern: &Pattern) -> bool {
    let Pattern::Command(command) = pattern else {
        return false;
    };
    let mut programs = command.alternatives().iter().map(|alternative| alternative.tokens.first());
    programs.any(|program| match program {
        Some(Token::Glob(glob)) => glob.to_string().contains('/'),
        _ => false,
    })
}
