//! The settings of git that run nothing.
//!
//! Whatever is not listed here is refused: new settings come with every version of git, and programs
//! around git have settings of their own. A setting belongs here if git neither runs a program that
//! its value chooses, nor reads settings from a place that its value names, nor accepts by it what it
//! would otherwise refuse for safety.

use super::config::Setting;

/// The form that a value must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any plain text that no program takes for an option or a command.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The address of a repository.
    Url,
    /// The name of a remote, or the address of a repository.
    Remote,
    /// The directory of a repository's working tree.
    WorkingTree,
}

/// Whether a section has a name in quotation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    No,
    Yes,
    Either,
}

/// Settings of one section that run nothing.
struct Inert {
    section: &'static str,
    named: Named,
    /// The keys in lower case; `*` is any.
    keys: &'static [&'static str],
    form: Form,
    /// The reason why these are inert.
    #[allow(dead_code, reason = "documents the entry, and a test requires it")]
    why: &'static str,
}

const BOOLEAN: Form = Form::Word(&["true", "false", "yes", "no", "on", "off", "1", "0"]);
const OFF: Form = Form::Word(&["false", "no", "off", "0"]);

const fn plain(
    section: &'static str,
    keys: &'static [&'static str],
    form: Form,
    why: &'static str,
) -> Inert {
    Inert { section, named: Named::No, keys, form, why }
}

const fn named(
    section: &'static str,
    keys: &'static [&'static str],
    form: Form,
    why: &'static str,
) -> Inert {
    Inert { section, named: Named::Yes, keys, form, why }
}

const INERT: &[Inert] = &[
    plain("advice", &["*"], BOOLEAN, "switches hints on and off"),
    plain("apply", &["whitespace", "ignorewhitespace"], Form::Text, "how blanks are compared"),
    plain("author", &["name", "email"], Form::Text, "text of a commit"),
    plain(
        "blame",
        &["ignorerevsfile", "coloring", "date", "showemail", "showroot", "blankboundary"],
        Form::Text,
        "revisions to leave out and how lines are printed; the file has object names alone",
    ),
    plain(
        "branch",
        &["autosetupmerge", "autosetuprebase", "sort"],
        Form::Text,
        "how branches are set up",
    ),
    named(
        "branch",
        &["remote", "pushremote"],
        Form::Remote,
        "where a branch is fetched and pushed",
    ),
    named(
        "branch",
        &["merge", "rebase", "description", "gh-merge-base", "vscode-merge-base"],
        Form::Text,
        "names of branches, a choice and text; mergeoptions are options of a program",
    ),
    plain("checkout", &["defaultremote", "guess", "workers"], Form::Text, "which branch is meant"),
    Inert {
        section: "color",
        named: Named::Either,
        keys: &["*"],
        form: Form::Text,
        why: "colours",
    },
    plain("column", &["*"], Form::Text, "layout of lists"),
    plain("commit", &["verbose", "status", "cleanup"], Form::Text, "what an editor is shown"),
    plain("commit", &["gpgsign"], OFF, "switches signing off; signing runs a program"),
    plain("committer", &["name", "email"], Form::Text, "text of a commit"),
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
        Form::Text,
        "how files of the working tree and objects are stored and compared",
    ),
    plain("core", &["fsmonitor"], OFF, "switches it off; any other value may name a program"),
    plain("core", &["worktree"], Form::WorkingTree, "git writes this for each submodule"),
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
        Form::Text,
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
        Form::Text,
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
        Form::Text,
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
        Form::Text,
        "when objects are packed and removed; gc.recentObjectsHook is a program",
    ),
    plain(
        "grep",
        &["column", "extendedregexp", "fullname", "linenumber", "patterntype", "threads"],
        Form::Text,
        "how matches are printed",
    ),
    plain(
        "http",
        &["lowspeedlimit", "lowspeedtime", "postbuffer", "version"],
        Form::Text,
        "sizes and times of requests",
    ),
    plain("i18n", &["commitencoding", "logoutputencoding"], Form::Text, "names of encodings"),
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
        Form::Text,
        "how the index is stored",
    ),
    plain(
        "init",
        &["defaultbranch"],
        Form::Text,
        "the name of a branch; init.templateDir has hooks",
    ),
    plain(
        "lfs",
        &["repositoryformatversion", "concurrenttransfers", "fetchinclude", "fetchexclude"],
        Form::Text,
        "what git-lfs fetches; transfer agents are programs",
    ),
    named(
        "lfs",
        &["access", "locksverify"],
        Form::Word(&["basic", "none", "negotiate", "true", "false"]),
        "how git-lfs logs in, which it writes itself",
    ),
    plain(
        "log",
        &["abbrevcommit", "date", "decorate", "diffmerges", "follow", "mailmap", "showroot"],
        Form::Text,
        "how commits are printed; log.showSignature runs a program",
    ),
    plain("maintenance", &["auto", "strategy"], Form::Text, "when objects are packed"),
    named("maintenance", &["auto", "enabled", "schedule"], Form::Text, "when objects are packed"),
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
        Form::Text,
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
        Form::Text,
        "how objects are packed",
    ),
    plain(
        "protocol",
        &["version"],
        Form::Word(&["0", "1", "2"]),
        "a version; protocol.allow opens helpers",
    ),
    plain(
        "pull",
        &["ff", "rebase"],
        Form::Text,
        "whether a pull merges or rebases; pull.twohead names a program",
    ),
    plain(
        "push",
        &["autosetupremote", "default", "followtags", "recursesubmodules", "useforceifincludes"],
        Form::Text,
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
        Form::Text,
        "which commits are picked; rebase.instructionFormat writes lines that are run",
    ),
    plain(
        "receive",
        &["denycurrentbranch", "denydeletecurrent", "denydeletes", "denynonfastforwards"],
        Form::Text,
        "which pushes are taken",
    ),
    plain("remote", &["pushdefault"], Form::Remote, "where branches are pushed"),
    named("remote", &["url", "pushurl"], Form::Url, "where a remote is"),
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
        Form::Text,
        "which references are fetched and pushed; uploadpack, receivepack, vcs and proxy run programs",
    ),
    named("remote", &["tagopt"], Form::Word(&["--tags", "--no-tags"]), "which tags are fetched"),
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
        Form::Text,
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
        Form::Text,
        "which submodules are looked at",
    ),
    named(
        "submodule",
        &["active", "branch", "fetchrecursesubmodules", "ignore", "path", "shallow"],
        Form::Text,
        "which submodules are looked at",
    ),
    named(
        "submodule",
        &["update"],
        Form::Word(&["checkout", "rebase", "merge", "none"]),
        "how a submodule is updated; any other value is a command",
    ),
    named("submodule", &["url"], Form::Url, "where a submodule is fetched from"),
    plain("tag", &["sort"], Form::Text, "the order of tags"),
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
        Form::Text,
        "text of a commit, and the name of a key",
    ),
    plain("versionsort", &["suffix"], Form::Text, "the order of tags"),
    plain("worktree", &["guessremote", "userelativepaths"], BOOLEAN, "how worktrees are made"),
];

/// Returns the form that an inert setting's value must have; `None` for every other setting.
pub(crate) fn form_of(setting: &Setting<'_>) -> Option<Form> {
    let is_meant = |own: &&Inert| {
        let named = match own.named {
            Named::No => setting.subsection.is_none(),
            Named::Yes => setting.subsection.is_some(),
            Named::Either => true,
        };
        named
            && own.section == setting.section
            && own.keys.iter().any(|key| *key == "*" || *key == setting.key)
    };
    INERT.iter().find(is_meant).map(|own| own.form)
}

/// Returns whether a text is neither an option nor a command of any program.
pub(crate) fn is_text(value: &str) -> bool {
    !value.starts_with(['-', '!', '|'])
}

#[cfg(test)]
#[path = "inert_tests.rs"]
mod tests;
