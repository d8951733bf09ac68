//! Names whose values are secrets.

/// What the value of a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A secret as a whole.
    Secret,
    /// A scheme and a secret.
    Authorization,
    /// Names and secrets, to the end of the line.
    Cookie,
    /// A user, a colon and a secret.
    UserAndSecret,
}

/// Where a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind dashes, as an option.
    Option,
    /// In the query or fragment of a URL.
    Query,
    /// Anywhere else: a variable, a header, a field of a document.
    Field,
}

/// Parts of a name that make its value a secret, however it is put together.
const STEMS: [&str; 8] =
    ["password", "passwd", "passphrase", "passcode", "secret", "credential", "authtoken", "apikey"];

/// Last words of names that are about a secret and are none: `--password-stdin`, `token_type`.
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

/// What a key is when its value opens something.
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

/// What a key is when it opens nothing, although it is written like `SOME_KEY`.
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

/// What the value of a name is; `None` for names that are no secret's.
pub(super) fn kind(name: &str, place: Place) -> Option<Kind> {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let option = place == Place::Option;
    match words.as_slice() {
        [] => None,
        ["authorization"] | ["proxy", "authorization"] => Some(Kind::Authorization),
        ["cookie"] | ["set", "cookie"] => Some(Kind::Cookie),
        ["u" | "user"] | ["proxy", "user"] | ["auth"] if option => Some(Kind::UserAndSecret),
        ["auth"] if name.starts_with('_') => Some(Kind::Secret),
        [.., last] if ABOUT.contains(last) => None,
        words if is_secret(name, words, place) => Some(Kind::Secret),
        _ => None,
    }
}

fn is_secret(name: &str, words: &[&str], place: Place) -> bool {
    let joined = words.concat();
    if STEMS.iter().any(|stem| joined.contains(stem)) {
        return true;
    }
    let is_java = place == Place::Option && joined == "dtoken";
    if is_java || words.contains(&"token") {
        return true;
    }
    match words {
        // On its own it is the working directory, or a word of prose.
        ["pwd" | "pass"] => place != Place::Field || name == "Pwd",
        [.., "pwd" | "pass" | "jwt"] => true,
        ["otp"] => place == Place::Option,
        ["key" | "auth" | "pw"] => place == Place::Query,
        [.., "sig" | "signature" | "hmac"] => place == Place::Query,
        [.., of, "key"] => {
            OPENING_KEYS.contains(of) || (is_capital(name) && !PLAIN_KEYS.contains(of))
        }
        [.., last] => last.strip_suffix("key").is_some_and(|of| OPENING_KEYS.contains(&of)),
        [] => false,
    }
}

/// Whether a name is written as variables of the environment are.
fn is_capital(name: &str) -> bool {
    !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// The words of a name in lower case: `githubToken`, `GITHUB_TOKEN` and `github-token` have two.
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
#[path = "keys_tests.rs"]
mod tests;
