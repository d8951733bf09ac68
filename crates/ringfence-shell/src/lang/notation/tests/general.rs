use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{
    check, harmless, has, host, listens, reads, run, shell, unsure, url, writes,
};

#[test]
fn general_languages() {
    for name in
        ["octave", "scheme", "lisp", "erlang", "elixir", "groovy", "scala", "kotlin", "haskell"]
    {
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
    harmless("ghc-options", "-Wall -O2");
    all_unsure("ghc-options", &["-pgmF /tmp/evil.sh", "-fplugin=Evil", "-optl-fuse-ld=x"]);
    all_harmless("php-ini", &["memory_limit=1G", "extension=xdebug"]);
    check("php-ini", "auto_prepend_file=/home/u/x.php", &[reads("/home/u/x.php")]);
    check("php-ini", "sendmail_path=rm -rf x", &[shell("rm -rf x")]);
    all_unsure("php-ini", &["extension=/tmp/x.so", "extension_dir=/tmp"]);
    check("lua-module", "g=./x", &[reads("./x")]);
    all_harmless("java-property", &["skipTests", "a=b"]);
    check("java-property", "http.proxyHost=evil.example", &[host("evil.example")]);
    unsure("java-property", "exec.executable=x");
    check("java-patch", "m=/a:b", &[reads("/a"), reads("b")]);
    harmless("java-processor", "a.B,c.D");
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
    harmless("imagemagick-define", "jpeg:extent=1");
    harmless("imagemagick-draw", "rectangle 0,0 1,1 text 0,0 'a/b'");
    check("imagemagick-draw", "text 0,0 '@/home/u/k'", &[reads("/home/u/k")]);
    let inner = Finding::Code("imagemagick", "|rm".to_owned());
    check("imagemagick-draw", "image over 0,0 0,0 '|rm'", &[inner]);
    unsure("imagemagick-draw", "@x");
    check("imagemagick-fx", "@/home/u/k", &[reads("/home/u/k")]);
    check("imagemagick-output", "png:tmp/x", &[writes("tmp/x")]);
    check("imagemagick-output", "|rm -rf x", &[shell("rm -rf x")]);
    all_harmless("imagemagick-output", &["null:", "info:", "-"]);
    unsure("imagemagick-output", "ephemeral:x");
}

#[test]
fn emulators() {
    all_harmless("qemu-chardev", &["stdio", "mon:stdio", "pty,id=a"]);
    check("qemu-chardev", "tcp:evil.example:1", &[host("evil.example:1")]);
    check("qemu-chardev", "tcp::1234,server,nowait", &[listens(":1234")]);
    check("qemu-chardev", "unix:/tmp/s,server", &[reads("/tmp/s"), writes("/tmp/s")]);
    harmless("qemu-device", "virtio-net-pci,netdev=n");
    unsure("qemu-device", "vfio-pci,host=0");
    check("qemu-drive", "file=tmp/d,format=raw", &[reads("tmp/d"), writes("tmp/d")]);
    all_unsure("qemu-drive", &["file=nbd:evil.example:1", "{\"driver\":\"x\"}"]);
    harmless("qemu-net", "user,id=n");
    check("qemu-net", "user,hostfwd=tcp::2222-:22", &[listens("tcp::2222")]);
    check("qemu-net", "tap,script=/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
    check("qemu-net", "user,guestfwd=tcp:1:2-cmd:rm x", &[shell("rm x")]);
    harmless("wasmtime-profile", "perfmap");
    check("wasmtime-profile", "guest,/home/u/x", &[writes("/home/u/x")]);
    check("wasmtime-preload", "a=x.wasm", &[reads("x.wasm")]);
    all_harmless("wasmtime-wasi", &["cli=y", "http=n"]);
    unsure("wasmtime-wasi", "inherit-network=y");
    check("wasmtime-wasi", "inherit-env", &[Finding::AllEnv]);
}
