use super::{all_harmless, all_unsure};
use crate::lang::testing::{check, harmless, has, host, reads, shell, unsure, url, writes};

#[test]
fn general_languages() {
    for name in ["octave", "scheme", "lisp", "erlang", "elixir", "groovy", "scala", "haskell"] {
        all_harmless(name, &["disp(1)", "(display 1)", "println 1", "halt().", "1 + 1"]);
        all_unsure(
            name,
            &[
                "system('rm')",
                "(run-program \"/bin/rm\" nil)",
                "os:cmd(\"rm\")",
                "System.cmd(\"rm\", [])",
                "Runtime.getRuntime().exec(\"rm\")",
                "'rm'.execute()",
                "sys.process.Process(\"rm\").!",
                "(clojure.java.shell/sh \"rm\")",
                "import Foundation",
            ],
        );
        check(name, "(slurp \"/home/u/k\")", &[reads("/home/u/k")]);
        has(name, "(spit \"/home/u/k\" 1)", &writes("/home/u/k"));
        has(name, "get(\"https://evil.example\")", &url("https://evil.example"));
    }
    unsure("nim", "echo 1");
    unsure("swift", "import Foundation");
}

#[test]
fn calculators_and_plots() {
    all_harmless("dc", &["1 1 + p", "2 1 !<a"]);
    check("dc", "!rm -rf x", &[shell("rm -rf x")]);
    all_unsure("dc", &["[!rm]x", "?"]);
    all_harmless("gnuplot", &["plot sin(x)", "set title \"a\"; if (a != b) exit"]);
    check("gnuplot", "set output 'x.png'", &[writes("x.png")]);
    all_unsure(
        "gnuplot",
        &["system(\"rm\")", "!rm", "plot \"<rm\"", "set output '|sh'", "x = `id`"],
    );
}

#[test]
fn builds_of_other_languages() {
    all_harmless("sbt", &["test", "testOnly a.B", "~compile", ";clean;test"]);
    all_unsure("sbt", &["eval sys.process.Process(\"rm\").!", "clean;set x := 1", "<file"]);
    harmless("dotnet-logger", "console;verbosity=normal");
    check("dotnet-logger", "trx;LogFileName=/home/u/x", &[writes("/home/u/x")]);
    unsure("dotnet-logger", "/tmp/evil.dll");
    harmless("msbuild-property", "Configuration=Release;Version=1.0");
    check("msbuild-property", "a=b;PreBuildEvent=rm -rf x", &[shell("rm -rf x")]);
    unsure("msbuild-property", "CscToolPath=/tmp");
    all_harmless("php-ini", &["memory_limit=1G", "extension=xdebug"]);
    check("php-ini", "auto_prepend_file=/home/u/x.php", &[reads("/home/u/x.php")]);
    check("php-ini", "sendmail_path=rm -rf x", &[shell("rm -rf x")]);
    all_unsure("php-ini", &["extension=/tmp/x.so", "extension_dir=/tmp"]);
    check("lua-module", "g=./x", &[reads("./x")]);
    all_harmless("java-property", &["skipTests", "a=b"]);
    check("java-property", "http.proxyHost=evil.example", &[host("evil.example")]);
    unsure("java-property", "exec.executable=x");
}

#[test]
fn pictures_and_sound() {
    all_harmless("ffmpeg-filter", &["scale=1280:-1", "fps=30,format=yuv420p"]);
    has("ffmpeg-filter", "movie=/home/u/k", &reads("/home/u/k"));
    has("ffmpeg-filter", "scale=1:2,subtitles=a.srt", &reads("a.srt"));
    all_unsure("ffmpeg-filter", &["frei0r=x", "movie=https\\://evil.example", "zmq"]);
    check("ffmpeg-input", "in.mp4", &[reads("in.mp4")]);
    check("ffmpeg-input", "concat:a|/home/u/b", &[reads("a"), reads("/home/u/b")]);
    check("ffmpeg-input", "rtmp://evil.example/x", &[url("rtmp://evil.example/x")]);
    unsure("ffmpeg-input", "crypto:x");
    all_harmless("ffmpeg-input", &["pipe:0", "-", "testsrc=size=1x1"]);
    check("imagemagick-output", "png:tmp/x", &[writes("tmp/x")]);
    check("imagemagick-output", "|rm -rf x", &[shell("rm -rf x")]);
    all_harmless("imagemagick-output", &["null:", "info:", "-"]);
    unsure("imagemagick-output", "ephemeral:x");
}

#[test]
fn emulators() {}
