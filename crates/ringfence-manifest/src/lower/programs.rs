//! Entries of the program catalogue.

use std::sync::Arc;

use ringfence_core::program::{
    CatalogueEntry, Children, Habit, ImpliedEffect, NamedList, Operands, OptionCondition,
    OptionSpec, OptionSpelling, OptionStyle, ReplacedOperand, SubcommandSpec, TakesValue,
    UnlistedOption, WordRole as Part, Wrapper,
};
use ringfence_core::{ProgramEntry, Role};

use crate::de::Spanned;
use crate::raw::{
    AnyForm, ChildrenWord, FillsWord, Names, RawOption, RawProgram, RawWhen, Texts, UnlistedWord,
    WrapperWord,
};
use crate::text::Fault;

/// What lowering an entry found wrong.
pub(crate) type Faults = Vec<Fault>;

/// Lowers `[programs]` of a document.
pub(super) fn lower(
    programs: Option<Names<RawProgram>>,
    role: Role,
    faults: &mut Faults,
) -> Vec<ProgramEntry> {
    let mut entries = Vec::new();
    for (name, raw) in programs.into_iter().flat_map(|programs| programs.0) {
        let replace = raw.replace.clone().is_some_and(|flag| flag.value);
        if let Some(flag) = raw.replace.as_ref().filter(|_| replace && role != Role::Organisation) {
            let message = "only the organisation's policy may replace what is known of a program";
            faults
                .push(Fault::new(flag.span, message).hint("without `replace`, effects are added"));
        }
        let takes_away =
            |text: &&Spanned<String>| Habit::parse(&text.value).is_some_and(|habit| !habit.adds());
        if let Some(text) =
            raw.habits.iter().find(takes_away).filter(|_| role != Role::Organisation)
        {
            let message = format!("only the organisation's policy may say `{}`", text.value);
            faults.push(Fault::new(text.span, message));
        }
        flatten(&name.value, raw, faults, &mut |entry| {
            entries.push(ProgramEntry { entry: Arc::new(entry), replace });
        });
    }
    entries
}

/// Lowers an entry and those of its subcommands, each by itself.
pub(crate) fn flatten(
    name: &str,
    mut raw: RawProgram,
    faults: &mut Faults,
    found: &mut impl FnMut(CatalogueEntry),
) {
    let style = raw.style.clone().filter(|style| style.value == "go");
    let subs = raw.sub.take().into_iter().flat_map(|subs| subs.0);
    let mut known = NamedList::default();
    for (sub, mut raw) in subs {
        // Long options behind one dash are a habit of the whole program.
        if let Some(go) = &style
            && raw.style.is_none()
        {
            raw.style = Some(go.clone());
        }
        let key = format!("{name} {}", sub.value);
        let other = raw.names.iter().map(|name| name.value.as_str().into());
        let names = std::iter::once(sub.value.as_str().into()).chain(other).collect();
        known.push(SubcommandSpec { names, key: key.as_str().into() });
        for others in &raw.alike {
            let names = others.value.split('|').map(Into::into).collect();
            known.push(SubcommandSpec { names, key: key.as_str().into() });
        }
        flatten(&key, raw, faults, found);
    }
    let mut entry = entry(name, raw, faults);
    entry.subs = known;
    found(entry);
}

fn entry(name: &str, raw: RawProgram, faults: &mut Faults) -> CatalogueEntry {
    let mut options = flags(raw.flags.as_ref(), faults);
    // What has an effect counts, also where the same option is listed as a flag.
    options.splice(0..0, self::options(raw.options, faults));
    CatalogueEntry {
        name: name.into(),
        why: raw.why.unwrap_or_default().into(),
        names: raw.names.iter().map(|name| name.value.as_str().into()).collect(),
        package: raw.package.map(Into::into),
        style: style(raw.style.as_ref(), faults),
        options: options.into_iter().map(Arc::new).collect(),
        operands: operands(raw.operands.as_ref(), faults),
        behind_dashes: raw.behind_dashes.as_ref().and_then(|text| {
            let role = Part::parse(&text.value);
            if role.is_none() {
                faults.push(Fault::new(text.span, format!("`{}` is no role", text.value)));
            }
            role
        }),
        always: given(&raw.always, faults),
        default: given(&raw.default, faults),
        subs: NamedList::default(),
        when: raw.when.into_iter().map(|raw| when(raw, faults)).collect(),
        wrapper: raw.wrapper.map(|word| match word.value {
            WrapperWord::Transparent => Wrapper::Transparent,
            WrapperWord::Boundary => Wrapper::Boundary,
        }),
        remote: raw.remote,
        sets: raw.sets.into_iter().map(Into::into).collect(),
        children: match raw.children {
            Some(ChildrenWord::Inherit) => Children::Inherit,
            _ => Children::Judged,
        },
        builtin: raw.builtin,
        free: raw.free,
        unlisted: raw.unknown.map(|word| match word {
            UnlistedWord::Operand => UnlistedOption::Operand,
            UnlistedWord::Doubt => UnlistedOption::Doubt,
        }),
        habits: habits(&raw.habits, faults),
    }
}

fn habits(texts: &[Spanned<String>], faults: &mut Faults) -> Vec<Habit> {
    let mut habits = Vec::new();
    for text in texts {
        match Habit::parse(&text.value) {
            Some(habit) => habits.push(habit),
            None => {
                faults.push(Fault::new(text.span, format!("`{}` is no habit", text.value)));
            }
        }
    }
    habits
}

fn style(text: Option<&Spanned<String>>, faults: &mut Faults) -> OptionStyle {
    let Some(text) = text else { return OptionStyle::default() };
    OptionStyle::named(&text.value).unwrap_or_else(|| {
        faults.push(Fault::new(text.span, format!("`{}` is no style", text.value)));
        OptionStyle::default()
    })
}

fn flags(texts: Option<&Texts>, faults: &mut Faults) -> Vec<OptionSpec> {
    let words = texts.into_iter().flat_map(|texts| &texts.0).flat_map(|text| {
        text.value.split_whitespace().map(|word| (word, text.span)).collect::<Vec<_>>()
    });
    let spec = |(word, span)| match OptionSpelling::parse(word) {
        Ok(spelling) => {
            Some(OptionSpec { roles: vec![Part::Text], also: Vec::new(), fills: None, spelling })
        }
        Err(reason) => {
            faults.push(Fault::new(span, format!("`{word}`: {reason}")));
            None
        }
    };
    words.filter_map(spec).collect()
}

fn options(raw: Option<Names<Spanned<RawOption>>>, faults: &mut Faults) -> Vec<OptionSpec> {
    let mut options = Vec::new();
    for (name, option) in raw.into_iter().flat_map(|options| options.0) {
        let spelling = match OptionSpelling::parse(&name.value) {
            Ok(spelling) => spelling,
            Err(reason) => {
                faults.push(Fault::new(name.span, reason));
                continue;
            }
        };
        let (texts, fills) = match option.value {
            AnyForm::Text(text) => (vec![text], None),
            AnyForm::List(texts) => (texts.into_iter().map(|text| text.value).collect(), None),
            AnyForm::Table(table) => (
                table.role.value.0.into_iter().map(|text| text.value).collect(),
                table.fills.map(fills),
            ),
        };
        let mut roles = Vec::new();
        for text in texts {
            match Part::parse(&text) {
                Some(role) => roles.push(role),
                None => faults.push(Fault::new(option.span, format!("`{text}` is no role"))),
            }
        }
        if roles.len() > 1 && spelling.takes != TakesValue::Value {
            faults.push(Fault::new(name.span, "several roles, but the option takes no value"));
        }
        options.push(OptionSpec { spelling, roles, also: Vec::new(), fills });
    }
    options
}

fn fills(word: FillsWord) -> ReplacedOperand {
    match word {
        FillsWord::First => ReplacedOperand::First,
        FillsWord::Last => ReplacedOperand::Last,
    }
}

fn operands(text: Option<&Spanned<String>>, faults: &mut Faults) -> Option<Operands> {
    let text = text?;
    match Operands::parse(&text.value) {
        Ok(operands) => Some(operands),
        Err(reason) => {
            faults.push(Fault::new(text.span, reason));
            None
        }
    }
}

/// Effects that no word states: `read .`, `registry npm`.
fn given(texts: &[Spanned<String>], faults: &mut Faults) -> Vec<ImpliedEffect> {
    let mut all = Vec::new();
    for text in texts {
        match ImpliedEffect::parse(&text.value) {
            Some(given) => all.push(given),
            None => {
                let message = format!("`{}` is no role with a text", text.value);
                faults.push(Fault::new(text.span, message));
            }
        }
    }
    all
}

fn when(raw: RawWhen, faults: &mut Faults) -> OptionCondition {
    let names = |texts: Option<Texts>| -> Vec<Box<str>> {
        let texts = texts.map(|texts| texts.0).unwrap_or_default();
        texts.iter().flat_map(|text| OptionCondition::option_names(&text.value)).collect()
    };
    OptionCondition {
        has: names(raw.has),
        lacks: names(raw.lacks),
        operands: operands(raw.operands.as_ref(), faults),
        options: options(raw.options, faults).into_iter().map(Arc::new).collect(),
        always: given(&raw.always, faults),
        default: given(&raw.default, faults),
    }
}
