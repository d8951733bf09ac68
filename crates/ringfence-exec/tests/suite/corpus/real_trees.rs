//! Runs the corpora on a real directory tree, because an in-memory host may differ from it in both
//! directions.
//!
//! Every case is judged by the guard of `ringfence check`, on a temporary home directory with a
//! repository, as root and as an ordinary user.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect};
use ringfence_guard::case::{Case, Cases, PolicyText, described_guard};
use ringfence_guard::world::RealHost;
use ringfence_manifest::Format;
use serde_json::Value;

use super::everyone;
use super::world::World;
use crate::suite::place::absolute;

/// The corpora, with the expected verdict of cases that state none.
const CORPORA: [&str; 4] = [
    "tests/corpus/attacks.jsonl",
    "tests/corpus/attacks2.jsonl",
    "tests/corpus/benign.jsonl",
    "tests/corpus/benign2.jsonl",
];
/// A corpus next to this repository; it may be absent.
const BESIDE: &str = "../shared/corpus/benign-more.jsonl";
/// Parts of a case's setup that a real tree cannot have.
const NOT_REAL: [&str; 5] = ["env", "dns", "os", "case_insensitive", "users"];
/// The minimum number of cases from this repository's own corpora.
const LEAST: usize = 300;

#[test]
fn both_corpora_come_out_the_same_on_a_real_tree() {
    let name = "suite::corpus::real_trees::both_corpora_come_out_the_same_on_a_real_tree";
    let corpora = CORPORA.into_iter().chain([BESIDE]).map(in_repository).collect::<Vec<_>>();
    everyone::as_everyone_given(name, &corpora, |place, user| {
        // The corpus names no remote; `origin` is on a server, as in most projects.
        let world = World::with_origin(place, "https://git.example/u/proj.git");
        world.renew(&Value::Null);
        let (mut judged, mut wrong) = (0, Vec::new());
        let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
        let mut all: Vec<Value> =
            CORPORA.into_iter().flat_map(|file| cases(file).unwrap()).collect();
        match cases(BESIDE) {
            Some(beside) => all.extend(beside),
            None => println!("skipped: {BESIDE} is not at hand"),
        }
        for case in all {
            match outcome(&world, &case) {
                Ok(None) => judged += 1,
                Ok(Some(mismatch)) => wrong.push(mismatch),
                Err(why) => *skipped.entry(why).or_default() += 1,
            }
        }
        println!("as {user}: {judged} cases come out on a real tree as they should");
        for (why, count) in &skipped {
            println!("  {count} not judged: {why}");
        }
        assert!(wrong.is_empty(), "as {user}: {}\n{}", wrong.len(), wrong.join("\n"));
        assert!(judged >= LEAST, "only {judged}");
    });
}

fn in_repository(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../..", file].iter().collect()
}

/// Returns the cases of a corpus, or nothing if its file is absent.
fn cases(file: &str) -> Option<Vec<Value>> {
    let text = everyone::given(Path::new(file).file_name()?.to_str()?)?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Returns a message if a case has a wrong verdict; the error says why the case cannot be judged.
fn outcome(world: &World, case: &Value) -> Result<Option<String>, String> {
    let setup = &case["setup"];
    if let Some(key) = NOT_REAL.iter().find(|key| !setup[**key].is_null()) {
        return Err(format!("`setup.{key}`"));
    }
    let home = world.place.home.display().to_string();
    let here = |value: &Value| -> Value {
        serde_json::from_str(&value.to_string().replace("/home/u", &home)).unwrap()
    };
    let has_setup = !setup.is_null();
    if has_setup {
        let setup = here(setup);
        if let Some(path) = paths(&setup).find(|path| !Path::new(path).starts_with(&home)) {
            return Err(format!("a file at `{path}`"));
        }
        world.renew(&setup);
        add_rest(&setup);
    }
    let verdict = verdict(world, &here(case));
    if has_setup {
        world.renew(&Value::Null);
    }
    let (effect, grounds) = verdict?;
    let accept = case["accept"].as_array();
    let is_right = |effect: Effect| match accept {
        Some(accept) => accept.iter().any(|own| own.as_str() == Some(effect.as_str())),
        None => effect == Effect::Allow,
    };
    // A case that is also wrong on the in-memory host is listed by the test that runs it there.
    let is_right = is_right(effect) || !is_right(described(case)?);
    let told = || format!("{} {effect}: {}\n  {grounds}", case["id"], case["action"]);
    Ok((!is_right).then(told))
}

/// Returns the verdict on the corpus's in-memory host.
fn described(case: &Value) -> Result<Effect, String> {
    let case = Case::read(case)?;
    let guard = Cases::default().guard(&case).map_err(|error| error.to_string())?;
    Ok(guard.consider(&case.call).verdict.effect)
}

fn paths(setup: &Value) -> impl Iterator<Item = String> {
    let listed = setup["files"].as_array().into_iter().chain(setup["dirs"].as_array()).flatten();
    let listed = listed.filter_map(Value::as_str).map(str::to_owned);
    let keyed = ["files", "symlinks", "hardlinks"].map(|key| setup[key].as_object());
    let keyed = keyed.into_iter().flatten().flatten().map(|(path, _)| path.clone());
    listed.chain(keyed).collect::<Vec<_>>().into_iter()
}

/// Creates what [`World::renew`] does not: empty files, directories, hard links.
fn add_rest(setup: &Value) {
    let make = |path: &str| {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        if !Path::new(path).exists() {
            fs::write(path, "").unwrap();
        }
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    setup["files"].as_array().into_iter().flatten().for_each(|path| make(&text(path)));
    for path in setup["dirs"].as_array().into_iter().flatten() {
        fs::create_dir_all(text(path)).unwrap();
    }
    for (path, other) in setup["hardlinks"].as_object().into_iter().flatten() {
        make(&text(other));
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        let _ = fs::remove_file(path);
        fs::hard_link(text(other), path).unwrap();
    }
}

fn verdict(world: &World, case: &Value) -> Result<(Effect, String), String> {
    let call = Case::read(case)?.call;
    let policy = PolicyText {
        name: "policy".to_owned(),
        format: Format::Json,
        text: case["policy"].to_string(),
        location: None,
    };
    let root = absolute(&world.place.root);
    let cwd = match case["cwd"].as_str() {
        Some(cwd) => root.join(cwd).map_err(|error| error.to_string())?,
        None => root.clone(),
    };
    let home: AbsPath = absolute(&world.place.home);
    let today = Date::new(2026, 11, 15).unwrap();
    let context = Context::new(Some(root), home, cwd, today);
    let guard = described_guard(&policy, context, Arc::new(RealHost::new()))?;
    let verdict = guard.consider(&call).verdict;
    let grounds: Vec<String> = verdict.decisive().map(ToString::to_string).collect();
    Ok((verdict.effect, grounds.join("; ")))
}
