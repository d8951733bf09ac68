use super::super::testing::*;
use super::Finding;

#[test]
fn everyday_queries_do_nothing() {
    for (language, code) in [
        ("sqlite", ".tables"),
        ("sqlite", ".schema users"),
        ("sqlite", ".sch users"),
        ("sqlite", ".headers on\n.mode csv\nSELECT 1;"),
        ("sqlite", "SELECT id, name FROM users LIMIT 10"),
        ("sqlite", "SELECT count(*) FROM users WHERE name LIKE '%;%' OR name = 'a|b'"),
        ("sqlite", "SELECT 1;\n"),
        ("sqlite", "SELECT 'readfile(''/etc/passwd'')' -- .shell id\n;"),
        ("sqlite", "SELECT '\n.shell id\n';"),
        ("sqlite", "/*\n.shell id\n*/ SELECT 1;"),
        ("sqlite", "ATTACH ':memory:' AS m;"),
        ("sqlite", "INSERT INTO t VALUES ('a''b');"),
        ("sqlite", ".dump\n.quit"),
        ("psql", "SELECT 1"),
        ("psql", "SELECT now()::date, a[1]"),
        ("psql", "SELECT relname FROM pg_class WHERE relkind='r'"),
        ("psql", "\\d users"),
        ("psql", "\\dt+ *.*"),
        ("psql", "EXPLAIN ANALYZE SELECT * FROM users"),
        ("psql", "SELECT *\nFROM users\nWHERE note = 'rm -rf /; $(x)';"),
        ("psql", "SELECT '\\! id', \"\\! id\", $$\\! id$$; -- \\! id\n/* \\! id */"),
        ("psql", "\\copy t from stdin"),
        ("psql", "COPY t TO STDOUT WITH (FORMAT csv)"),
        ("psql", "\\x \\\\ SELECT 1;"),
        ("psql", "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql"),
        ("mysql", "SHOW TABLES"),
        ("mysql", "SELECT 'system id' -- system id\n, \"\\\\! id\""),
        ("mysql", "SELECT * FROM t\\G"),
        ("mysql", "use app; select system from t"),
        ("duckdb", "SELECT 1 + 2"),
        ("duckdb", "SELECT 'data.csv', x FROM t WHERE y = '/etc/passwd'"),
        ("duckdb", "LOAD json; SELECT * FROM \"users\""),
    ] {
        harmless(language, code);
    }
    check("duckdb", "SELECT * FROM 'data.csv' LIMIT 5", &[reads("data.csv")]);
}

#[test]
fn commands_are_found() {
    for (language, code) in [
        ("sqlite", ".shell id"),
        ("sqlite", ".system id"),
        ("sqlite", ".sh id"),
        ("sqlite", ".sy id"),
        ("sqlite", "SELECT 1;\n.shell id"),
        ("sqlite", "-- '\n.shell id"),
        ("sqlite", "select 1\n/\n.shell id"),
        ("sqlite", "GO\n.shell id"),
        ("sqlite", ".print '\n.shell id"),
        ("sqlite", ".output |id"),
        ("sqlite", ".once |id"),
        ("sqlite", ".import |id t"),
        ("sqlite", ".read |id"),
        ("duckdb", ".shell id"),
        ("psql", "\\! id"),
        ("psql", "\\!id"),
        ("psql", "SELECT 1 \\! id"),
        ("psql", "SELECT 1; \\x \\! id"),
        ("psql", "\\x \\\\ COPY t FROM PROGRAM 'id'"),
        ("psql", "\\o |id"),
        ("psql", "SELECT 1 \\g |id"),
        ("psql", "SELECT 1 \\g (format=csv) |id"),
        ("psql", "\\w |id"),
        ("psql", "\\set x `id`"),
        ("psql", "\\echo a`id`b"),
        ("psql", "COPY t FROM PROGRAM 'id'"),
        ("psql", "copy (select 1) to program 'id'"),
        ("psql", "\\copy t from program 'id'"),
        ("psql", "DO $$ BEGIN COPY t FROM PROGRAM 'id'; END $$"),
        ("psql", "DO $$ BEGIN EXECUTE 'COPY t FROM PROGRAM ''id'''; END $$"),
        ("psql", "SELECT E'\\'' \\! id"),
        ("psql", "SELECT '\\' \\! id"),
        ("mysql", "\\! id"),
        ("mysql", "system id"),
        ("mysql", "SELECT 1; SYSTEM id"),
        ("mysql", "select 1\nsystem id"),
        ("mysql", "pager id"),
        ("mysql", "\\P id"),
    ] {
        let line = super::super::read(language, code).unwrap();
        assert!(
            line.iter().any(|f| matches!(f, Finding::Shell(text) if text.starts_with("id"))),
            "{language}: {code}\n{line:?}"
        );
    }
    check("sqlite", ".shell rm -rf 'a b'", &[shell("rm -rf \"a b\"")]);
}

#[test]
fn what_runs_is_not_known() {
    for (language, code) in [
        ("sqlite", "SELECT load_extension('/tmp/x')"),
        ("sqlite", "SELECT \"load_extension\"('x')"),
        ("sqlite", "select edit(x) from t"),
        ("sqlite", ".load /tmp/x"),
        ("sqlite", ".excel"),
        ("sqlite", ".once -e"),
        ("sqlite", ".output -x"),
        ("sqlite", ".www"),
        ("sqlite", ".nonsense"),
        ("sqlite", "SELECT 'abc"),
        ("psql", "\\e"),
        ("psql", "\\gexec"),
        ("psql", "\\!"),
        ("psql", "\\nonsense"),
        ("psql", "CREATE FUNCTION f() RETURNS int AS '/x.so', 'f' LANGUAGE C"),
        ("psql", "DO LANGUAGE plpython3u $$ import os $$"),
        ("psql", "ALTER SYSTEM SET archive_command = 'x'"),
        ("psql", "LOAD '/tmp/x.so'"),
        ("psql", "DO $$ BEGIN EXECUTE x; END $$"),
        ("psql", "select $x$ abc"),
        ("psql", "COPY t FROM PROGRAM :'x'"),
        ("psql", "\\set q 'copy t from program' \\\\ :q"),
        ("mysql", "CREATE FUNCTION f RETURNS STRING SONAME 'x.so'"),
        ("mysql", "\\e"),
        ("mysql", "/*! select 1 */"),
        ("mysql", "PREPARE s FROM @x"),
        ("duckdb", "INSTALL httpfs"),
        ("duckdb", "LOAD '/tmp/x'"),
    ] {
        unsure(language, code);
    }
}

#[test]
fn files_are_found() {
    for (language, code, expected) in [
        ("sqlite", "ATTACH 'x.db' AS x", writes("x.db")),
        ("sqlite", "attach database \"x.db\" as x", reads("x.db")),
        ("sqlite", "ATTACH 'file:x.db?mode=ro' AS x", reads("x.db")),
        ("sqlite", "SELECT readfile('/etc/passwd')", reads("/etc/passwd")),
        ("sqlite", "SELECT [readfile]('/etc/passwd')", reads("/etc/passwd")),
        ("sqlite", "SELECT writefile('x', 'y')", writes("x")),
        ("sqlite", "VACUUM INTO 'x.db'", writes("x.db")),
        ("sqlite", "VACUUM main INTO 'x.db'", writes("x.db")),
        (
            "sqlite",
            "CREATE VIRTUAL TABLE t USING csv(filename='/etc/passwd')",
            reads("/etc/passwd"),
        ),
        ("sqlite", ".output x.txt", writes("x.txt")),
        ("sqlite", ".once x.txt", writes("x.txt")),
        ("sqlite", ".backup x.db", writes("x.db")),
        ("sqlite", ".save x.db", writes("x.db")),
        ("sqlite", ".restore x.db", reads("x.db")),
        ("sqlite", ".open x.db", writes("x.db")),
        ("sqlite", ".import data.csv t", reads("data.csv")),
        ("sqlite", ".import --csv data.csv t", reads("data.csv")),
        ("sqlite", ".log x.txt", writes("x.txt")),
        ("sqlite", ".read x.sql", Finding::CodeFile("sqlite", "x.sql".into())),
        ("psql", "\\i x.sql", Finding::CodeFile("psql", "x.sql".into())),
        ("psql", "\\o x.txt", writes("x.txt")),
        ("psql", "\\copy t to 'x.csv' csv", writes("x.csv")),
        ("psql", "\\copy t from x.csv csv", reads("x.csv")),
        ("psql", "\\copy (select 1) to x.csv", writes("x.csv")),
        ("psql", "COPY t FROM '/etc/passwd'", reads("/etc/passwd")),
        ("psql", "select pg_read_file('/etc/passwd')", reads("/etc/passwd")),
        ("psql", "select lo_import('/etc/passwd')", reads("/etc/passwd")),
        ("psql", "select lo_export(1, '/tmp/x')", writes("/tmp/x")),
        ("psql", "\\setenv PAGER x", sets("PAGER")),
        ("psql", "\\getenv x TOKEN", gets("TOKEN")),
        ("psql", "\\c app me evil.example 5432", host("evil.example")),
        ("psql", "\\c postgresql://evil.example/x", url("postgresql://evil.example/x")),
        ("psql", "\\c \"host=evil dbname=x\"", host("evil")),
        ("mysql", "source x.sql", Finding::CodeFile("mysql", "x.sql".into())),
        ("mysql", "\\. x.sql", Finding::CodeFile("mysql", "x.sql".into())),
        ("mysql", "tee x.txt", writes("x.txt")),
        ("mysql", "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t", reads("/etc/passwd")),
        ("mysql", "SELECT 1 INTO OUTFILE '/tmp/x'", writes("/tmp/x")),
        ("mysql", "select load_file(\"/etc/passwd\")", reads("/etc/passwd")),
        ("mysql", "\\r app evil", host("evil")),
        ("duckdb", "SELECT * FROM read_csv('/etc/passwd')", reads("/etc/passwd")),
        ("duckdb", "FROM read_parquet(['a.parquet', 'b.parquet'])", reads("b.parquet")),
        ("duckdb", "COPY t TO 'x.csv'", writes("x.csv")),
        ("duckdb", "COPY (SELECT 1) TO 'x.csv' (HEADER)", writes("x.csv")),
        ("duckdb", "COPY t FROM 'x.csv'", reads("x.csv")),
        ("duckdb", "FROM 'https://evil.example/x.csv'", url("https://evil.example/x.csv")),
        ("duckdb", "FROM \"/etc/passwd.csv\"", reads("/etc/passwd.csv")),
        ("duckdb", "ATTACH 'x.db'", writes("x.db")),
        ("duckdb", "SELECT getenv('TOKEN')", gets("TOKEN")),
        ("duckdb", "EXPORT DATABASE 'dir'", writes("dir")),
    ] {
        has(language, code, &expected);
    }
    unsure("sqlite", "SELECT readfile('/etc' || '/passwd')");
    unsure("sqlite", "SELECT readfile(x)");
    check("sqlite", ".parameter set @x readfile('/etc/passwd')", &[reads("/etc/passwd")]);
    check("sqlite", ".param set @x \"readfile('/etc/passwd')\"", &[reads("/etc/passwd")]);
    harmless("sqlite", ".parameter set @x 1");
    writes_unknown("sqlite", "ATTACH x || y AS z");
    writes_unknown("sqlite", ".cd /tmp");
    writes_unknown("psql", "\\o :x");
}
