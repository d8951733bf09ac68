//! Any form as flat lists.

mod rules;
mod same;

use ringfence_core::pattern::PathPattern;
use ringfence_core::program::Children;
use ringfence_core::settings::{HookShell, Mode, Settings, UnlistedCalls};
use ringfence_core::{Document, Effect, Role};

use super::comments::Comments;
use super::emit;
use super::out::{Item, Out, Pair};
use crate::load::read_part;
use crate::lower::{Part, PolicyTest, TestCall};
use crate::quantity::Quantity;
use crate::text::{Errors, Fault, Format, Source};
use rules::Writer;

/// The document in canonical form: flat `allow`, `ask`, `danger`, `deny`, `ceiling` and
/// `danger_list`, whatever notation it is written in. Comments stay with the rules they stand at.
pub fn canonical(source: &Source) -> Result<String, Errors> {
    let part = read_part(source, Role::User)?;
    let mut comments = Comments::of(source);
    let head = comments.take_head();
    let document = write(&part, &mut comments);
    let rest = comments.take_rest();
    let text = emit::emit(source.format(), &head, &document, &rest);
    let again = Source::new(source.name().clone(), source.format(), &text)?;
    match read_part(&again, Role::User) {
        Ok(again_part) if same::say_the_same(&part, &again_part) => super::fmt(&again),
        _ => {
            let message = "says something that flat lists cannot say";
            Err(source.refuse(vec![Fault::new(0..0, message)]))
        }
    }
}

/// A part in canonical TOML, under comments that say where it comes from.
pub(crate) fn of_part(part: &Part, head: &[String]) -> String {
    let document = write(part, &mut Comments::default());
    emit::emit(Format::Toml, head, &document, &[])
}

fn write(part: &Part, comments: &mut Comments) -> Vec<Pair> {
    let mut writer = Writer::new(part, comments);
    let mut pairs = vec![Pair::new("schema", Out::Number(1))];
    pairs.extend(part.title.clone().map(|name| Pair::new("name", Out::Text(name))));
    let extends = part.extends.iter().map(|reference| Out::text(&reference.value));
    pairs.push(Pair::new("extends", Out::list(extends)));
    let own: Vec<&Document> =
        part.ceilings.iter().filter(|ceiling| ceiling.scope.agent.is_none()).collect();
    pairs.extend(block(&part.document, &own, &mut writer));
    let elicitation = part.document.settings.elicitation;
    let elicitation = elicitation.map(|flag| Pair::new("elicitation", Out::Bool(flag)));
    let servers = Pair::new("servers", Out::Table(servers(part, &mut writer)));
    let mut mcp: Vec<Pair> = elicitation.into_iter().chain([servers]).collect();
    mcp.retain(|pair| !pair.value.is_empty());
    pairs.push(Pair::new("mcp", Out::Table(mcp)));
    pairs.push(Pair::new("agents", agents(part, &mut writer)));
    let tests = part.tests.iter().map(|test| writer.item(&test.origin, self::test(test)));
    pairs.push(Pair::new("test", Out::List(tests.collect())));
    pairs.retain(|pair| !pair.value.is_empty() || pair.key == "danger");
    pairs
}

/// Everything that can stand at the top level as well as under an agent.
fn block(document: &Document, ceilings: &[&Document], writer: &mut Writer<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let settings = &document.settings;
    pairs.extend(document.default.map(|word| Pair::new("default", Out::text(word.as_str()))));
    pairs.extend(settings.mode.map(|mode| Pair::new("mode", Out::text(mode_word(mode)))));
    pairs.extend(writer.lists(document, ceilings));
    pairs.push(Pair::new("security", security(settings)));
    if let Some(default) = document.tool_default {
        let default = Pair::new("default", Out::text(default.as_str()));
        pairs.push(Pair::new("permissions", Out::Table(vec![default])));
    }
    if let Some(flag) = settings.allow_metacharacters {
        let flag = Pair::new("allow_metacharacters", Out::Bool(flag));
        let terminal = Pair::new("terminal", Out::Table(vec![flag]));
        pairs.push(Pair::new("tools", Out::Table(vec![terminal])));
    }
    if let Some(name) = &settings.projectname {
        let name = Pair::new("projectname", Out::text(name));
        pairs.push(Pair::new("keychain", Out::Table(vec![name])));
    }
    pairs.extend(confinement(settings));
    pairs.extend(directories(&document.directories));
    pairs.retain(|pair| !pair.value.is_empty() || pair.key == "danger");
    pairs
}

fn security(settings: &Settings) -> Out {
    let answers =
        [("unanalysable", settings.unanalysable), ("unknown_operands", settings.unknown_operands)];
    let mut pairs: Vec<Pair> = answers
        .into_iter()
        .filter_map(|(key, answer)| Some(Pair::new(key, Out::text(answer?.as_str()))))
        .collect();
    let grants = settings.dangerously_grant.iter().map(Out::text);
    pairs.push(Pair::new("dangerously_grant", Out::list(grants)));
    pairs.extend(settings.reveal_roots.map(|flag| Pair::new("reveal_roots", Out::Bool(flag))));
    pairs.retain(|pair| !pair.value.is_empty());
    Out::Table(pairs)
}

/// How commands are confined, and how much they may use.
fn confinement(settings: &Settings) -> [Pair; 3] {
    let facets = settings.best_effort.as_ref();
    let facets = facets.map(|facets| Out::list(facets.iter().map(|own| Out::text(own.as_str()))));
    let children = settings.children.map(|children| match children {
        Children::Inherit => Out::text("inherit"),
        Children::Judged => Out::text("judged"),
    });
    let limits = &settings.limits;
    let time = |number: u64| Out::text(Quantity::Time.write(number));
    let size = |number: u64| Out::text(Quantity::Size.write(number));
    let count = |number: u64| i64::try_from(number).ok().map(Out::Number);
    let limits = [
        ("time", limits.time.map(time)),
        ("memory", limits.memory.map(size)),
        ("processes", limits.processes.and_then(count)),
        ("file_size", limits.file_size.map(size)),
        ("open_files", limits.open_files.and_then(count)),
        ("output", limits.output.map(size)),
    ];
    let unlisted_programs = settings.unlisted_programs.map(|effect| match effect {
        Effect::Allow => Out::text("run"),
        effect => Out::text(effect.as_str()),
    });
    let sandbox =
        [("best_effort", facets), ("children", children), ("unlisted_programs", unlisted_programs)];
    let unlisted = settings.hooks.unlisted.map(|unlisted| match unlisted {
        UnlistedCalls::Ask => Out::text("ask"),
        UnlistedCalls::Agent => Out::text("agent"),
    });
    let shell = settings.hooks.shell.map(|shell| match shell {
        HookShell::Fence => Out::text("fence"),
        HookShell::Ask => Out::text("ask"),
    });
    let wait = settings.hooks.wait.and_then(count);
    let hooks = [("unlisted", unlisted), ("wait", wait), ("shell", shell)];
    [table("sandbox", &sandbox), table("limits", &limits), table("hooks", &hooks)]
}

fn table(key: &str, said: &[(&str, Option<Out>)]) -> Pair {
    let pairs = said.iter().filter_map(|(key, value)| Some(Pair::new(*key, value.clone()?)));
    Pair::new(key, Out::Table(pairs.collect()))
}

/// Directories grant nothing and have no flat form.
fn directories(directories: &[PathPattern]) -> Option<Pair> {
    let texts: Vec<Out> = directories.iter().map(|path| Out::text(path.to_string())).collect();
    let allow = vec![Pair::new("additional_directories", Out::list(texts))];
    let capabilities = vec![Pair::new("allow", Out::Table(allow))];
    (!directories.is_empty()).then(|| Pair::new("capabilities", Out::Table(capabilities)))
}

/// Whose paths each server's are, and what its process may do.
fn servers(part: &Part, writer: &mut Writer<'_>) -> Vec<Pair> {
    let named = &part.document.servers;
    let mut names: Vec<&str> = named.iter().map(|own| &*own.name).collect();
    names.sort_unstable();
    names.dedup();
    let table = |name: &str| {
        let mut pairs = Vec::new();
        if named.iter().any(|own| own.is_remote && &*own.name == name) {
            pairs.push(Pair::new("paths", Out::text("remote")));
        }
        for (_, document) in part.servers.iter().filter(|(own, _)| &**own == name) {
            let is_said = |pair: &Pair| !pair.value.is_empty() || pair.key == "danger";
            pairs.extend(writer.lists(document, &[]).into_iter().filter(is_said));
        }
        // A section that grants nothing confines all the same.
        if pairs.iter().all(|pair| pair.key == "paths")
            && part.servers.iter().any(|(own, _)| &**own == name)
        {
            pairs.push(Pair::new("allow", Out::List(Vec::new())));
        }
        Pair::new(name, Out::Table(pairs))
    };
    names.into_iter().map(table).collect()
}

/// The ceilings of each agent: the first is its own, the others narrow it further.
fn agents(part: &Part, writer: &mut Writer<'_>) -> Out {
    let mut names: Vec<String> = Vec::new();
    let agent_of = |ceiling: &Document| ceiling.scope.agent.as_ref().map(ToString::to_string);
    for name in part.ceilings.iter().filter_map(agent_of) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    writer.of_agent = true;
    let pairs = names.into_iter().map(|name| {
        let of_agent: Vec<&Document> =
            part.ceilings.iter().filter(|it| agent_of(it).as_ref() == Some(&name)).collect();
        let content = match of_agent.split_first() {
            Some((own, others)) => block(own, others, writer),
            None => Vec::new(),
        };
        Pair::new(name, Out::Table(content))
    });
    let agents = Out::Table(pairs.collect());
    writer.of_agent = false;
    agents
}

fn test(test: &PolicyTest) -> Out {
    let mut pairs = Vec::new();
    match &test.call {
        TestCall::Line(line) => pairs.push(Pair::new("call", Out::text(line))),
        TestCall::Tool { name, input } => {
            pairs.push(Pair::new("tool", Out::text(name)));
            pairs.push(Pair::new("input", Out::Json(input.clone())));
        }
    }
    let texts = [("agent", &test.agent), ("cwd", &test.cwd)];
    let given =
        texts.into_iter().filter_map(|(key, text)| Some(Pair::new(key, Out::text(text.as_ref()?))));
    pairs.extend(given);
    pairs.push(Pair::new("expect", Out::text(test.expect.as_str())));
    Out::Table(pairs)
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforce => "enforce",
        Mode::Observe => "observe",
    }
}

/// A list with its entries, if there are any.
fn listed(key: &str, items: Vec<Item>) -> Pair {
    Pair::new(key, Out::List(items))
}
