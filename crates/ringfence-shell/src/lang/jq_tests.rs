use super::super::testing::*;
use super::Finding;

const JQ: &str = "jq";

#[test]
fn everyday_filters_do_nothing() {
    for code in [
        ".",
        ".a.b[0]?",
        ".[] | {id, name}",
        ".version == $v",
        ".metadata.vulnerabilities",
        r#"select(.type=="match") | .data.path.text"#,
        ".[0].NetworkSettings.Ports",
        r#".items[] | select(.status.phase!="Running") | .metadata.name"#,
        ".resource_changes | length",
        ".items | length",
        "length",
        r#".scripts | to_entries[] | "\(.key): \(.value)""#,
        ".env",
        ".ENV.x",
        "{env: 1, \"env\": 2}",
        "\"$ENV env\" # env",
        "@sh \"echo \\(.x)\"",
        "input_filename",
        "[inputs | .environment]",
        "def f(x): x * 2; f(.a)",
        ". as $env | $env.x",
        ".a.env[0]",
        "reduce .[] as $x (0; . + $x)",
        "getpath([\"env\"])",
        ".environment | keys",
    ] {
        harmless(JQ, code);
    }
}

#[test]
fn the_environment_is_found() {
    check(JQ, "$ENV.SECRET_TOKEN", &[gets("SECRET_TOKEN")]);
    check(JQ, "env.PATH", &[gets("PATH")]);
    check(JQ, "env . HOME", &[gets("HOME")]);
    check(JQ, "$ENV[\"X\"]", &[gets("X")]);
    check(JQ, "env.\"X\"", &[gets("X")]);
    check(JQ, "$ENV.[\"X\"]", &[gets("X")]);
    check(JQ, "$ENV", &[Finding::AllEnv]);
    check(JQ, "env", &[Finding::AllEnv]);
    check(JQ, "env|keys", &[Finding::AllEnv]);
    check(JQ, "$ENV[.x]", &[Finding::AllEnv]);
    check(JQ, "env[\"A\" + \"B\"]", &[Finding::AllEnv]);
    check(JQ, "\"a \\(env.TOKEN) b\"", &[gets("TOKEN")]);
    check(JQ, "\"\\(\"\\($ENV)\")\"", &[Finding::AllEnv]);
    check(JQ, "$ ENV", &[Finding::AllEnv]);
    check(JQ, "{a: env}", &[Finding::AllEnv]);
    check(JQ, "{(env.X): 1}", &[gets("X")]);
    check(JQ, "{$ENV}", &[Finding::AllEnv]);
    check(JQ, "env.X\\u0041", &[gets("X")]);
}

#[test]
fn modules_are_found() {
    check(JQ, "import \"a/b\" as b; b::f", &[Finding::CodeFile("jq", "a/b".into())]);
    check(JQ, "include \"lib\";.", &[Finding::CodeFile("jq", "lib".into())]);
    has(JQ, "import \"a\" as b {search: \"/etc\"}; .", &reads("/etc"));
    unsure(JQ, "import \"a\" as b {search: \"\\u002fetc\"}; .");
    reads_unknown(JQ, "import \"a\\u0041\" as b; .");
    check(JQ, "import \"/etc/x\" as $d; $d", &[Finding::CodeFile("jq", "/etc/x".into())]);
}

#[test]
fn what_does_not_end_is_refused() {
    unsure(JQ, "\"abc");
    unsure(JQ, "\"\\(abc");
    unsure(JQ, "# \\\nenv");
    unsure(JQ, "# \\\n\"\nenv # \"");
    reads_unknown(JQ, "\"x\" | modulemeta");
    unsure(JQ, "include x;");
    unsure(JQ, &"\"\\(".repeat(1000));
}
