//! The git settings that run nothing.
//!
//! Every setting that is not listed is refused, because each version of git, and each program
//! around git, adds new ones. A setting is listed if git, because of its value, neither runs a
//! program, nor reads settings from another place, nor accepts something it would otherwise refuse
//! for safety.

use super::config::Setting;

/// The form that a setting's value must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// Plain text that no program parses as an option or a command.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The URL or path of a repository.
    Url,
    /// The name of a remote, or the URL or path of a repository.
    Remote,
    /// The directory of a repository's working tree.
    WorkingTree,
}

/// Whether a section has a subsection name in quotation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SubsectionRule {
    No,
    Yes,
    Either,
}

/// Inert settings of one section.
struct Inert {
    section: &'static str,
    named: SubsectionRule,
    /// The keys in lower case; `*` matches any.
    keys: &'static [&'static str],
    form: ValueForm,
    /// Why these settings are inert.
    #[allow(dead_code, reason = "documents the entry, and a test requires it")]
    why: &'static str,
}

const BOOLEAN: ValueForm = ValueForm::Word(&["true", "false", "yes", "no", "on", "off", "1", "0"]);
const OFF: ValueForm = ValueForm::Word(&["false", "no", "off", "0"]);

const fn plain(
    section: &'static str,
    keys: &'static [&'static str],
    form: ValueForm,
    why: &'static str,
) -> Inert {
    Inert { section, named: SubsectionRule::No, keys, form, why }
}

const fn named(
    section: &'static str,
    keys: &'static [&'static str],
    form: ValueForm,
    why: &'static str,
) -> Inert {
    Inert { section, named: SubsectionRule::Yes, keys, form, why }
}

const INERT: &[Inert] = &[
    plain("advice", &["*"], BOOLEAN, "switches hints on and off"),
    plain("apply", &["whitespace", "ignorewhitespace"], ValueForm::Text, "how blanks are compared"),
    plain("author", &["name", "email"], ValueForm::Text, "text of a commit"),
    plain(
        "blame",
        &["ignorerevsfile", "coloring", "date", "showemail", "showroot", "blankboundary"],
        ValueForm::Text,
        "revisions to leave out and how lines are printed; the file has object names alone",
    ),
    plain(
        "branch",
        &["autosetupmerge", "autosetuprebase", "sort"],
        ValueForm::Text,
        "how branches are set up",
    ),
    named(
        "branch",
        &["remote", "pushremote"],
        ValueForm::Remote,
        "where a branch is fetched and pushed",
    ),
    named(
        "branch",
        &["merge", "rebase", "description", "gh-merge-base", "vscode-merge-base"],
        ValueForm::Text,
        "names of branches, a choice and text; mergeoptions are options of a program",
    ),
    plain(
        "checkout",
        &["defaultremote", "guess", "workers"],
        ValueForm::Text,
        "which branch is meant",
    ),
    Inert {
        section: "color",
        named: SubsectionRule::Either,
        keys: &["*"],
        form: ValueForm::Text,
        why: "colours",
    },
    plain("column", &["*"], ValueForm::Text, "layout of lists"),
    plain("commit", &["verbose", "status", "cleanup"], ValueForm::Text, "what an editor is shown"),
    plain("commit", &["gpgsign"], OFF, "switches signing off; signing runs a program"),
    plain("committer", &["name", "email"], ValueForm::Text, "text of a commit"),
    plain(
        "core",
        &[
            "abbrev",
            "autocrlf",
            "bare",
            "bigfilethreshold",
            "checkstat",
            "commitgraph",
            "compression",
            "eol",
            "filemode",
            "fscache",
            "ignorecase",
            "logallrefupdates",
            "longpaths",
            "loosecompression",
            "multipackindex",
            "precomposeunicode",
            "preloadindex",
            "quotepath",
            "repositoryformatversion",
            "safecrlf",
            "sharedrepository",
            "sparsecheckout",
            "sparsecheckoutcone",
            "splitindex",
            "symlinks",
            "trustctime",
            "untrackedcache",
            "whitespace",
        ],
        ValueForm::Text,
        "how files of the working tree and objects are stored and compared",
    ),
    plain("core", &["fsmonitor"], OFF, "switches it off; any other value may name a program"),
    plain("core", &["worktree"], ValueForm::WorkingTree, "git writes this for each submodule"),
    plain(
        "diff",
        &[
            "algorithm",
            "colormoved",
            "colormovedws",
            "context",
            "ignoresubmodules",
            "indentheuristic",
            "interhunkcontext",
            "mnemonicprefix",
            "noprefix",
            "relative",
            "renamelimit",
            "renames",
            "statgraphwidth",
            "submodule",
            "wserrorhighlight",
        ],
        ValueForm::Text,
        "how changes are printed; diff.external and drivers run programs",
    ),
    plain(
        "extensions",
        &[
            "compatobjectformat",
            "objectformat",
            "partialclone",
            "preciousobjects",
            "refstorage",
            "relativeworktrees",
            "worktreeconfig",
        ],
        ValueForm::Text,
        "how the repository is stored; config.worktree is judged like config",
    ),
    plain(
        "feature",
        &["experimental", "manyfiles"],
        BOOLEAN,
        "defaults of settings that are inert",
    ),
    plain(
        "fetch",
        &[
            "output",
            "parallel",
            "prune",
            "prunetags",
            "recursesubmodules",
            "showforcedupdates",
            "unpacklimit",
            "writecommitgraph",
        ],
        ValueForm::Text,
        "which references are fetched; fetch.bundleURI names an address",
    ),
    plain(
        "gc",
        &[
            "aggressivedepth",
            "aggressivewindow",
            "auto",
            "autodetach",
            "autopacklimit",
            "bigpackthreshold",
            "cruftpacks",
            "packrefs",
            "pruneexpire",
            "reflogexpire",
            "reflogexpireunreachable",
            "rerereresolved",
            "rerereunresolved",
            "worktreepruneexpire",
            "writecommitgraph",
        ],
        ValueForm::Text,
        "when objects are packed and removed; gc.recentObjectsHook is a program",
    ),
    plain(
        "grep",
        &["column", "extendedregexp", "fullname", "linenumber", "patterntype", "threads"],
        ValueForm::Text,
        "how matches are printed",
    ),
    plain(
        "http",
        &["lowspeedlimit", "lowspeedtime", "postbuffer", "version"],
        ValueForm::Text,
        "sizes and times of requests",
    ),
    plain("i18n", &["commitencoding", "logoutputencoding"], ValueForm::Text, "names of encodings"),
    plain(
        "index",
        &[
            "recordendofindexentries",
            "recordoffsettable",
            "skiphash",
            "sparse",
            "threads",
            "version",
        ],
        ValueForm::Text,
        "how the index is stored",
    ),
    plain(
        "init",
        &["defaultbranch"],
        ValueForm::Text,
        "the name of a branch; init.templateDir has hooks",
    ),
    plain(
        "lfs",
        &["repositoryformatversion", "concurrenttransfers", "fetchinclude", "fetchexclude"],
        ValueForm::Text,
        "what git-lfs fetches; transfer agents are programs",
    ),
    named(
        "lfs",
        &["access", "locksverify"],
        ValueForm::Word(&["basic", "none", "negotiate", "true", "false"]),
        "how git-lfs logs in, which it writes itself",
    ),
    plain(
        "log",
        &["abbrevcommit", "date", "decorate", "diffmerges", "follow", "mailmap", "showroot"],
        ValueForm::Text,
        "how commits are printed; log.showSignature runs a program",
    ),
    plain("maintenance", &["auto", "strategy"], ValueForm::Text, "when objects are packed"),
    named(
        "maintenance",
        &["auto", "enabled", "schedule"],
        ValueForm::Text,
        "when objects are packed",
    ),
    plain(
        "merge",
        &[
            "autostash",
            "branchdesc",
            "conflictstyle",
            "directoryrenames",
            "ff",
            "log",
            "renamelimit",
            "renames",
            "stat",
            "verbosity",
        ],
        ValueForm::Text,
        "how files are merged; drivers and tools are programs",
    ),
    plain(
        "pack",
        &[
            "compression",
            "deltacachelimit",
            "deltacachesize",
            "depth",
            "packsizelimit",
            "threads",
            "usebitmaps",
            "usesparse",
            "window",
            "windowmemory",
            "writebitmaphashcache",
            "writereverseindex",
        ],
        ValueForm::Text,
        "how objects are packed",
    ),
    plain(
        "protocol",
        &["version"],
        ValueForm::Word(&["0", "1", "2"]),
        "a version; protocol.allow opens helpers",
    ),
    plain(
        "pull",
        &["ff", "rebase"],
        ValueForm::Text,
        "whether a pull merges or rebases; pull.twohead names a program",
    ),
    plain(
        "push",
        &["autosetupremote", "default", "followtags", "recursesubmodules", "useforceifincludes"],
        ValueForm::Text,
        "which branches are pushed",
    ),
    plain(
        "rebase",
        &[
            "abbreviatecommands",
            "autosquash",
            "autostash",
            "forkpoint",
            "missingcommitscheck",
            "rebasemerges",
            "stat",
            "updaterefs",
        ],
        ValueForm::Text,
        "which commits are picked; rebase.instructionFormat writes lines that are run",
    ),
    plain(
        "receive",
        &["denycurrentbranch", "denydeletecurrent", "denydeletes", "denynonfastforwards"],
        ValueForm::Text,
        "which pushes are taken",
    ),
    plain("remote", &["pushdefault"], ValueForm::Remote, "where branches are pushed"),
    named("remote", &["url", "pushurl"], ValueForm::Url, "where a remote is"),
    named(
        "remote",
        &[
            "fetch",
            "followremotehead",
            "gh-resolved",
            "glab-resolved",
            "mirror",
            "partialclonefilter",
            "promisor",
            "prune",
            "prunetags",
            "push",
            "skipdefaultupdate",
            "skipfetchall",
        ],
        ValueForm::Text,
        "which references are fetched and pushed; uploadpack, receivepack, vcs and proxy run programs",
    ),
    named(
        "remote",
        &["tagopt"],
        ValueForm::Word(&["--tags", "--no-tags"]),
        "which tags are fetched",
    ),
    plain("rerere", &["autoupdate", "enabled"], BOOLEAN, "remembers how conflicts were solved"),
    plain("sparse", &["expectfilesoutsideofpatterns"], BOOLEAN, "which files are there"),
    plain(
        "stash",
        &["showincludeuntracked", "showpatch", "showstat"],
        BOOLEAN,
        "how a stash is printed",
    ),
    plain(
        "status",
        &[
            "aheadbehind",
            "branch",
            "displaycommentprefix",
            "relativepaths",
            "renamelimit",
            "renames",
            "short",
            "showstash",
            "showuntrackedfiles",
        ],
        ValueForm::Text,
        "how the status is printed",
    ),
    plain(
        "submodule",
        &[
            "active",
            "alternateerrorstrategy",
            "alternatelocation",
            "fetchjobs",
            "propagatebranches",
            "recurse",
        ],
        ValueForm::Text,
        "which submodules are looked at",
    ),
    named(
        "submodule",
        &["active", "branch", "fetchrecursesubmodules", "ignore", "path", "shallow"],
        ValueForm::Text,
        "which submodules are looked at",
    ),
    named(
        "submodule",
        &["update"],
        ValueForm::Word(&["checkout", "rebase", "merge", "none"]),
        "how a submodule is updated; any other value is a command",
    ),
    named("submodule", &["url"], ValueForm::Url, "where a submodule is fetched from"),
    plain("tag", &["sort"], ValueForm::Text, "the order of tags"),
    plain(
        "tag",
        &["forcesignannotated", "gpgsign"],
        OFF,
        "switches signing off; signing runs a program",
    ),
    plain(
        "uploadpack",
        &["allowanysha1inwant", "allowfilter", "allowreachablesha1inwant", "allowtipsha1inwant"],
        BOOLEAN,
        "what is served; packObjectsHook is a program",
    ),
    plain(
        "user",
        &["email", "name", "signingkey", "useconfigonly"],
        ValueForm::Text,
        "text of a commit, and the name of a key",
    ),
    plain("versionsort", &["suffix"], ValueForm::Text, "the order of tags"),
    plain("worktree", &["guessremote", "userelativepaths"], BOOLEAN, "how worktrees are made"),
];

/// Returns the form that an inert setting's value must have, or `None` for every other setting.
pub(crate) fn form_of(setting: &Setting<'_>) -> Option<ValueForm> {
    let is_meant = |own: &&Inert| {
        let named = match own.named {
            SubsectionRule::No => setting.subsection.is_none(),
            SubsectionRule::Yes => setting.subsection.is_some(),
            SubsectionRule::Either => true,
        };
        named
            && own.section == setting.section
            && own.keys.iter().any(|key| *key == "*" || *key == setting.key)
    };
    INERT.iter().find(is_meant).map(|own| own.form)
}

/// Returns whether no program parses a text as an option or a command.
pub(crate) fn is_text(value: &str) -> bool {
    !value.starts_with(['-', '!', '|'])
}

#[cfg(test)]
#[path = "inert_tests.rs"]
mod tests;
