#[path = "../../../tests/support/processor.rs"]
mod processor;

use proptest::prelude::*;

use processor::processor_time;

use super::*;

/// In `expected`, `$1` and so on stand for the hashes of `secrets`.
fn check(text: &str, secrets: &[&str], expected: &str) {
    let mut whole = expected.to_owned();
    for (number, secret) in secrets.iter().enumerate() {
        whole = whole.replace(&format!("§{}", number + 1), &marker(secret));
    }
    assert_eq!(redact(text), whole, "{text}");
    assert_eq!(redact(&whole), whole, "{text}, twice");
}

/// Checks a text with one secret, marked by `§…§`.
fn check_one(text: &str) {
    let mut parts = text.split('§');
    let (before, secret, after) =
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let plain = format!("{before}{secret}{after}");
    check(&plain, &[secret], &format!("{before}§1{after}"));
}

/// Checks a text without secrets.
fn check_none(text: &str) {
    assert!(matches!(redact(text), Cow::Borrowed(_)), "{text} -> {}", redact(text));
}

#[test]
fn a_secret_is_shown_by_the_start_of_its_hash() {
    // The hash comes from `printf hunter2 | sha256sum`.
    assert_eq!(redact("--password=hunter2"), "--password=‹redacted:f52fbd32›");
    assert_eq!(redact("DB_PASSWORD=hunter2"), "DB_PASSWORD=‹redacted:f52fbd32›");
}

#[test]
fn options() {
    for text in [
        "curl --token=§abc§ x",
        "curl --token §abc§ x",
        "curl --token '§a b c§' x",
        "curl --token \"§a b c§\" x",
        "x --api-key §abc§",
        "x --apiKey=§abc§",
        "x --client-secret §abc§ --verbose",
        "x --db.password=§abc§",
        "x -password §abc§",
        "gpg --passphrase §abc§ f",
        "npm publish --otp §123456§",
        "java -Dtoken=§abc§ -jar x",
        "kubectl create secret generic x --from-literal=password=§abc§",
        "curl -u user:§pass§ https://x",
        "curl -uuser:§pass§ https://x",
        "curl --user 'user:§pass:word§' https://x",
        "curl --proxy-user=u:§p§ x",
        "git -c http.extraHeader='Authorization: Basic §dXNlcjpwYXNz§' fetch",
        "sshpass -p §abc§ ssh h",
        "sshpass -p§abc§ ssh h",
        "mysql -uroot -p§abc§ db",
        "/usr/bin/mysqldump -p'§abc§' db",
        "redis-cli -h x -a §abc§ ping",
        "docker login -u me -p §abc§ reg",
        "openssl rsa -passin pass:§abc§ -in k",
        "curl --cookie 'a=b' x".replace("a=b", "§a=b§").as_str(),
    ] {
        check_one(text);
    }
}

#[test]
fn headers() {
    for text in [
        "Authorization: Bearer §abc.def§",
        "authorization:bearer §abc§",
        "-H \"Authorization: Bearer §abc§\" https://x",
        "-H 'authorization: token §abc§' https://x",
        "Proxy-Authorization: Basic §dTpw§",
        "Authorization: Digest §username=x, response=abc§\nHost: x",
        "Authorization: §abc§\r\nHost: x",
        "Cookie: §a=b; c=d§\nHost: x",
        "Set-Cookie: §sid=1; Path=/§",
        "X-Api-Key: §abc§",
        "-H X-Api-Key:§abc§ https://x",
        "PRIVATE-TOKEN: §abc§",
        "X-Vault-Token:§abc§",
        "\"Authorization\": \"Bearer §abc§\"",
        "{\\\"Authorization\\\": \\\"Bearer §abc§\\\"}",
        "sent with Bearer §abcdefghij1234567890§ by us",
    ] {
        check_one(text);
    }
}

#[test]
fn urls() {
    for text in [
        "git clone https://user:§pass§@example.com/x.git",
        "postgres://u:§p@ss§@db:5432/x",
        "postgres://u:§p/a?s#s§@db:5432/x",
        "https://§0123456789abcdef0123§@github.com/x",
        "redis://:§pass§@host",
        "https://x.example/?a=1&token=§abc§&b=2",
        "https://x.example/?key=§abc§#top",
        "https://x.example/#access_token=§abc§&state=1",
        "\"https://x.example/?sig=§abc%2Bd§\"",
        "https://s3.example/x?X-Amz-Signature=§abc§&X-Amz-Expires=60",
        "https://hooks.slack.com/services/T000/B000/XXXX1234".replace("hooks", "§hooks").as_str(),
    ] {
        let closed =
            if text.matches('§').count() == 1 { format!("{text}§") } else { text.into() };
        check_one(&closed);
    }
}

#[test]
fn variables_and_fields() {
    for text in [
        "GITHUB_TOKEN=§abc§ gh pr list",
        "export NPM_TOKEN=§abc§; npm publish",
        "export NPM_TOKEN=\"§abc def§\"",
        "env AWS_SECRET_ACCESS_KEY='§ab/c+d§' aws s3 ls",
        "PGPASSWORD=§abc§ psql",
        "MYSQL_PWD=§abc§ mysql",
        "STRIPE_KEY=§abc§ x",
        "DB_PASS=§a\\ b§ x",
        "A_SECRET_B=§abc§",
        "TOKEN=§a\"b c\"'d'§ x",
        "sh -c \"TOKEN=§abc§ curl x\"",
        "sh -c 'TOKEN=§abc§ curl x'",
        "docker run -e TOKEN=§abc§ img",
        "aws_secret_access_key = §wJalrXUtnFEMI/K7MDENG§\nregion = x",
        "password: §hunter2§\nname: x",
        "password: \"§hunter 2§\"",
        "{\"password\": \"§hunter 2§\", \"name\": \"x\"}",
        "{\"token\":\"§a,b§\",\"name\":\"x\"}",
        "{'api_key': '§abc§'}",
        "{\\\"token\\\":\\\"§abc§\\\",\\\"n\\\":1}",
        "{token: §abc§, name: x}",
        "Server=x;Uid=sa;Pwd=§abc§;",
        "AccountKey=§abc==§;Endpoint=x",
        "//registry.example/:_authToken=§abc§",
        "_auth=§dTpw§",
        ":password => \"§abc§\"",
        "don't TOKEN='§abc§' x",
        "--token=§пароль§ x",
        "TOKEN=§\\é§ x",
    ] {
        check_one(text);
    }
}

#[test]
fn tokens_of_services_wherever_they_stand() {
    for text in [
        "x §ghp_abcdefghijklmnopqrstuvwxyz0123456789§ y",
        "echo \"§github_pat_11ABCDEFG0abcdefghijkl_mnop§\"",
        "(§gho_abcdefghijklmnopqrstuvwxyz0123456789§)",
        "§glpat-abcdefghij0123456789§",
        "§sk-ant-api03-abcdefghij0123456789§",
        "§sk-proj-abcdefghij0123456789§",
        "id §AKIAIOSFODNN7EXAMPLE§,",
        "§xoxb-1234567890-abcdefghij§",
        "§npm_abcdefghijklmnopqrstuvwxyz0123456789§",
        "§AIzaSyA-1234567890abcdefghijklmnopqrstu§",
        "x=§eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123§ y",
        "-----BEGIN RSA PRIVATE KEY-----§\nMIIE\nabc\n§-----END RSA PRIVATE KEY-----\nafter",
        "-----BEGIN OPENSSH PRIVATE KEY-----§\nb3Bl§",
    ] {
        check_one(text);
    }
}

#[test]
fn plain_text_is_left_alone() {
    for text in [
        "",
        "ls -la /home/u/.ssh",
        "PWD=/home/u OLDPWD=/ make",
        "docker run -u 1000:1000 -p 80:80 img",
        "rsync -u host:/path dest",
        "mkdir -p a/b; mysql -p db",
        "docker login --password-stdin registry.example",
        "git push --force-with-lease origin main",
        "TOKEN=$TOKEN x",
        "TOKEN=\"${TOKEN}\" x",
        "TOKEN=$(cat f) x",
        "curl -H \"Authorization: Bearer $TOKEN\" x",
        "--token <token> --password ${{ secrets.PASSWORD }}",
        "password: null, \"token\": true",
        "max_tokens: 4096, token_type: x, token_count=3",
        "token = next_token(input)",
        "if password == other { }",
        "Token::new, secret::Store, https://example.com:80/a@b",
        "primary_key=id, public_key: abc, sort_key = x, CACHE_KEY=x",
        "kubectl get secrets -n default",
        "cmd:vault:token:create, env:GITHUB_TOKEN, fs:r:**/secrets/**, --password=*",
        "the bearer authentication scheme",
        "task-abcdefghij0123456789, disk-abcdefghijklmnop, sk-learn-is-a-library-for-all",
        "ghp_short, AKIAshort, npm_config_registry, eyJhbGciOi.x",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "image:tag@sha256:0123456789abcdef",
        "user:pass@host without a scheme",
        "--sort-key name --key-file path",
        "tests pass: 12, fail: 0",
        "‹redacted:f52fbd32›",
        "--token=‹redacted:f52fbd32› x",
    ] {
        check_none(text);
    }
}

#[test]
fn many_secrets_in_one_text() {
    check(
        "TOKEN=abc curl -u u:p --token abc https://u:q@x/?key=r -H 'X-Api-Key: s'",
        &["abc", "p", "q", "r", "s"],
        "TOKEN=§1 curl -u u:§2 --token §1 https://u:§3@x/?key=§4 -H 'X-Api-Key: §5'",
    );
}

#[test]
fn a_false_hash_hides_nothing() {
    check("--token=‹redacted:00000000›abc", &["‹redacted:00000000›abc"], "--token=§1");
}

#[test]
fn long_texts_take_no_longer_than_their_length_allows() {
    let pieces = [
        "TOKEN=",
        "TOKEN='",
        "TOKEN=\"",
        "\"token\":",
        "a://b:c/",
        "://",
        "sk-",
        "eyJ-",
        "eyJ.",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "--token ",
        "\\\"",
        "Bearer ",
        "‹redacted:",
        "TOKEN=$(",
        "Authorization: $(",
        "TOKEN={{",
        "Cookie: ",
        "pass:",
        "mysql -p",
        "ghp_",
        "&key=",
        "TOKEN=\\",
    ];
    let start = processor_time();
    for piece in pieces {
        let text = piece.repeat(20_000 / piece.len());
        let redacted = redact(&text);
        assert_eq!(redact(&redacted), redacted, "{piece}");
    }
    let taken = processor_time().saturating_sub(start);
    assert!(taken.as_secs() < 20, "{taken:?}");
}

/// Draws texts from fragments that the scanners search for.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "--token",
            "--password",
            "TOKEN",
            "password",
            "Authorization",
            "Cookie",
            "Bearer",
            "X-Api-Key",
            "key",
            "-u",
            "-p",
            "=",
            ":",
            ": ",
            " = ",
            "=>",
            " ",
            "\n",
            "\"",
            "'",
            "\\",
            "\\\"",
            "`",
            "$",
            "$(",
            "${",
            "}",
            "{",
            "[",
            "]",
            ",",
            ";",
            "&",
            "|",
            "<",
            ">",
            "?",
            "#",
            "@",
            "://",
            "https://",
            "u:p@h",
            "ghp_abcdefghijklmnopqrstuvwxyz",
            "eyJhbGciOi.eyJzdWIi.abc",
            "sk-abcdefghij0123456789",
            "AKIAIOSFODNN7EXAMPLE",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "‹redacted:01234567›",
            "‹redacted:",
            "›",
            "mysql",
            "sshpass",
            "docker login",
            "pass:",
            "é",
            "\u{202e}",
            "null",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9]{1,8}",
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn redacting_twice_equals_once(text in text()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }

    #[test]
    fn redacting_visible_text_changes_nothing(text in text()) {
        let once = visible(&redact(&text)).into_owned();
        prop_assert_eq!(visible(&once), once.as_str());
    }

    #[test]
    fn a_secret_never_shows_whatever_stands_before_it(
        before in text(),
        secret in "[a-z0-9]{12}",
    ) {
        for text in [
            format!("{before} --token={secret}"),
            format!("{before} GITHUB_TOKEN={secret}"),
            format!("{before}\nexport X_SECRET=\"{secret}\""),
            format!("{before} https://u:{secret}@h/"),
            format!("{before} ghp_{secret}{secret}"),
        ] {
            prop_assert!(!redact(&text).contains(&secret), "{} -> {}", text, redact(&text));
        }
    }

    #[test]
    fn a_secret_behind_its_option_never_shows(secret in "[a-z0-9]{12}", rest in text()) {
        for text in [
            format!("--token={secret} {rest}"),
            format!("GITHUB_TOKEN={secret} {rest}"),
            format!("x --password '{secret}' {rest}"),
            format!("https://u:{secret}@h/ {rest}"),
            format!("{{\"secret\": \"{secret}\"}} {rest}"),
        ] {
            prop_assert!(!redact(&text).contains(&secret), "{} -> {}", text, redact(&text));
        }
    }
}
