//! Decides by a name whether its value is a secret.

/// The structure of a secret value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretKind {
    /// The whole value is a secret.
    Secret,
    /// An authentication scheme, then a secret.
    Authorization,
    /// Cookie names and values, up to the end of the line.
    Cookie,
    /// A user name, a colon and a secret.
    UserAndSecret,
}

/// The context of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameContext {
    /// A command-line option, after dashes.
    Option,
    /// A parameter in the query or fragment of a URL.
    Query,
    /// Anything else: a variable, a header or a field of a document.
    Field,
}

/// Substrings that make the value a secret wherever they occur in a name.
const STEMS: [&str; 8] =
    ["password", "passwd", "passphrase", "passcode", "secret", "credential", "authtoken", "apikey"];

/// Last words of names that describe a secret without containing it: `--password-stdin`,
/// `token_type`.
const ABOUT: [&str; 44] = [
    "algorithm",
    "arn",
    "backend",
    "budget",
    "class",
    "count",
    "endpoint",
    "engine",
    "env",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "format",
    "header",
    "hint",
    "id",
    "index",
    "kind",
    "len",
    "length",
    "limit",
    "manager",
    "max",
    "min",
    "name",
    "path",
    "policy",
    "prompt",
    "provider",
    "ref",
    "rotation",
    "scope",
    "scopes",
    "size",
    "stdin",
    "store",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "version",
];

/// Words before `key` in names of secret keys.
const OPENING_KEYS: [&str; 26] = [
    "access",
    "account",
    "admin",
    "aes",
    "api",
    "app",
    "application",
    "auth",
    "client",
    "crypto",
    "decryption",
    "deploy",
    "encryption",
    "gpg",
    "hmac",
    "license",
    "master",
    "pgp",
    "private",
    "rsa",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
];

/// Words before `KEY` in names of harmless keys, although they are capitalised like `SECRET_KEY`.
const PLAIN_KEYS: [&str; 14] = [
    "cache",
    "composite",
    "config",
    "foreign",
    "hash",
    "hot",
    "index",
    "map",
    "partition",
    "primary",
    "public",
    "range",
    "sort",
    "unique",
];

/// Returns the structure of a name's value, or `None` if the value is not a secret.
pub(super) fn kind(name: &str, place: NameContext) -> Option<SecretKind> {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let option = place == NameContext::Option;
    match words.as_slice() {
        [] => None,
        ["authorization"] | ["proxy", "authorization"] => Some(SecretKind::Authorization),
        ["cookie"] | ["set", "cookie"] => Some(SecretKind::Cookie),
        ["u" | "user"] | ["proxy", "user"] | ["auth"] if option => Some(SecretKind::UserAndSecret),
        ["auth"] if name.starts_with('_') => Some(SecretKind::Secret),
        [.., last] if ABOUT.contains(last) => None,
        words if is_secret(name, words, place) => Some(SecretKind::Secret),
        _ => None,
    }
}

fn is_secret(name: &str, words: &[&str], place: NameContext) -> bool {
    let joined = words.concat();
    if STEMS.iter().any(|stem| joined.contains(stem)) {
        return true;
    }
    let is_java = place == NameContext::Option && joined == "dtoken";
    if is_java || words.contains(&"token") {
        return true;
    }
    match words {
        // Without another word, `pwd` is the working directory and `pass` is ordinary text.
        ["pwd" | "pass"] => place != NameContext::Field || name == "Pwd",
        [.., "pwd" | "pass" | "jwt"] => true,
        ["otp"] => place == NameContext::Option,
        ["key" | "auth" | "pw"] => place == NameContext::Query,
        [.., "sig" | "signature" | "hmac"] => place == NameContext::Query,
        [.., of, "key"] => {
            OPENING_KEYS.contains(of) || (is_capital(name) && !PLAIN_KEYS.contains(of))
        }
        [.., last] => last.strip_suffix("key").is_some_and(|of| OPENING_KEYS.contains(&of)),
        [] => false,
    }
}

/// Returns whether a name has no lower-case letter, like an environment variable.
fn is_capital(name: &str) -> bool {
    !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Splits a name into words in lower case: `githubToken`, `GITHUB_TOKEN` and `github-token` have
/// two.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        let is_start = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && was_lower);
        if is_start && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
#[path = "secret_names_tests.rs"]
mod tests;
