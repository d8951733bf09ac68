use super::*;

fn check(names: &[&str], place: Place, expected: Option<Kind>) {
    for name in names {
        assert_eq!(kind(name, place), expected, "{name}");
    }
}

#[test]
fn names_of_secrets_in_every_spelling() {
    check(
        &[
            "password",
            "PGPASSWORD",
            "db_password",
            "dbPassword",
            "DB-PASSWORD",
            "userPasswd",
            "passphrase",
            "token",
            "GITHUB_TOKEN",
            "githubToken",
            "X-Vault-Token",
            "TOKEN_PROD",
            "client_secret",
            "SECRET_KEY_BASE",
            "AWS_SECRET_ACCESS_KEY",
            "api_key",
            "apiKey",
            "X-Api-Key",
            "apikey",
            "STRIPE_KEY",
            "private_key",
            "privatekey",
            "MYSQL_PWD",
            "Pwd",
            "smtp_pass",
            "_auth",
            "_authToken",
            "credentials",
            "session_jwt",
        ],
        Place::Field,
        Some(Kind::Secret),
    );
    check(&["pass", "pwd", "otp", "dtoken"], Place::Option, Some(Kind::Secret));
    check(
        &["key", "sig", "signature", "X-Amz-Signature", "auth"],
        Place::Query,
        Some(Kind::Secret),
    );
    check(&["Authorization", "proxy-authorization"], Place::Field, Some(Kind::Authorization));
    check(&["Cookie", "set-cookie"], Place::Field, Some(Kind::Cookie));
    check(&["u", "user", "proxy-user", "auth"], Place::Option, Some(Kind::UserAndSecret));
}

#[test]
fn names_that_are_about_secrets_or_something_else() {
    check(
        &[
            "",
            "-",
            "PWD",
            "OLDPWD",
            "pwd",
            "pass",
            "passed",
            "key",
            "keyboard",
            "monkey",
            "sig",
            "signature",
            "password_file",
            "password-stdin",
            "token_type",
            "max_tokens",
            "tokenizer",
            "AWS_ACCESS_KEY_ID",
            "secret_name",
            "public_key",
            "PRIMARY_KEY",
            "CACHE_KEY",
            "sort_key",
            "author",
            "authority",
            "user",
            "u",
            "cookies_enabled",
        ],
        Place::Field,
        None,
    );
}
