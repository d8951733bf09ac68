use super::*;

const RECORD: &str = "a\tsuite::one\tthere is no ../shared/x\n\
                      b\tsuite::two\tthere is no go here\n\
                      b\tsuite::two\tthere is no go here\n\
                      c\tsuite::oracle::peers::what_two_other_parsers_find_is_found\tlater\n";

#[test]
fn a_test_counts_once_and_is_listed_with_its_reason() {
    let skips = Skips::read(RECORD);
    assert_eq!(skips.count(), 3);
    let report = skips.report();
    assert!(
        report.starts_with("skipped: 3\n  a suite::one: there is no ../shared/x\n"),
        "{report}"
    );
    assert_eq!(Skips::read("").report(), "skipped: 0\n");
}

#[test]
fn only_what_is_listed_or_lies_beside_the_repository_may_be_skipped_on_ci() {
    let skips = Skips::read(RECORD);
    assert_eq!(skips.unexpected(false), ["b suite::two: there is no go here"]);
    let with_shared =
        ["a suite::one: there is no ../shared/x", "b suite::two: there is no go here"];
    assert_eq!(skips.unexpected(true), with_shared);
}

/// A listed test that was renamed would excuse nobody.
#[test]
fn every_test_that_may_be_skipped_exists() -> Result<(), Box<dyn std::error::Error>> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/ringfence-shell/tests");
    for (test, _) in ALLOWED {
        let (file, name) = test.rsplit_once("::").ok_or("a path")?;
        let file = suite.join(file.replace("::", "/")).with_extension("rs");
        assert!(fs::read_to_string(&file)?.contains(&format!("fn {name}()")), "{test}");
    }
    Ok(())
}

#[test]
fn the_record_starts_empty() -> io::Result<()> {
    let target = tempfile::tempdir()?;
    let record = Skips::begin(&target.path().join("deep"))?;
    fs::write(&record, RECORD)?;
    assert_eq!(fs::read_to_string(Skips::begin(&target.path().join("deep"))?)?, "");
    Ok(())
}

/// Tells the test below that it was started by itself.
const INNER: &str = "XTASK_TESTS_SKIP";

/// What the tests' own helper writes is what is read here.
#[test]
fn the_helper_of_the_tests_writes_such_a_record() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::var_os(INNER).is_some() {
        skip::skip("there is\nno moon");
        return Ok(());
    }
    let target = tempfile::tempdir()?;
    let record = Skips::begin(target.path())?;
    let path = "skips::tests::the_helper_of_the_tests_writes_such_a_record";
    let output = std::process::Command::new(std::env::current_exe()?)
        .args(["--exact", path])
        .env(super::RECORD, &record)
        .env(INNER, "1")
        .output()?;
    assert!(output.status.success(), "{output:?}");
    let skips = Skips::read(&fs::read_to_string(&record)?);
    assert_eq!(skips.report(), format!("skipped: 1\n  xtask {path}: there is no moon\n"));
    Ok(())
}

#[path = "../../tests/support/skip.rs"]
pub(crate) mod skip;
