//! How the command is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Every start would load, map and relocate `libgcc_s.so` for a few functions that unwind the
    // stack; a fifth of what a program that prints one line costs. GCC has them as an archive too.
    let of = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if of("OS") == "linux" && of("ENV") == "gnu" {
        println!("cargo::rustc-link-lib=dylib=gcc_eh");
    }
}
