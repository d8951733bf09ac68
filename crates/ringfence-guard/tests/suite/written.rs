//! Properties of files that a line writes and that a program on the same line runs or loads.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;
use ringfence_core::Effect;
use ringfence_core::program::{Catalogue, Children, Habit};
use ringfence_manifest::catalogue::{self, BuiltIn};
use serde_json::json;

use super::support::{decide, guard};

/// Programs that load settings files by themselves, each with such a file's name.
static LOADERS: LazyLock<Vec<(String, String)>> = LazyLock::new(loaders);

fn loaders() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in catalogue::names().filter(|name| !name.contains(' ')) {
        let entry = BuiltIn::shared().entry(name).unwrap();
        let own = entry.habits.iter().find_map(|habit| match habit {
            Habit::Loads(files) => Some(files.first()?.replace('*', "x")),
            _ => None,
        });
        let is_told = |habit: &Habit| matches!(habit, Habit::LooksFor { .. } | Habit::Builds);
        let any = entry.children == Children::Inherit && !entry.habits.iter().any(is_told);
        // The texts in quotes decide what a compiler reads.
        let builds = entry.habits.contains(&Habit::Builds);
        // Git stops at settings that it cannot parse, and these texts have no section header.
        if builds || entry.remote || name.starts_with("docker") || name == "git" {
            continue;
        }
        if let Some(file) = own.or_else(|| any.then(|| "settings.conf".to_owned())) {
            found.push((name.to_owned(), file));
        }
    }
    assert!(found.len() > 100, "{} programs load settings", found.len());
    found
}

/// Draws lines that write a text into a file.
fn writes(text: &str, file: &str) -> impl Strategy<Value = String> + use<> {
    let (text, file) = (text.to_owned(), file.to_owned());
    (0..5_usize).prop_map(move |way| match way {
        0 => format!("echo '{text}' > {file}"),
        1 => format!("printf '{text}\\n' >> {file}"),
        2 => format!("cat > {file} <<'E'\n{text}\nE\ntrue"),
        3 => format!("tee {file} <<< '{text}'"),
        _ => format!("echo x > {file}; echo '{text}' >> {file}"),
    })
}

fn effect(programs: &str, line: &str) -> Effect {
    let usual = "cmd:{echo,printf,cat,tee,true,mkdir}:*";
    let policy = format!(
        "allow = [{}, \"{usual}\", \"fs:rw:@root/**\"]\ndeny = [\"cmd:rm:*\"]\n",
        json!(programs),
    );
    decide(&guard(&policy), &json!({ "tool": "terminal", "command": line }))
}

fn settings() -> impl Strategy<Value = &'static str> {
    select(vec!["hook = rm x", "pager=rm x", "Command rm x", "run: rm x", "x = !rm x", "exec rm x"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn settings_that_a_line_writes_are_never_loaded_unseen(
        (program, line) in (select(LOADERS.clone()), settings()).prop_flat_map(|((name, file), text)| {
            writes(text, &file).prop_map(move |line| (name.clone(), line))
        }),
    ) {
        let line = format!("{line}; {program}");
        prop_assert_ne!(effect(&format!("cmd:{program}:*"), &line), Effect::Allow, "{}", line);
    }

    #[test]
    fn settings_that_a_variable_names_are_never_loaded_unseen(
        program in select(vec!["rg x", "git log", "bat x", "psql -l", "less x", "make", "unheard-of"]),
        variable in "[A-Z]{2,6}_(HOME|CONFIG|RC)",
        line in settings().prop_flat_map(|text| writes(text, "d/f")),
    ) {
        let name = program.split(' ').next().unwrap_or(program);
        for value in ["d", "d/f", "$PWD/d"] {
            let line = format!("{line}; {variable}={value} {program}");
            prop_assert_ne!(effect(&format!("cmd:{name}:*"), &line), Effect::Allow, "{}", line);
        }
    }

    #[test]
    fn a_script_is_never_run_by_another_text_than_was_judged(
        parts in proptest::collection::vec(select(vec!["echo a", ": <<X", "X", "true", "#"]), 0..4),
        at in 0..4_usize,
        skips in proptest::collection::vec(any::<bool>(), 5),
        run in select(vec!["bash t.sh", "sh t.sh", "bash < t.sh", "cat t.sh | bash", ". ./t.sh"]),
    ) {
        let mut parts = parts;
        parts.insert(at.min(parts.len()), "rm x");
        let puts = parts.iter().zip(skips).enumerate().map(|(index, (part, skip))| {
            let (before, op) = (if skip { "false && " } else { "" }, if index == 0 { ">" } else { ">>" });
            format!("{before}echo '{part}' {op} t.sh")
        });
        let line = format!("{}; {run}", puts.collect::<Vec<_>>().join("; "));
        let effect = effect("cmd:{bash,sh,cat,source,.}:*", &line);
        prop_assert_ne!(effect, Effect::Allow, "{}", line);
    }
}
