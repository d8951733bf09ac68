use super::*;

#[test]
fn c145_mcp_operations_are_told_by_their_verbs() {
    for verb in WRITE_WORDS {
        let operation = classify_mcp("s", &format!("{verb}_thing"));
        assert!(
            !matches!(operation, McpOperation::Read | McpOperation::Search | McpOperation::Unknown),
            "{verb}"
        );
    }
    for verb in READ_VERBS {
        let operation = classify_mcp("s", &format!("{verb}_thing"));
        assert!(matches!(operation, McpOperation::Read | McpOperation::Search), "{verb}");
    }
    for noun in READ_NOUNS {
        let operation = classify_mcp("fossil", &format!("fossil_{noun}"));
        assert!(matches!(operation, McpOperation::Read | McpOperation::Search), "{noun}");
    }
    for (tool, operation) in [
        ("git_log", McpOperation::Read),
        ("git_diff_unstaged", McpOperation::Read),
        ("get_file_info", McpOperation::Read),
        ("list_commits", McpOperation::Read),
        ("get_pull_request_files", McpOperation::Read),
        ("list_allowed_directories", McpOperation::Read),
        ("directory_tree", McpOperation::Search),
        ("search_files", McpOperation::Search),
        ("create_or_update_file", McpOperation::Write),
        ("edit_file", McpOperation::Edit),
        ("frobnicate", McpOperation::Unknown),
        ("git_init", McpOperation::Unknown),
    ] {
        assert_eq!(classify_mcp("fs", tool), operation, "{tool}");
    }
}

#[test]
fn a_read_verb_next_to_a_change_verb_does_not_count() {
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
        assert_eq!(classify_mcp("fs", tool), McpOperation::Unknown, "{tool}");
    }
}
