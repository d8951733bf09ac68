use super::*;

fn check(text: &str, expected: &str) {
    assert_eq!(clean(text).as_deref(), Ok(expected), "{text}");
    assert_eq!(clean(expected).as_deref(), Ok(expected), "{text} twice");
}

#[test]
fn names_lose_the_characters_that_windows_drops() {
    check("/home/u/proj/.git./hooks/pre-commit", "/home/u/proj/.git/hooks/pre-commit");
    check("/home/u/proj/.git. . ./x", "/home/u/proj/.git/x");
    check("src\\main.rs ", "src/main.rs");
    check("..\\..\\x", "../../x");
    check(".\\a\\.\\b", "./a/./b");
    check("C:\\Users\\u", "/C:/Users/u");
    check("c:/", "/c:/");
    check("a\\\\b", "a//b");
    check("console.txt", "console.txt");
    check("nullable.rs", "nullable.rs");
    check("com10", "com10");
    check("foo~", "foo~");
    check("~bar", "~bar");
}

#[test]
fn names_with_special_meaning_are_refused() {
    for text in [
        "a.txt::$DATA",
        ".git::$INDEX_ALLOCATION/config",
        "x:stream",
        ".env:",
        "/a/b:c",
        "C:x",
        "C:",
        "/x/C:/y",
        "...",
        "a/.../b",
        ".. /x",
        "/a/ /b",
        "a\\. \\b",
        "GIT~1",
        "/p/GIT~1/config",
        "PROGRA~10.TXT",
        "a~~1",
        "a?b",
        "a*b",
        "<a>",
        "a|b",
        "\"a\"",
        "a\u{1}b",
    ] {
        let read = clean(text);
        assert!(matches!(read, Err(PathFault::WindowsName(_))), "{text} is read as {read:?}");
    }
}

#[test]
fn devices_are_refused_in_every_directory() {
    for text in [
        "CON",
        "/p/nul",
        "nul.txt",
        "a/NUL .txt",
        "Aux.tar.gz",
        "com1",
        "COM¹",
        "lpt9.log",
        "prn.",
        "CONIN$",
        "nul ",
        "conout$.x",
    ] {
        let read = clean(text);
        assert!(matches!(read, Err(PathFault::Device(_))), "{text} is read as {read:?}");
    }
}

#[test]
fn prefixes_are_refused() {
    for text in [
        "\\\\?\\C:\\x",
        "//?/C:/x",
        "\\??\\C:\\x",
        "/??/C:/x",
        "\\\\.\\PhysicalDrive0",
        "\\\\server\\share\\x",
        "//server/share",
        "\\\\?\\GLOBALROOT\\x",
        "\\/server/x",
    ] {
        assert_eq!(clean(text), Err(PathFault::WindowsPrefix), "{text}");
    }
}
