//! Small notations of options: not languages, but values with a shape of their own.
//!
//! The table says for each name which shape reads it. Most values are text, a path or an address;
//! those that can run a program are handed on where their text is certain, and doubted where it is
//! not. A notation that the catalogue names and that is missing here makes a line a doubt.

mod agent;
mod build;
mod calls;
mod cc;
mod container;
mod data;
mod database;
mod dial;
mod general;
mod go;
mod java;
mod machine;
mod media;
mod node;
mod options;
mod prompt;
mod python;
mod rust;
mod shape;
mod shells;
mod system;
mod tex;
mod transfer;
mod visit;

use super::Finding;
use ringfence_core::net::is_url;
use shape::{after_equals, file, listed, pieces, place, written};

/// Paths and addresses in the strings of a code.
pub(super) fn places(code: &str) -> Vec<Finding> {
    pieces(code, &['"', '\''], place)
}

/// Makes the table of readers and the list of their names, so that they cannot differ.
macro_rules! notations {
    ($($name:literal => $reader:expr,)*) => {
        pub(super) const NAMES: &[&str] = &[$($name),*];

        pub(super) fn reader(name: &str) -> Option<fn(&str) -> Vec<Finding>> {
            match name {
                $($name => Some($reader),)*
                _ => None,
            }
        }
    };
}

notations! {
    // Compilers and builds: flags load plugins and name other programs, definitions name tools.
    "argfile" => cc::argfile,                 // an input, or @FILE with options that are not seen
    "c-source" => cc::source,                 // what a source takes in
    "cflags" => cc::flags,
    "gcc-w" => cc::warning,                   // -Wall, or -Wl,… which is passed on
    "gcc-f" => cc::feature,                   // what is glued to -f: dumps and records are written
    "cmake-define" => build::cmake,              // CMAKE_*_COMPILER and kin are started
    "meson-define" => build::meson,
    "ctest-overwrite" => machine::ctest_overwrite,
    "ninja-tool" => machine::ninja,
    "just-argument" => machine::just,
    "just-value" => machine::just_value,
    "m4-define" => general::m4,
    "keyed-place" => |text| after_equals(text, place),
    "name-or-file" => place,
    "make-options" => options::make,          // --eval is make's own language
    "goflags" => go::flags,                   // -exec and -toolexec are command lines
    "go-ldflags" => go::passed,               // -extld is started
    "vale-output" => place,                   // a name, or the file of a template
    "sphinx-define" => python::sphinx,

    // Rust: a linker is started, libraries of macros are loaded.
    "rust-target" => rust::target,
    "rust-toolchain" => rust::toolchain,
    "comma-command" => |text| vec![Finding::Run(text.split(',').map(str::to_owned).collect())],
    "cargo-line" => |text| vec![Finding::Shell(format!("cargo {text}"))], // cargo-watch hands it to a shell
    "rustflags" => rust::flags,
    "rustc-options" => rust::option,
    "libtest-options" => options::libtest,    // --logfile writes
    "cargo-words" => |text| options::of("cargo", text), // an alias
    "toolchain" => options::toolchain,        // a name, or a directory whose programs are started

    // Java: agents are loaded, OnError is a command line.
    "java-option" => java::option,
    "java-options" => java::options,

    "java-property" => java::property,
    "sbt" => general::sbt,

    "tex" => tex::operand,                    // a document, or TeX itself
    "sysctl" => system::sysctl,               // a bar in a value starts a program
    "unit" => system::unit,                   // a service, or the file of one
    "hg-config" => system::hg_config,         // most sections name programs

    // General languages without a reader: names that start programs are a doubt.
    "clojure" => general::read,
    "crystal" => general::read,
    "elixir" => general::read,
    "erlang" => general::read,
    "groovy" => general::read,
    "haskell" => general::read,
    "lisp" => general::read,
    "ocaml" => general::read,
    "octave" => general::read,
    "scala" => general::read,
    "scheme" => general::read,
    "swift" => general::read,
    "nim" => general::opaque,                 // it is compiled, and the compiler runs code
    "bc" => |_| Vec::new(),                   // it only reckons
    "dc" => general::dc,
    "gnuplot" => general::gnuplot,
    "dotnet-logger" => general::dotnet_logger,
    "msbuild-property" => general::msbuild,
    "ghci" => general::ghci,
    "php-ini" => general::php_ini,
    "perl-operand" => general::perl_operand,  // what `<>` opens: a bar runs it
    "lua-module" => |text| node::module(text.split_once('=').map_or(text, |(_, name)| name)),

    // Node: modules are loaded; those of the project are part of the grant.
    "node-module" => node::module,
    "npm-pkg" => node::npm_pkg,
    "npm-script" => |text| node::npm_pkg(&format!("scripts={text}")),
    "npm-create" => node::npm_create,         // `vite` is the package create-vite
    "cvs-root" => transfer::cvs_root,         // a directory, or a host behind a method
    "jest-config" => node::config,
    "cypress-config" => node::cypress,
    "mocha-node" => |text| node::options(&format!("--{text}")),
    "rollup-plugin" => node::plugin,

    // Python: modules of the project are part of the grant, servers listen.
    "python-module" => python::module,
    "python-warnings" => python::warnings,
    "uv-python" => python::interpreter,
    "uv-index" => python::index,
    "requirement" => python::requirement,     // of pip, where one that is not known is an operand
    "pytest-operand" => |text| if text.starts_with('@') { cc::argfile(text) } else { file(text) },
    "pip-config" => python::setting,
    "poetry-config" => python::setting,
    "pylint-output" => python::outputs,
    "pytest-cov" => python::coverage,

    // Ruby: files are loaded; those of the project are part of the grant.
    "ruby-library" => general::ruby_library,
    "perl-split" => visit::perl_split,        // a pattern that may hold code
    "ruby-or-file" => general::ruby_or_file,

    // Shells: their own options, and lines of others.
    "set-option" => options::set,
    "shopt" => options::shopt,
    "shopt-here" => options::shopt_here,
    "expand" => data::expand,
    "fish" => shells::fish,
    "csh" => shells::csh,
    "elvish" => shells::elvish,
    "nu" => shells::nu,
    "powershell" => shells::powershell,
    "applescript" => prompt::applescript,
    "expect" => prompt::expect,

    // Programs with a prompt: `!` and kin run command lines.
    "less" => prompt::less,
    "less-options" => options::less,
    "lldb" => prompt::lldb,
    "kak" => prompt::kak,
    "lftp" => prompt::lftp,
    "fzf-options" => visit::fzf_options,
    "fzf-bind" => prompt::fzf,
    "tmux-format" => prompt::tmux,

    // Hosts, and what is sent to them.
    "ssh-forward" => dial::ssh_forward,
    "ssh-jump" => dial::ssh_jump,
    "curl-urlencode" => dial::curl_urlencode,
    "docker-driver" => container::driver,     // hosts of logs and contexts, devices of volumes
    "kube-kinds" => container::kinds,         // secrets by any spelling
    "kube-raw" => container::raw,
    "also" => |text| vec![Finding::Also(text.split(' ').map(str::to_owned).collect())],
    "kubectl-output" => container::kubectl_output, // a kind, or a file with a template
    "curl-format" => dial::curl_format,       // @FILE is read, %output{FILE} is written
    "httpie" => dial::httpie,
    "httpie-proxy" => dial::httpie_proxy,
    "httpie-session" => dial::httpie_session,
    "dig" => dial::dig,
    "transfer" => transfer::transfer,
    "command-line" => |text| vec![shape::shell(text)], // one of several, each by itself
    "output-or-pipe" => machine::output_or_pipe,
    "rsync-filter" => machine::rsync_filter,
    "w3m-config" => machine::w3m,

    // git and the tools of forges.
    "line-range" => |text| file(text.rsplit(':').next().unwrap_or(text)), // `git log -L 1,5:FILE`
    "git-object" => dial::git_object,         // a revision, a path, or a file in a revision
    "git-smtp" => dial::git_smtp,
    "gh-api" => dial::gh_api,
    "gh-repo" => dial::gh_repo,
    "gh-item" => visit::gh_item,
    "clone-word" => visit::clone_word,        // handed to `git clone`
    "browser-place" => visit::browser,
    "editor-file" => visit::edited,

    // Databases.
    "sqlite-file" => database::sqlite_file,   // a path, or `file:PATH?KEYS`
    "pg-database" => database::pg_database,
    "pg-host" => database::pg_host,
    "psql-variable" => database::psql_variable,
    "redis" => database::redis,
    "clickhouse" => database::clickhouse,
    "cql" => database::cql,
    "sql" => database::sql,

    // Processes and services.
    "ps" => system::ps,
    "service" => system::service,
    "bun-run" => system::bun_run,

    // Other agents: their servers are programs.
    "aider-message" => agent::aider,

    // Words that a variable adds to those of a program.
    "ack-options" => |text| options::of("ack", text),
    "ant-options" => |text| options::of("ant", text),
    "bat-options" => |text| options::of("bat", text),
    "erl-options" => options::erl,
    "gunicorn-options" => |text| options::of("gunicorn", text),
    "javac-options" => |text| options::of("javac", text),
    "rake-options" => |text| options::of("rake", text),
    "rspec-options" => |text| options::of("rspec", text),
    "rubocop-options" => |text| options::of("rubocop", text),
    "sk-options" => |text| options::of("sk", text),
    "ssh-options" => |text| options::of("ssh", text),
    "terraform-apply" => |text| options::of("terraform apply", text),
    "terraform-destroy" => |text| options::of("terraform destroy", text),
    "terraform-init" => |text| options::of("terraform init", text),
    "terraform-plan" => |text| options::of("terraform plan", text),
    "unzip-options" => |text| options::of("unzip", text),
    "valgrind-options" => |text| options::of("valgrind", text),
    "zip-options" => |text| options::of("zip", text),

    // Values of variables.
    "git-trace" => |text| text.starts_with('/').then(|| shape::write(text)).into_iter().collect(),
    "address" => |text| if is_url(text) { place(text) } else { Vec::new() },
    "place-list" => |text| pieces(text, &[' ', '\n'], python::index),
    "ffreport" => media::report,
    "flask-app" => python::app,
    "nix-config" => options::nix,
    "tox-overrides" => |text| pieces(text, &[';'], python::tox),
    "ansible-python" => machine::ansible_python,
    "ansible-vault-ids" => |text| pieces(text, &[','], machine::ansible_vault),

    // Data.
    "yq-split" => data::yq_split,             // names of files that are written
    "yq" => data::yq,
    "dasel" => data::dasel,
    "mlr" => data::mlr,
    "envsubst" => data::envsubst,
    "pcre2" => data::pcre2,

    // Pictures, sound and emulators: inputs and drives are files and hosts.
    "ffmpeg-filter" => media::filter,
    "ffmpeg-output" => media::places,
    "ffmpeg-input" => media::input,
    "imagemagick-output" => media::output,

    // Archives: lists of names are read.
    "7z-names" => machine::sevenzip_names,
    "7z-lists" => machine::sevenzip_lists,
    "7z-switch" => |text| text.strip_prefix("fx").map(file).unwrap_or_default(),
    "tree-or-list" => machine::tree_or_list,
    "suffix" => machine::suffix,

    // Keys with files, of many programs.
    "key-file" => container::files,
    "key-write" => written,

    // The machine, containers and clouds.
    "path-list" => |text| pieces(text, &[':', ';'], listed),
    "openssl-pass" => machine::openssl_pass,
    "mount-options" => machine::mount,
    "bind-path" => machine::bind,
    "strace-output" => machine::output_or_command,
    "systemd-property" => machine::systemd,
    "tar-options" => options::tar,
    "ansible-vars" => machine::ansible_vars,
    "dnf-setting" => machine::dnf,
    "elsewhere" => container::elsewhere,      // a line for a shell in a container
    "ansible-inventory" => machine::ansible_inventory,
    "ansible-vault-id" => machine::ansible_vault,
    "docker-image" => container::image,
    "bake-set" => container::bake,
    "hcl" => shape::strings,
}

#[cfg(test)]
mod tests;
