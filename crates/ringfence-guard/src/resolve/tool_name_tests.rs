use super::*;

#[test]
fn agents_names_for_file_tools_are_told_by_their_words() {
    use FileOperation::*;
    for (name, operation) in [
        ("read_file", Read),
        ("Read", Read),
        ("readFile", Read),
        ("view", Read),
        ("list_dir", List),
        ("LS", List),
        ("Glob", Glob),
        ("grep", Grep),
        ("search_file_content", Grep),
        ("write_to_file", Write),
        ("str_replace_based_edit_tool", Edit),
        ("search_files", Search),
        ("write_file", Write),
        ("file_append", Write),
        ("append_file", Write),
        ("create_directory", Write),
        ("mkdir", Write),
        ("Edit", Edit),
        ("MultiEdit", Edit),
        ("apply_patch", Edit),
        ("str_replace", Edit),
        ("delete_file", Delete),
        ("rename_file", Move),
        ("move_file", Move),
        ("copy_file", Copy),
        ("create_symlink", SymbolicLink),
        ("symlink", SymbolicLink),
        ("create_hardlink", HardLink),
        ("hard_link", HardLink),
    ] {
        assert_eq!(classify(name), Some(ToolOperation::File(operation)), "{name}");
    }
    for name in ["unknown_op", "frobnicate", "get_issue", "web_search", "file_exfiltrate", ""] {
        assert_eq!(classify(name), None, "{name}");
    }
    assert_eq!(classify("Bash"), Some(ToolOperation::RunLine));
    assert_eq!(classify("WebFetch"), Some(ToolOperation::Fetch));
}
