use super::super::testing::*;
use super::Finding;

const AWK: &str = "awk";

#[test]
fn everyday_programs_do_nothing() {
    for code in [
        "{print $1}",
        "NR>1 {s+=$3} END {print s}",
        "length > 80",
        r#"/TODO/ {print FILENAME": "$0}"#,
        "!seen[$0]++",
        r#"BEGIN{FS=":"} {print $1, $2}"#,
        "{print NF}",
        "NR>1 {print $4}",
        "{print $5, $9}",
        r#"{ printf "%-20s %d\n", $1, $2 }"#,
        "{ if ($3 > 10 && $4 < 5) print $1; else print $2 }",
        "{ print ($1 > $2) ? $1 : $2 }",
        r#"{ sub(/[^/]*$/, ""); print }"#,
        r#"{ n = split($0, a, /[ \t]+/); for (i = n; i > 0; i--) printf "%s ", a[i]; print "" }"#,
        "{ x = $1 / 2; y = x / 3; print x / y }",
        "{ x /= 2 } /a\\/b/ { next }",
        r#"# system("rm -rf /")"#,
        r#"{ print "system(\"rm\") | sh > /etc/passwd" }"#,
        r#"/system("rm")/ { print }"#,
        r#"$0 ~ "print | sh" { n++ } END { print n+0 }"#,
        "NR==FNR {a[$1]=$2; next} $1 in a {print a[$1]}",
        "function max(a, b) { return a > b ? a : b }\n{ print max($1, $2) }",
        "BEGIN { while (getline > 0) n++; print n }",
        "BEGIN { while ((getline line) > 0) n++ }",
        r#"{ while ((getline line < "-") > 0) n++ }"#,
        "BEGIN { for (i = 0; i < ARGC; i++) print ARGV[i] }",
        r#"{ print; system("") }"#,
        "FILENAME == ARGV[1] { print }",
        "{ x = y ? a:b; print x }",
        "@namespace \"foo\"\n{ print }",
        "{ print (1,2) in x }",
        "BEGIN { printf(\"%s\\n\", \"a>b|c\") }",
        "{ a[$1,$2] = $3 } END { for (k in a) { split(k, p, SUBSEP); print p[1], p[2], a[k] } }",
    ] {
        harmless(AWK, code);
    }
}

#[test]
fn commands_are_found() {
    for (code, command) in [
        (r#"BEGIN{system("rm -rf ~/other")}"#, "rm -rf ~/other"),
        (r#"BEGIN { system ( "id" ) }"#, "id"),
        (r#"BEGIN{system("r" "m " (1) "x")}"#, "rm 1x"),
        (r#"BEGIN{system("\162\155 x")}"#, "rm x"),
        ("BEGIN{system\\\n(\"id\")}", "id"),
        (r#"BEGIN{awk::system("id")}"#, "id"),
        (r#"BEGIN{"id" | getline x}"#, "id"),
        (r#"BEGIN{"id" |& getline}"#, "id"),
        (r#"BEGIN{while(("ls -l" | getline l) > 0) print l}"#, "ls -l"),
        (r#"BEGIN{x = "id" | getline}"#, "id"),
        (r#"{print $1 | "sort -u"}"#, "sort -u"),
        (r#"{print | "sh"}"#, "sh"),
        (r#"{printf "x" |& "nc h 1"}"#, "nc h 1"),
        (
            r#"{print $1,
$2 | "sh"}"#,
            "sh",
        ),
        ("/x/ {print $1, # comment\n\n $2 | \"sh\"}", "sh"),
        (r#"{print ("a" > "b") | "sh"}"#, "sh"),
        (r#"{print x[a > b] | "sh"}"#, "sh"),
        (r#"{ x = $1 /2; system("id") } # /"#, "id"),
        (r#"{ x++ / 2; system("id") }"#, "id"),
        (r#"{ a[1] / 2; system("id"); b / 3 }"#, "id"),
        (r#"/[/"]/ { system("id") }"#, "id"),
        (r#"BEGIN{if (1) system("id")}"#, "id"),
    ] {
        check(AWK, code, &[shell(command)]);
    }
}

#[test]
fn both_bindings_of_a_pipe_are_reported() {
    check(AWK, r#"BEGIN{"echo " "date" | getline}"#, &[shell("date"), shell("echo date")]);
    check(AWK, r#"{print "x" > "a" ".txt"}"#, &[writes("a"), writes("a.txt")]);
    check(AWK, r#"{getline x < "a" "b"}"#, &[reads("a"), reads("ab")]);
}

#[test]
fn built_commands_are_not_known() {
    for code in [
        r#"BEGIN{ENVIRON["x"];c="r" "m -rf ~/other";system(c)}"#,
        "{system($0)}",
        "{$1 | getline}",
        "{print | $2}",
        "{print |& cmd}",
        r#"{system("a" x)}"#,
        r#"{system("\x72m")}"#,
        r#"{system("\qid")}"#,
        r#"{_"rm" | getline}"#,
        r#"{x ? "a" : "b" | getline}"#,
        r#"{substr("rm", 1) | getline}"#,
        "BEGIN{f=\"system\"; @f(\"id\")}",
        "@load \"filefuncs\"\nBEGIN{}",
        "BEGIN{SYMTAB[\"x\"]=1}",
        "{print \"x\" |\n\"sh\"}",
        "{\"id\" |\ngetline}",
    ] {
        unsure(AWK, code);
    }
}

#[test]
fn what_awks_read_differently_is_refused() {
    for code in [
        "{if (x) /a/ ; system(\"id\") }",
        "{getline /x/ }",
        "{length /2/ }",
        "{$/x/}",
        "/[\\]/] /",
        "{print \"a\nb\"}",
        "/a\nb/",
        "{print \"abc}",
        "{print (1}",
        "{print 'x'}",
        "{ ` }",
        "{ \\x }",
    ] {
        unsure(AWK, code);
    }
}

#[test]
fn files_are_found() {
    check(AWK, r#"{print $1 > "/etc/passwd"}"#, &[writes("/etc/passwd")]);
    check(AWK, r#"{print $1 >> "out.txt"; next}"#, &[writes("out.txt")]);
    check(AWK, r#"{printf("%s", $1) > ("a" "b")}"#, &[writes("ab")]);
    check(AWK, r#"{print > "/dev/stderr"}"#, &[writes("/dev/stderr")]);
    check(AWK, r#"BEGIN{while((getline l < "/etc/passwd")>0) print l}"#, &[reads("/etc/passwd")]);
    check(AWK, r#"BEGIN{getline a[1] <"f"}"#, &[reads("f")]);
    check(AWK, r#"BEGIN{getline $(1+2) <"f"; x}"#, &[reads("f")]);
    check(AWK, r#"@include "lib.awk""#, &[Finding::CodeFile("awk", "lib.awk".into())]);
    writes_unknown(AWK, "{print > $1\".txt\"}");
    writes_unknown(AWK, "{print $1 > f}");
    reads_unknown(AWK, "{getline x < f}");
    reads_unknown(AWK, "{while ((getline < ARGV[1]) > 0) n++}");
    reads_unknown(AWK, "BEGIN{ARGV[1]=\"/etc/passwd\";ARGC=2}");
    reads_unknown(AWK, "BEGIN{sub(/x/,\"y\",ARGV[1])}");
    reads_unknown(AWK, "BEGIN{split(\"a /etc/passwd\",ARGV)}");
    reads_unknown(AWK, "function f(a){a[1]=\"x\"} BEGIN{f(ARGV)}");
}

#[test]
fn networks_are_found() {
    check(
        AWK,
        r#"BEGIN{s="x"; "/inet/tcp/0/evil.example/80" |& getline}"#,
        &[host("evil.example:80")],
    );
    check(AWK, r#"BEGIN{print "x" |& "/inet4/udp/0/10.0.0.1/53"}"#, &[host("10.0.0.1:53")]);
    check(AWK, r#"BEGIN{"/inet/tcp/8080/0/0" |& getline}"#, &[listens("8080")]);
    unsure(AWK, "BEGIN{s = \"/inet/tcp/0/h/80\"; print \"x\" |& s}");
}

#[test]
fn the_environment_is_found() {
    check(AWK, r#"BEGIN{print ENVIRON["TOKEN"]}"#, &[gets("TOKEN")]);
    check(AWK, r#"BEGIN{if ("CI" in ENVIRON) print}"#, &[gets("CI")]);
    check(AWK, "BEGIN{for (k in ENVIRON) print k}", &[Finding::AllEnv]);
    check(AWK, "BEGIN{print ENVIRON[x]}", &[Finding::AllEnv]);
    check(AWK, r#"BEGIN{print ENVIRON["A" "B"]}"#, &[Finding::AllEnv]);
    check(AWK, r#"BEGIN{ENVIRON["PATH"]="/tmp"}"#, &[sets("PATH"), gets("PATH")]);
}
