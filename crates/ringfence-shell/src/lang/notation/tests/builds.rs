use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{
    check, harmless, has, reads, run, shell, unsure, writes, writes_unknown,
};

fn tree(path: &str) -> Finding {
    Finding::WriteTree(path.to_owned())
}

fn code(language: &'static str, text: &str) -> Finding {
    Finding::Code(language, text.to_owned())
}

#[test]
fn inputs_and_files_of_options() {
    check("argfile", "src/a.c", &[reads("src/a.c")]);
    unsure("argfile", "@/tmp/args");
    has("argfile", "@/tmp/args", &reads("/tmp/args"));
}

#[test]
fn lines_for_cargo_watch() {
    check("cargo-line", "test -q", &[shell("cargo test -q")]);
}

#[test]
fn flags_of_compilers() {
    all_harmless("cflags", &["-O2 -Wall -g", "-march=native -DX=/etc", "-fuse-ld=lld -lfoo", ""]);
    check("cflags", "-Iinclude -L/opt/lib", &[reads("include"), reads("/opt/lib")]);
    check("cflags", "-I include -include /home/u/x", &[reads("/home/u/x")]);
    check("cflags", "-Wl,-Map=/home/u/.bashrc", &[writes("/home/u/.bashrc")]);
    check("cflags", "-Wl,-Map,/home/u/.bashrc", &[writes("/home/u/.bashrc")]);
    check("cflags", "-o /home/u/x", &[writes("/home/u/x")]);
    all_unsure(
        "cflags",
        &[
            "-B/tmp/evil",
            "-B /tmp/evil",
            "-wrapper /tmp/evil.sh,-x",
            "-fplugin=/tmp/x.so",
            "-specs=x",
            "--specs x",
            "-fuse-ld=/tmp/evil",
            "-Wl,-plugin,/tmp/x.so",
            "-Wl,--plugin=/tmp/x.so",
            "-Xclang -load -Xclang /tmp/x.so",
            "-mllvm -load=/tmp/x.so",
            "-O2 @/tmp/args",
            "--ld-path=/tmp/x",
            "-fpass-plugin=/tmp/x.so",
            "'open",
        ],
    );
}

#[test]
fn what_compilers_pass_on() {
    all_harmless("gcc-w", &["all", "error=x,y", "l,-rpath,/opt/lib", "no-unused"]);
    unsure("gcc-w", "l,-plugin,/tmp/x.so");
}

#[test]
fn definitions_of_builds() {
    all_harmless(
        "cmake-define",
        &[
            "CMAKE_BUILD_TYPE=Release",
            "BUILD_TESTING=ON",
            "CMAKE_C_COMPILER=clang-18",
            "CMAKE_LINKER_TYPE=MOLD",
        ],
    );
    harmless("cmake-define", "CMAKE_CXX_COMPILER_LAUNCHER=ccache");
    check("cmake-define", "CMAKE_C_COMPILER:FILEPATH=/tmp/evil", &[run(&["/tmp/evil"])]);
    check("cmake-define", "CMAKE_C_COMPILER_LAUNCHER=rm;-rf;x", &[run(&["rm", "-rf", "x"])]);
    check("cmake-define", "CMAKE_TOOLCHAIN_FILE=/home/u/x.cmake", &[reads("/home/u/x.cmake")]);
    check("cmake-define", "CMAKE_INSTALL_PREFIX=/usr", &[tree("/usr")]);
    unsure("cmake-define", "CMAKE_C_FLAGS=-fplugin=/tmp/x.so");
    all_harmless("meson-define", &["buildtype=debug", "werror=true", "c_args=-O2,-g"]);
    check("meson-define", "prefix=/usr", &[tree("/usr")]);
    unsure("meson-define", "c_args=['-fplugin=/tmp/x.so']");
}

#[test]
fn tools_of_builds() {
    harmless("ninja-tool", "targets");
    unsure("ninja-tool", "msvc");
    all_harmless("just-argument", &["test", "os=/x"]);
    check("just-argument", "/home/u/x/test", &[reads("/home/u/x/test")]);
    check("vale-output", "/home/u/x.tmpl", &[reads("/home/u/x.tmpl")]);
    all_harmless("sphinx-define", &["html_theme=furo", "version=1"]);
    check("sphinx-define", "graphviz_dot=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
}

#[test]
fn words_for_make_and_go() {
    all_harmless("make-options", &["-j8", "kj4", "--no-print-directory -s", "w -- "]);
    check("make-options", "'--eval=$(shell id)'", &[code("make", "$(shell id)")]);
    check("make-options", " -- CC=x", &[code("make-variable", "CC=x")]);
    all_unsure("make-options", &["-f /tmp/evil.mk", "--file=x", "-C /x", "-E x"]);
    all_harmless("goflags", &["-mod=vendor -tags=a,b", "-race -v", "'-ldflags=-s -w'"]);
    check("goflags", "-toolexec=/tmp/evil.sh", &[shell("/tmp/evil.sh")]);
    check("goflags", "'-exec=rm -rf x'", &[shell("rm -rf x")]);
    all_unsure("goflags", &["-overlay=x.json", "-compiler=gccgo"]);
    all_harmless("go-ldflags", &["-s -w -X main.v=1", "-X 'main.v=a/b'", "-extldflags '-static'"]);
    check("go-ldflags", "-extld=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
    check("go-ldflags", "all=-extld /tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
    unsure("go-ldflags", "-extldflags '-fuse-ld=/tmp/evil'");
}

#[test]
fn words_of_rust() {
    harmless("rust-target", "x86_64-unknown-linux-gnu");
    check("rust-target", "spec.json", &[reads("spec.json")]);
    for name in ["rustflags", "rustc-options"] {
        all_harmless(name, &["-Cdebuginfo=2", "-Copt-level=3", "--cfg=x", "-Dwarnings", "-lfoo"]);
        check(name, "-Clinker=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
        check(name, "linker=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
        unsure(name, "-Clink-arg=-fuse-ld=/tmp/evil");
        unsure(name, "-Zcodegen-backend=/tmp/x.so");
        unsure(name, "@/tmp/args");
        check(name, "--emit=asm=/home/u/.bashrc", &[writes("/home/u/.bashrc")]);
        writes_unknown(name, "-o");
    }
    harmless("rustflags", "-C target-cpu=native -D warnings --cfg tokio_unstable");
    check("rustflags", "-C\u{1f}linker=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
}
