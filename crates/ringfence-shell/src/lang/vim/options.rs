//! Options of vim that name programs or places.

use super::super::Finding;
use super::unknown;

/// Options that name programs, hold expressions, or say where code is found.
const RUNNING: &[&str] = &[
    "shell",
    "sh",
    "shellcmdflag",
    "shcf",
    "shellpipe",
    "sp",
    "shellredir",
    "srr",
    "shellquote",
    "shq",
    "shellxquote",
    "sxq",
    "makeprg",
    "mp",
    "grepprg",
    "gp",
    "equalprg",
    "ep",
    "formatprg",
    "fp",
    "keywordprg",
    "kp",
    "cscopeprg",
    "csprg",
    "printexpr",
    "pexpr",
    "foldexpr",
    "fde",
    "indentexpr",
    "inde",
    "formatexpr",
    "fex",
    "includeexpr",
    "inex",
    "balloonexpr",
    "bexpr",
    "diffexpr",
    "dex",
    "patchexpr",
    "pex",
    "charconvert",
    "ccv",
    "foldtext",
    "fdt",
    "operatorfunc",
    "opfunc",
    "completefunc",
    "cfu",
    "omnifunc",
    "ofu",
    "tagfunc",
    "tfu",
    "statusline",
    "stl",
    "tabline",
    "tal",
    "rulerformat",
    "ruf",
    "titlestring",
    "iconstring",
    "modelineexpr",
    "mle",
    "exrc",
    "ex",
    "runtimepath",
    "rtp",
    "packpath",
    "pp",
    "pythondll",
    "pythonthreedll",
    "luadll",
    "perldll",
    "rubydll",
    "tcldll",
    "mzschemedll",
    "helpfile",
    "hf",
    "termwinsize",
    "eventignore",
    "thesaurusfunc",
    "tsrfu",
    "quickfixtextfunc",
    "qftf",
    "imactivatefunc",
    "imstatusfunc",
    "findfunc",
    "ffu",
    "modeline",
    "ml",
];

/// Options that say where files are written.
const WRITING: &[&str] = &[
    "backupdir",
    "bdir",
    "directory",
    "dir",
    "undodir",
    "udir",
    "viewdir",
    "vdir",
    "verbosefile",
    "vfile",
    "spellfile",
    "spf",
    "viminfo",
    "vi",
    "viminfofile",
    "vif",
    "errorfile",
    "ef",
    "makeef",
    "mef",
    "patchmode",
    "pm",
    "backupext",
    "bex",
    "shada",
    "sd",
    "shadafile",
];

/// Options with what they are set to.
pub(super) fn set(line: &str, found: &mut Vec<Finding>) {
    for word in line.split_whitespace() {
        let name: String = word.chars().take_while(char::is_ascii_alphanumeric).collect();
        let off = name.starts_with("no") && RUNNING.contains(&name.trim_start_matches("no"));
        if !off {
            set_option(&name, found);
        }
    }
}

pub(super) fn set_option(name: &str, found: &mut Vec<Finding>) {
    if RUNNING.contains(&name) {
        unknown(found, &format!("vim's option `{name}` names what is run"));
    } else if WRITING.contains(&name) {
        found.push(Finding::WriteUnknown(format!("vim's option `{name}` names where is written")));
    }
}
