//! `ringfence import`: the rules of another program as a policy, and where the two differ.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;

use ringfence_core::text::nearest;
use ringfence_guard::redact::visible;
use ringfence_guard::world::RealHost;
use ringfence_hooks::Agent;
use ringfence_manifest::MAX_BYTES;
use ringfence_manifest::import::{Difference, Foreign, Place, Way, import};
use serde_json::{Value, json};

use crate::args::ImportArgs;
use crate::door::render;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &ImportArgs) -> Result<Exit, Failure> {
    let from = format(&args.format)?;
    let bytes = read(&args.file)?;
    let name = args.file.display().to_string();
    let imported = import(from, &name, &bytes, &place(&args.file))
        .map_err(|errors| Failure::new(render(&errors)))?;
    if args.json {
        let differences: Vec<Value> = imported.differences.iter().map(difference_json).collect();
        let answer =
            json!({ "policy": imported.text, "rules": imported.rules, "differences": differences });
        show::print(&answer.to_string());
        return Ok(Exit::Allow);
    }
    count(imported.rules, "rules read", &imported.differences);
    // The text has them as comments, which whoever sees it reads there.
    if args.out.is_some() || !std::io::stdout().is_terminal() {
        list(&imported.differences);
    }
    hand_out(args.out.as_deref(), &imported.text)?;
    Ok(Exit::Allow)
}

/// The name of a format, where an agent is named as its hook is.
pub(super) fn of_agent(word: &str) -> &str {
    word.parse().ok().and_then(Agent::profile).unwrap_or(word)
}

fn format(word: &str) -> Result<Foreign, Failure> {
    Foreign::from_word(of_agent(word)).ok_or_else(|| {
        let names = || Foreign::ALL.into_iter().map(Foreign::as_str);
        let hint = match nearest(word, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", names().collect::<Vec<_>>().join(", ")),
        };
        Failure::new(format!("`{}` is no format that can be read", visible(word))).hint(hint)
    })
}

/// A file, as far as documents are read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("cannot read {}: {error}", path.display()));
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .map_err(failed)?
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

/// Where the file's own paths start: settings of the user's lie in `~/.claude`, others in the
/// project.
fn place(file: &Path) -> Place {
    let host = RealHost::new();
    let home = host.user().map(|user| std::path::PathBuf::from(user.home.as_str()));
    let folder = file.canonicalize().ok().and_then(|file| file.parent().map(Path::to_path_buf));
    match (home.and_then(|home| home.canonicalize().ok()), folder) {
        (Some(home), Some(folder)) if folder == home.join(".claude") => {
            Place { anchor: "~/.claude".to_owned() }
        }
        _ => Place::default(),
    }
}

/// Says how much differs.
pub(super) fn count(rules: usize, read: &str, differences: &[Difference]) {
    let count = |way| differences.iter().filter(|own| own.way == way && own.line > 0).count();
    // What holds for all of them stands in no line.
    let in_general = differences.iter().filter(|own| own.line == 0).count();
    let in_general = match in_general {
        0 => String::new(),
        1 => "; 1 difference in general".to_owned(),
        count => format!("; {count} differences in general"),
    };
    show::say(&format!(
        "{rules} {read}; {} narrower, {} wider{in_general}",
        count(Way::Narrower),
        count(Way::Wider)
    ));
}

/// Says what differs, each with its place.
pub(super) fn list(differences: &[Difference]) {
    differences.iter().for_each(|own| show::say(&visible(&own.to_string())));
}

pub(super) fn difference_json(difference: &Difference) -> Value {
    json!({
        "file": *difference.file,
        "line": difference.line,
        "column": difference.column,
        "rule": difference.rule,
        "way": difference.way.as_str(),
        "message": difference.message,
    })
}

/// Writes a text to a new file, or to standard output.
pub(super) fn hand_out(out: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = out else {
        show::print(text.trim_end_matches('\n'));
        return Ok(());
    };
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::new(format!("{} is there already", path.display()))
                .hint("name a new file: nothing is overwritten")
        }
        _ => Failure::new(format!("cannot write {}: {error}", path.display())),
    };
    let mut file = std::fs::File::create_new(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}
