//! The module proxies and the checksum database of go.

use super::RegistryConfig;
use super::source::Configuration;

/// Finds go's proxies. `direct` adds no host, because it leads to any host.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let file = file(configuration);
    let setting = |name: &str| {
        let said = file.lines().filter_map(|line| line.split_once('='));
        let by_file = || said.into_iter().find(|(key, _)| key.trim() == name);
        let by_file = || by_file().map(|(_, value)| value.trim().to_owned());
        configuration.var(name).map(str::to_owned).or_else(by_file)
    };
    let mut found = RegistryConfig::default();
    let Some(proxies) = setting("GOPROXY").filter(|value| !value.is_empty()) else {
        return found;
    };
    found.replaced = true;
    for proxy in proxies.split([',', '|']).map(str::trim) {
        found.add(proxy);
    }
    add_database(setting("GOSUMDB").as_deref(), &mut found);
    found
}

/// Adds the checksum database, written as `name`, `name+key`, or either followed by its URL.
fn add_database(database: Option<&str>, found: &mut RegistryConfig) {
    let database = database.unwrap_or("sum.golang.org");
    let mut words = database.split_whitespace();
    match (words.next(), words.next()) {
        (Some("off") | None, _) => {}
        (Some(_), Some(url)) => found.add(url),
        (Some(name), None) => {
            let name = name.split('+').next().unwrap_or(name);
            found.add(format!("https://{name}"));
        }
    }
}

/// Returns the content of the file that `go env -w` writes.
fn file(configuration: &Configuration<'_>) -> String {
    let text = match configuration.var("GOENV") {
        Some("off") => None,
        Some(path) => configuration.named_file(path),
        None => configuration.user_config("go/env"),
    };
    text.unwrap_or_default()
}
