use super::super::testing::*;
use super::Finding;

#[test]
fn everyday_variables_do_nothing() {
    for code in [
        "V=1",
        "DEBUG=yes",
        "ARCH=x86_64",
        "TARGET=a/b",
        "CC=",
        "CROSS_COMPILE=aarch64-linux-gnu-",
        "X:=$(Y)",
    ] {
        let name = code.split([':', '=']).next().unwrap_or_default();
        check("make-variable", code, &[Finding::HandsOn(name.to_owned())]);
    }
    let flags = Finding::Code("cflags", "-O2 -Wall".to_owned());
    check("make-variable", "CFLAGS=-O2 -Wall", &[flags, Finding::HandsOn("CFLAGS".to_owned())]);
    for code in ["X = 1", "# $x", ".PHONY: all", "all: a b", "ifdef X\nendif"] {
        harmless("make", code);
    }
}

#[test]
fn commands_are_found() {
    for code in [
        "SHELL=/tmp/evil",
        "CC=/tmp/evil",
        "MAKE=/tmp/evil",
        "X!=/tmp/evil",
        "X=$(shell /tmp/evil)",
        "X=${shell /tmp/evil}",
        "RM:=/tmp/evil",
        "X=a$(info $(shell /tmp/evil))",
    ] {
        has("make-variable", code, &shell("/tmp/evil"));
        has("make", code, &shell("/tmp/evil"));
    }
    check("make", "all:\n\t@/bin/echo $$HOME", &[shell("/bin/echo $HOME")]);
    check("make", "all: ; rm -rf x", &[shell("rm -rf x")]);
    check("make", "X != id", &[shell("id")]);
    check("make", "include a.mk", &[Finding::CodeFile("make", "a.mk".into())]);
    check("make", "$(file >/tmp/x,hi)", &[writes("/tmp/x")]);
    has("make", "export PATH = /tmp", &sets("PATH"));
    for code in [
        "CFLAGS=; rm -rf ~",
        "X=`id`",
        "X=$$(id)",
        "X=$(shell $(Y))",
        "X=$(shell a $(b))",
        "X=$(eval $(Y))",
        "MAKEFLAGS=x",
        "X=a|b",
    ] {
        unsure("make-variable", code);
    }
    for code in ["all:\n\t$(X)", "load x.so", "$(guile x)", "define x"] {
        unsure("make", code);
    }
}
