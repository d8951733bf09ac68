use super::*;

#[track_caller]
fn finds(files: &[(&str, &str)], expected: &[&str]) {
    let found: Vec<_> = check(&Tree::of(files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

const CODE: &str = "// Policy::compile(\nfn f() {\n    Policy::compile(a, b)\n}\n";

#[test]
fn a_policy_that_a_door_compiles_is_found() {
    finds(
        &[("crates/ringfence-cli/src/door.rs", CODE)],
        &["crates/ringfence-cli/src/door.rs:3: `PolicyBuilder` makes policies"],
    );
}

#[test]
fn the_judge_the_builder_and_tests_compile_policies() {
    let files = [
        "crates/ringfence-core/src/judge/compile.rs",
        "crates/ringfence-guard/src/policy_builder.rs",
        "crates/ringfence-sandbox/src/plan/hiding_tests.rs",
        "crates/ringfence-sandbox/tests/suite/escape/outside.rs",
        "bench/decide/src/peers/ringfence.rs",
    ];
    files.iter().for_each(|file| finds(&[(file, CODE)], &[]));
}
