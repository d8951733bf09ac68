//! `ringfence fmt`: formats policies; comments and order are kept.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use ringfence_manifest::{Format, Source};

use crate::args::FmtArgs;
use crate::door::render;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &FmtArgs) -> Result<Exit, Failure> {
    if args.files.is_empty() {
        return standard_input(args);
    }
    let mut exit = Exit::Allow;
    for path in &args.files {
        let format = Format::of_path(path).ok_or_else(|| {
            Failure::new(format!("{} is no policy", path.display()))
                .hint("policies end in .toml, .yaml, .yml, .json or .jsonc")
        })?;
        let old = std::fs::read(path)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
        let new = formatted(&path.display().to_string(), format, &old, args.canonical)?;
        if new.as_bytes() == old {
            continue;
        }
        if args.check {
            show::print(&format!("{} is not formatted", path.display()));
            exit = Exit::Failed;
        } else {
            replace(path, &new)?;
        }
    }
    Ok(exit)
}

fn standard_input(args: &FmtArgs) -> Result<Exit, Failure> {
    let mut old = Vec::new();
    let limit = u64::try_from(ringfence_manifest::MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .lock()
        .take(limit)
        .read_to_end(&mut old)
        .map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    let new = formatted("standard input", guess(&old), &old, args.canonical)?;
    if args.check {
        return Ok(if new.as_bytes() == old { Exit::Allow } else { Exit::Failed });
    }
    show::print(new.trim_end_matches('\n'));
    Ok(Exit::Allow)
}

fn formatted(name: &str, format: Format, old: &[u8], canonical: bool) -> Result<String, Failure> {
    let source = Source::from_bytes(name, format, old);
    let new = source.and_then(|source| match canonical {
        true => ringfence_manifest::canonical(&source),
        false => ringfence_manifest::fmt(&source),
    });
    new.map_err(|errors| Failure::new(render(&errors)))
}

/// How a text without a name is written: JSON starts with a brace, TOML has `key =` or a table.
fn guess(text: &[u8]) -> Format {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().map(str::trim_start);
    let telling = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    match telling {
        Some(line) if line.starts_with('{') => Format::Json,
        Some(line) if line.starts_with('[') || line.contains('=') => Format::Toml,
        Some(_) => Format::Yaml,
        None => Format::Toml,
    }
}

/// Replaces a file whole, so that a crash leaves the old one or the new one.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("cannot write {}: {error}", path.display()));
    let real = path.canonicalize().map_err(failed)?;
    let mut name = real.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let draft = real.with_file_name(name);
    let permissions = std::fs::metadata(&real).map_err(failed)?.permissions();
    // Somebody else may have put a link by that name, which must not be followed.
    let mut file = File::create_new(&draft).map_err(failed)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| std::fs::rename(&draft, &real))
        .map_err(|error| {
            let _ = std::fs::remove_file(&draft);
            failed(error)
        })
}
