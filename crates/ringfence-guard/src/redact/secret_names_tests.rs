use super::*;

fn check(names: &[&str], place: NameContext, expected: Option<SecretKind>) {
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
        NameContext::Field,
        Some(SecretKind::Secret),
    );
    check(&["pass", "pwd", "otp", "dtoken"], NameContext::Option, Some(SecretKind::Secret));
    check(
        &["key", "sig", "signature", "X-Amz-Signature", "auth"],
        NameContext::Query,
        Some(SecretKind::Secret),
    );
    check(
        &["Authorization", "proxy-authorization"],
        NameContext::Field,
        Some(SecretKind::Authorization),
    );
    check(&["Cookie", "set-cookie"], NameContext::Field, Some(SecretKind::Cookie));
    check(
        &["u", "user", "proxy-user", "auth"],
        NameContext::Option,
        Some(SecretKind::UserAndSecret),
    );
}

#[test]
fn names_that_only_describe_secrets_are_not_secret() {
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
        NameContext::Field,
        None,
    );
}
