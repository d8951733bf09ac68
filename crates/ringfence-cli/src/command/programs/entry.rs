//! An entry of the catalogue as it is written in policies.

use std::sync::Arc;

use ringfence_core::program::{
    CatalogueEntry, Children, ImpliedEffect, OptionCondition, OptionSpec, OptionSpelling,
    ReplacedOperand, TakesValue, UnlistedOption, WordRole, Wrapper,
};
use ringfence_manifest::catalogue::Lines;
use serde_json::{Map, Value, json};

/// An option's names, as the catalogue writes them.
pub(super) fn spelling(spelling: &OptionSpelling) -> String {
    let takes = match spelling.takes {
        TakesValue::Nothing => "",
        TakesValue::Value => "=",
        TakesValue::Perhaps => "[=]",
        TakesValue::Digits => "[#]",
    };
    format!("{}{takes}", spelling.names.join("|"))
}

/// What the values of an option are.
pub(super) fn roles(option: &OptionSpec) -> String {
    let all: Vec<String> =
        option.roles.iter().chain(&option.also).map(WordRole::to_string).collect();
    let fills = match option.fills {
        None => "",
        Some(ReplacedOperand::First) => ", instead of the first operand",
        Some(ReplacedOperand::Last) => ", instead of the last operand",
    };
    format!("{}{fills}", all.join(" "))
}

/// Whether an option does nothing that matters.
pub(super) fn is_inert(option: &OptionSpec) -> bool {
    option.fills.is_none()
        && option.roles.iter().chain(&option.also).all(|own| *own == WordRole::Text)
}

pub(super) fn given(given: &ImpliedEffect) -> String {
    format!("{} {}", given.role, given.text).trim_end().to_owned()
}

/// What an entry says of the program as a whole, by the keys of a policy.
pub(super) fn traits(entry: &CatalogueEntry) -> Vec<(&'static str, String)> {
    let list = |all: &[ImpliedEffect]| all.iter().map(given).collect::<Vec<_>>().join(", ");
    let wrapper = entry.wrapper.map(|wrapper| match wrapper {
        Wrapper::Transparent => "transparent: needs no grant, what it carries is judged",
        Wrapper::Boundary => "boundary: needs a grant, as does what it carries",
    });
    let unknown = entry.unlisted.map(|unlisted| match unlisted {
        UnlistedOption::Operand => {
            "operand: an option that is not listed may have a path as its value"
        }
        UnlistedOption::Doubt => "doubt: an option that is not listed makes the line doubtful",
    });
    let children = (entry.children == Children::Inherit)
        .then_some("inherit: what it starts is part of its grant");
    let remote = entry.remote.then_some("true: what it carries runs on another machine");
    let builtin = entry.builtin.then_some("true: the shell carries it out itself");
    let owned = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let above = entry.name.rsplit_once(' ').map(|(above, _)| above);
    let above = above.map(|above| format!("{above}, whose options count as well"));
    let all = [
        ("part of", above.unwrap_or_default()),
        ("names", entry.names.join("  ")),
        ("package", owned(entry.package.as_deref())),
        ("style", entry.style.as_str().to_owned()),
        ("operands", entry.operands.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("always", list(&entry.always)),
        ("default", list(&entry.default)),
        ("wrapper", owned(wrapper)),
        ("sets", entry.sets.join("  ")),
        ("children", owned(children)),
        ("remote", owned(remote)),
        ("builtin", owned(builtin)),
        ("unknown", owned(unknown)),
        ("habits", entry.habits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    ];
    all.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

pub(super) fn to_json(entry: &CatalogueEntry, lines: &Lines) -> Value {
    let givens = |all: &[ImpliedEffect]| all.iter().map(given).collect::<Vec<_>>();
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| {
        fields.insert(key.to_owned(), value);
    };
    put("name", json!(&*entry.name));
    put("why", json!(&*entry.why));
    put("names", json!(entry.names));
    put("package", json!(entry.package));
    put("style", json!(entry.style.as_str()));
    put("options", options_json(&entry.options));
    put("operands", json!(entry.operands.as_ref().map(ToString::to_string)));
    put("always", json!(givens(&entry.always)));
    put("default", json!(givens(&entry.default)));
    put("when", entry.when.iter().map(when_json).collect());
    let subs: Vec<_> = entry.subs.iter().filter_map(|sub| sub.names.first()).collect();
    put("subcommands", json!(subs));
    put(
        "wrapper",
        json!(entry.wrapper.map(|wrapper| match wrapper {
            Wrapper::Transparent => "transparent",
            Wrapper::Boundary => "boundary",
        })),
    );
    put("sets", json!(entry.sets));
    put("inherit", json!(entry.children == Children::Inherit));
    put("remote", json!(entry.remote));
    put("builtin", json!(entry.builtin));
    put("habits", json!(entry.habits.iter().map(ToString::to_string).collect::<Vec<_>>()));
    put("grants", json!(lines.grants));
    put("benign", json!(lines.benign));
    put("hostile", json!(lines.hostile));
    Value::Object(fields)
}

fn options_json(options: &[Arc<OptionSpec>]) -> Value {
    options.iter().map(|own| (spelling(&own.spelling), Value::from(roles(own)))).collect()
}

fn when_json(when: &OptionCondition) -> Value {
    json!({
        "has": when.has,
        "lacks": when.lacks,
        "operands": when.operands.as_ref().map(ToString::to_string),
        "options": options_json(&when.options),
        "always": when.always.iter().map(given).collect::<Vec<_>>(),
        "default": when.default.iter().map(given).collect::<Vec<_>>(),
    })
}
