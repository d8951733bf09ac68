use super::*;

#[test]
fn c145_mcp_operations_are_told_by_their_verbs() {
    for verb in WRITE_WORDS {
        let doing = classify_mcp("s", &format!("{verb}_thing"));
        assert!(!matches!(doing, McpDoing::Read | McpDoing::Search | McpDoing::Unknown), "{verb}");
    }
    for verb in READ_VERBS {
        let doing = classify_mcp("s", &format!("{verb}_thing"));
        assert!(matches!(doing, McpDoing::Read | McpDoing::Search), "{verb}");
    }
    for noun in READ_NOUNS {
        let doing = classify_mcp("fossil", &format!("fossil_{noun}"));
        assert!(matches!(doing, McpDoing::Read | McpDoing::Search), "{noun}");
    }
    for (tool, doing) in [
        ("git_log", McpDoing::Read),
        ("git_diff_unstaged", McpDoing::Read),
        ("get_file_info", McpDoing::Read),
        ("list_commits", McpDoing::Read),
        ("get_pull_request_files", McpDoing::Read),
        ("list_allowed_directories", McpDoing::Read),
        ("directory_tree", McpDoing::Search),
        ("search_files", McpDoing::Search),
        ("create_or_update_file", McpDoing::Write),
        ("edit_file", McpDoing::Edit),
        ("frobnicate", McpDoing::Unknown),
        ("git_init", McpDoing::Unknown),
    ] {
        assert_eq!(classify_mcp("fs", tool), doing, "{tool}");
    }
}

#[test]
fn a_word_that_looks_beside_one_that_changes_says_nothing() {
    for tool in [
        "apply_diff",
        "search_replace",
        "find_and_replace",
        "truncate_log",
        "set_status",
        "update_info",
        "rm_tree",
        "unlink_tree",
        "reset_head",
        "execute_query",
        "run_query",
        "save_read_state",
        "find_or_make",
        "frobnicate_tree",
    ] {
        assert_eq!(classify_mcp("fs", tool), McpDoing::Unknown, "{tool}");
    }
}
