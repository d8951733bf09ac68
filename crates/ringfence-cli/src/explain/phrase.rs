//! Effects and grounds in few words.

use ringfence_core::access::{ALL_VARIABLES, Cover, Extent, FileAccess, FileOp};
use ringfence_core::path::AbsPath;
use ringfence_core::{Access, AccessKind, Context, Ground};
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
pub(super) fn kind(what: &AccessKind) -> &'static str {
    match what {
        AccessKind::Exec(_) => "runs",
        AccessKind::File(file) => match file.op {
            FileOp::Read => "reads",
            FileOp::Write => "writes",
            FileOp::Delete => "deletes",
        },
        AccessKind::Connect(_) => "connects",
        AccessKind::Listen(_) => "listens",
        AccessKind::Resolve(_) => "resolves",
        AccessKind::SetEnv(_) => "sets",
        AccessKind::ReadEnv(_) | AccessKind::Resource(_) | AccessKind::Prompt(_) => "reads",
        AccessKind::CallTool(_) | AccessKind::Method(_) => "calls",
        AccessKind::Socket(_) | AccessKind::Keychain(_) => "uses",
    }
}

impl Phrasing<'_> {
    /// To what it is done.
    pub(super) fn what(&self, what: &AccessKind) -> String {
        let text = match what {
            AccessKind::Exec(exec) => exec.program.invoked.to_string(),
            AccessKind::File(file) => self.file(file),
            AccessKind::Connect(connect) => match connect.port {
                Some(port) => format!("{}:{port}", connect.host),
                None => connect.host.to_string(),
            },
            AccessKind::Listen(port) => format!("port {port}"),
            AccessKind::Resolve(name) => name.to_string(),
            AccessKind::SetEnv(name) => name.to_string(),
            AccessKind::ReadEnv(name) if &**name == ALL_VARIABLES => "every variable".to_owned(),
            AccessKind::ReadEnv(name) => format!("${name}"),
            AccessKind::CallTool(tool) => tool.wire.to_string(),
            AccessKind::Resource(item) | AccessKind::Prompt(item) | AccessKind::Method(item) => {
                format!("{} of {}", item.item, item.server)
            }
            AccessKind::Socket(path) => format!("socket {}", self.path(&path.asked)),
            AccessKind::Keychain(entry) => format!("keychain {}/{}", entry.service, entry.account),
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
    pub(super) fn from(&self, span: Span, of: &AccessKind, what: &str) -> Option<String> {
        const LONGEST: usize = 40;
        if !self.has_line || matches!(of, AccessKind::Exec(_)) {
            return None;
        }
        let written = self.source.part(span);
        let plain = written.trim_matches(['"', '\'']).trim_start_matches("./");
        let says_it = match of {
            AccessKind::Connect(connect) => plain.contains(&connect.host.to_string()),
            AccessKind::SetEnv(name) => plain.starts_with(&**name),
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
        Ground::NotGranted { .. } => ground_text(ground),
        Ground::Ceiling { document, .. } => {
            format!("the ceiling {document} takes in nothing like it")
        }
        Ground::Covered(_) if access.scope.cover == Cover::NoGrant => {
            "needs no grant: what it carries is judged".to_owned()
        }
        Ground::Covered(class) => format!("part of its grant: no document has a stance on {class}"),
        Ground::KnownTool | Ground::NoProject | Ground::Doubt(_) | Ground::HeldByFence(_) => {
            ground_text(ground)
        }
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
