//! Paths of others in our own notation.

/// The patterns of one in the notation of gitignore: a name without a slash matches at any depth
/// below `here`, and what matches a directory matches all below it. `beside` is what a single
/// slash at its start means.
pub(super) fn gitignore(text: &str, here: &str, beside: &str) -> Result<Vec<String>, &'static str> {
    if text.starts_with('!') {
        return Err("it is a negation, which depends on what stands before it");
    }
    let text = escape(text);
    let (base, rest) = if let Some(rest) = text.strip_prefix("//") {
        ("", rest.to_owned())
    } else if text == "~" || text.starts_with("~/") {
        ("~", text.trim_start_matches("~").trim_start_matches('/').to_owned())
    } else if let Some(rest) = text.strip_prefix('/') {
        (beside, rest.to_owned())
    } else if let Some(rest) = text.strip_prefix("./") {
        (here, rest.to_owned())
    } else if text.trim_end_matches('/').contains('/') {
        (here, text)
    } else {
        (here, format!("**/{text}"))
    };
    let rest = rest.trim_start_matches('/');
    if rest.split('/').any(|name| name == "..") {
        return Err("it has `..` in it");
    }
    let joined = match (base, rest) {
        (base, "") => format!("{base}/**"),
        ("", rest) => format!("/{rest}"),
        (base, rest) => format!("{base}/{rest}"),
    };
    let joined = joined.replace("/**/**", "/**");
    Ok(with_content(&joined))
}

/// A path and, unless it says so itself, all below it.
pub(super) fn with_content(path: &str) -> Vec<String> {
    match path.strip_suffix('/') {
        Some(directory) => vec![format!("{directory}/**")],
        None if path.ends_with("**") => vec![path.to_owned()],
        None => vec![path.to_owned(), format!("{path}/**")],
    }
}

/// The patterns of one in which `*` takes anything, slashes too.
pub(super) fn crossing(text: &str) -> Result<Vec<String>, &'static str> {
    let text = text.replace("$HOME", "~");
    let text = escape(&text);
    if text.chars().all(|c| c == '*') {
        return Ok(vec!["**".to_owned()]);
    }
    if text.split('/').any(|name| name == "..") {
        return Err("it has `..` in it");
    }
    let anchored = text.starts_with(['/', '~', '*']);
    let base = if anchored { "" } else { "@root/" };
    let names: Vec<&str> = text.split('/').collect();
    let last = names.len().saturating_sub(1);
    let mut ways = vec![String::new()];
    for (at, name) in names.iter().enumerate() {
        let readings = crossing_name(name, at == last)?;
        ways = ways
            .iter()
            .flat_map(|way| {
                readings.iter().map(move |reading| match at {
                    0 => reading.clone(),
                    _ => format!("{way}/{reading}"),
                })
            })
            .collect();
        if ways.len() > 16 {
            return Err("it has too many stars inside names");
        }
    }
    let mut paths: Vec<String> =
        ways.iter().map(|way| format!("{base}{way}").replace("**/**", "**")).collect();
    paths.dedup();
    Ok(paths)
}

/// The ways to read one name in which a star may cross slashes.
fn crossing_name(name: &str, last: bool) -> Result<Vec<String>, &'static str> {
    if !name.is_empty() && name.chars().all(|c| c == '*') {
        return Ok(vec!["**".to_owned()]);
    }
    let leading = name.starts_with('*');
    let trailing = name.ends_with('*') && !name.ends_with("\\*");
    let inner = name.trim_matches('*');
    let single = match inner.split_once('*') {
        None => vec![inner.to_owned()],
        Some((one, two)) if !two.contains('*') => {
            vec![format!("{one}*{two}"), format!("{one}*/**/*{two}")]
        }
        Some(_) => return Err("it has too many stars inside a name"),
    };
    let mut ways = Vec::new();
    for core in single {
        let start = if leading { format!("**/*{core}") } else { core };
        match (trailing, last) {
            (false, _) => ways.push(start),
            (true, false) => ways.push(format!("{start}*/**")),
            (true, true) => ways.extend([format!("{start}*"), format!("{start}*/**")]),
        }
    }
    Ok(ways)
}

/// A path in which braces and dollar signs are plain, as others have them.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let starts = text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with('/'));
        match c {
            '{' => escaped.push_str("\\{"),
            '$' | '@' if starts => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
