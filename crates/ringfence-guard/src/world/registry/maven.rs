//! The mirrors and repositories of Maven.

use super::RegistryConfig;
use super::source::Configuration;

/// Finds the repositories in `settings.xml`, the user's and the system's.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let mut found = RegistryConfig::default();
    let system = ["etc/maven/settings.xml", "usr/share/maven/conf/settings.xml"];
    let system = system.iter().find_map(|path| configuration.system_file(path));
    let files = [configuration.user_file(".m2/settings.xml"), system];
    for text in files.into_iter().flatten() {
        let text = without_comments(&text);
        for mirror in elements(&text, "mirror") {
            add_mirror(mirror, &mut found);
        }
        for repository in elements(&text, "repository").chain(elements(&text, "pluginRepository")) {
            elements(repository, "url").for_each(|url| found.add(url.trim()));
        }
    }
    found
}

fn add_mirror(mirror: &str, found: &mut RegistryConfig) {
    let of = elements(mirror, "mirrorOf").next().unwrap_or_default();
    let names: Vec<&str> = of.split(',').map(str::trim).collect();
    let everything = ["*", "external:*", "external:http:*", "central"];
    let is_central = names.iter().any(|name| everything.contains(name));
    if is_central && !names.contains(&"!central") {
        found.replaced = true;
    }
    elements(mirror, "url").for_each(|url| found.add(url.trim()));
}

/// Returns the content of every `<name>` element.
fn elements<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let (content, after) = rest.split_once(&open)?.1.split_once(&close)?;
        rest = after;
        Some(content)
    })
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    // An unclosed comment extends to the end of the text.
    let after = parts.filter_map(|part| part.split_once("-->")).map(|(_, after)| after);
    first + &after.collect::<String>()
}
