use super::super::testing::*;

#[test]
fn scripts_of_ed() {
    for code in [
        "1,$p",
        "a\n!id\nw x\n.\nw\nq",
        "g/x/s//y/g\nw\nq",
        "%s/a/b/\nwq",
        "/x/,/y/d",
        "H\n1i\nhi\n.\nw",
    ] {
        harmless("ed", code);
    }
    check("ed", "!id", &[shell("id")]);
    check("ed", "r !id", &[shell("id")]);
    check("ed", "w !id", &[shell("id")]);
    check("ed", "g/x/!id", &[shell("id")]);
    check("ed", "a\nx\n.\n!id", &[shell("id")]);
    check("ed", "w /tmp/x", &[writes("/tmp/x")]);
    check("ed", "wq /tmp/x", &[writes("/tmp/x")]);
    check("ed", "0r /etc/passwd", &[reads("/etc/passwd")]);
    check("ed", "E /etc/passwd", &[reads("/etc/passwd")]);
    for code in ["!!", "!cat %", "o", "s/a/b/;!id"] {
        unsure("ed", code);
    }
}
