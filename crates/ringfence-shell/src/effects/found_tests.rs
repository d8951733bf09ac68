use ringfence_core::path::NameEnd;

use super::name_end;

#[test]
fn the_first_test_on_names_says_how_they_end() {
    let known = NameEnd::of_pattern("*.o");
    for line in [
        ". -name *.o",
        "a b -name *.o -delete",
        "-name *.o",
        "-L . -type f -name *.o -print0",
        ". -maxdepth 2 -not -path ./.git/* -name *.o",
        ". ! -name a.o -a -iname *.o",
        ". -path */build/*.o -name *",
        ". -not ! -name *.o",
    ] {
        assert_eq!(name_end(line.split(' ')), known, "{line}");
    }
}

#[test]
fn nothing_is_known_where_something_else_may_be_found() {
    for line in [
        ".",
        ". -delete -name *.o",
        ". -name *.o -o -delete",
        ". -name *.o -or -delete",
        ". -name *.o , -delete",
        ". -not -name *.o -delete",
        ". ! -name *.o -delete",
        ". ( -name *.o ) -delete",
        ". -exec echo -name *.o ; -delete",
        ". -type -name *.o -delete",
        ". -fprint -name *.o -delete",
        ". -name",
        ". -name * -delete",
    ] {
        assert!(name_end(line.split(' ')).is_empty(), "{line}");
    }
}
