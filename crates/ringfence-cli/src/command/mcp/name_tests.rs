use super::*;

fn name(line: &str) -> Option<String> {
    name_of(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
}

#[test]
fn a_server_is_named_after_its_package_script_or_program() {
    for (line, expected) in [
        ("npx -y @modelcontextprotocol/server-filesystem@2026.1.1 /srv", "server-filesystem"),
        ("uvx mcp-server-git --repository .", "mcp-server-git"),
        ("uv run weather.py", "weather"),
        ("python3 -m weather_server", "weather_server"),
        ("node node_modules/@scope/files-mcp/dist/index.js /srv", "files-mcp"),
        ("/usr/bin/python3 tools/my-server.py", "my-server"),
        ("github-mcp-server stdio", "github-mcp-server"),
    ] {
        assert_eq!(name(line).as_deref(), Some(expected), "{line}");
    }
    for line in ["npx", "node dist/index.js", "uv run server.py"] {
        assert_eq!(name(line), None, "{line}");
    }
}

#[test]
fn names_can_stand_in_rules() {
    for good in ["fs", "server-filesystem", "a.b_c"] {
        assert!(is_name(good), "{good}");
    }
    for bad in ["", "a__b", "a/b", "a*", "ü", "a b"] {
        assert!(!is_name(bad), "{bad}");
    }
}
