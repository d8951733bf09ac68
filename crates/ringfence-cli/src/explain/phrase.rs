//! Effects and grounds in few words.

use ringfence_core::access::{ALL_VARIABLES, Cover, Extent, FileAccess, FileOp};
use ringfence_core::path::AbsPath;
use ringfence_core::{Access, Context, Ground, What};
use ringfence_guard::redact::{redact, visible};

use super::Span;
use crate::show::ground_text;
use crate::source::Source;
use crate::words::shortened;

/// What phrases depend on.
pub(super) struct Phrasing<'a> {
    pub(super) context: &'a Context,
    pub(super) source: &'a Source,
    /// Whether places in the source mean anything.
    pub(super) has_line: bool,
}

/// A ground for a person.
pub(super) struct Reason {
    pub(super) text: String,
    /// Where the rule stands.
    pub(super) origin: Option<String>,
    pub(super) why: Option<String>,
}

/// What an effect is, in one word.
pub(super) fn kind(what: &What) -> &'static str {
    match what {
        What::Exec(_) => "runs",
        What::File(file) => match file.op {
            FileOp::Read => "reads",
            FileOp::Write => "writes",
            FileOp::Delete => "deletes",
        },
        What::Connect(_) => "connects",
        What::Listen(_) => "listens",
        What::Resolve(_) => "resolves",
        What::SetEnv(_) => "sets",
        What::ReadEnv(_) | What::Resource(_) | What::Prompt(_) => "reads",
        What::CallTool(_) | What::Method(_) => "calls",
        What::Socket(_) | What::Keychain(_) => "uses",
    }
}

impl Phrasing<'_> {
    /// To what it is done.
    pub(super) fn what(&self, what: &What) -> String {
        let text = match what {
            What::Exec(exec) => exec.program.invoked.to_string(),
            What::File(file) => self.file(file),
            What::Connect(connect) => match connect.port {
                Some(port) => format!("{}:{port}", connect.host),
                None => connect.host.to_string(),
            },
            What::Listen(port) => format!("port {port}"),
            What::Resolve(name) => name.to_string(),
            What::SetEnv(name) => name.to_string(),
            What::ReadEnv(name) if &**name == ALL_VARIABLES => "every variable".to_owned(),
            What::ReadEnv(name) => format!("${name}"),
            What::CallTool(tool) => tool.wire.to_string(),
            What::Resource(item) | What::Prompt(item) | What::Method(item) => {
                format!("{} of {}", item.item, item.server)
            }
            What::Socket(path) => format!("socket {}", self.path(&path.asked)),
            What::Keychain(entry) => format!("keychain {}/{}", entry.service, entry.account),
        };
        visible(&redact(&text)).into_owned()
    }

    fn file(&self, file: &FileAccess) -> String {
        let reach = match file.extent {
            Extent::Tree | Extent::Search | Extent::Names => " and below",
            Extent::Below | Extent::Sources | Extent::Ending(_) => ", somewhere below",
            Extent::One | Extent::Unknown => "",
        };
        let asked = self.path(&file.path.asked);
        match file.path.is_redirected() {
            true => format!("{asked}{reach}, which is {}", self.path(&file.path.real)),
            false => format!("{asked}{reach}"),
        }
    }

    /// A path as rules write it: from the project or from home, where it lies there.
    fn path(&self, path: &AbsPath) -> String {
        let root = self.context.root.as_ref().map(|root| (root, "@root"));
        let mut places: Vec<_> = root.into_iter().chain([(&self.context.home, "~")]).collect();
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.as_str().len()));
        let short = places.into_iter().find_map(|(place, name)| {
            let rest = path.as_str().strip_prefix(place.as_str())?;
            let is_below = rest.is_empty() || rest.starts_with('/');
            (is_below && place.as_str() != "/").then(|| format!("{name}{rest}"))
        });
        short.unwrap_or_else(|| path.to_string())
    }

    /// The words that say so, unless they say it just as well.
    pub(super) fn from(&self, span: Span, of: &What, what: &str) -> Option<String> {
        const LONGEST: usize = 40;
        if !self.has_line || matches!(of, What::Exec(_)) {
            return None;
        }
        let written = self.source.part(span);
        let plain = written.trim_matches(['"', '\'']).trim_start_matches("./");
        let says_it = match of {
            What::Connect(connect) => plain.contains(&connect.host.to_string()),
            What::SetEnv(name) => plain.starts_with(&**name),
            _ => what.contains(plain) || matches!(plain, "." | "~"),
        };
        (!says_it).then(|| shortened(&written, LONGEST).into_owned())
    }
}

/// Why something is allowed or not.
pub(super) fn reason(ground: &Ground, access: &Access) -> Reason {
    let text = match ground {
        Ground::Rule(_) => pattern(ground),
        Ground::Danger(_) => format!("danger {}", pattern(ground)),
        Ground::Protected(_) => format!("protected {}", pattern(ground)),
        Ground::NotGranted { default, .. } => format!("nothing grants it; default {default}"),
        Ground::Ceiling { document, .. } => {
            format!("the ceiling {document} takes in nothing like it")
        }
        Ground::Covered(_) if access.scope.cover == Cover::Free => {
            "needs no grant: what it carries is judged".to_owned()
        }
        Ground::Covered(class) => format!("part of its grant: no document has a stance on {class}"),
        Ground::KnownTool | Ground::NoProject | Ground::Doubt(_) => ground_text(ground),
    };
    let rule = ground.rule();
    Reason {
        text: visible(&text).into_owned(),
        origin: rule.map(|rule| visible(&rule.origin.to_string()).into_owned()),
        why: rule.and_then(|rule| rule.note.why.as_deref()).map(|why| visible(why).into_owned()),
    }
}

/// The pattern of a rule; long lists in it are cut short.
fn pattern(ground: &Ground) -> String {
    const LONGEST: usize = 28;
    let text = ground.rule().map(|rule| rule.pattern.to_string()).unwrap_or_default();
    let Some((before, rest)) = text.split_once('{') else { return text };
    match rest.split_once('}') {
        Some((list, after)) if list.len() > LONGEST => {
            let few: Vec<&str> = list.split(',').take(2).collect();
            format!("{before}{{{},…}}{after}", few.join(","))
        }
        _ => text,
    }
}
