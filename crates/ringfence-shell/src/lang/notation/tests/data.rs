use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, gets, has, reads, reads_unknown, run, shell, writes_unknown};

#[test]
fn yq() {
    all_harmless("yq", &[".a.b", ".a = 1", ".env.x", ".a[] | select(.b == \"c\")", "length"]);
    check("yq", "load(\"/home/u/k\")", &[reads("/home/u/k")]);
    check("yq", ".a = load_str('/home/u/k')", &[reads("/home/u/k")]);
    check("yq", "data.yaml", &[reads("data.yaml")]);
    check("yq", "env(TOKEN)", &[gets("TOKEN")]);
    for all in ["envsubst", "$ENV.X", "env", "env.X"] {
        has("yq", all, &Finding::AllEnv);
    }
    reads_unknown("yq", "load(.a)");
    reads_unknown("yq", "load(\"a\" + .b)");
    all_unsure("yq", &["system(\"rm\")", "eval(.x)", "\"\\(system(\"x\"))\""]);
}

#[test]
fn other_selectors() {
    all_harmless("dasel", &[".a", ".all().filter(equal(b,c))"]);
    check("dasel", "readFile(\"/home/u/k\")", &[reads("/home/u/k")]);
    reads_unknown("dasel", "readFile(a)");
    all_harmless("mlr", &["cat", "then", "$y = $x > 3", "-f", "--csv", "sort"]);
    check("mlr", "data.csv", &[reads("data.csv")]);
    check("mlr", "end{system(\"rm -rf x\")}", &[shell("rm -rf x")]);
    all_unsure(
        "mlr",
        &["exec(\"rm\")", "system($x)", "tee > $a.\".csv\", $*", "print | \"sh\", $x", "--prepipe"],
    );
    writes_unknown("mlr", "tee");
    writes_unknown("mlr", "split");
    check("envsubst", "$A ${B}-$", &[gets("A"), gets("B")]);
}

#[test]
fn patterns_that_run() {
    all_harmless("pcre2", &["a(?C)b", "a(?C12)b", "x|y"]);
    check("pcre2", "(?C\"rm|-rf|x\")a", &[run(&["rm", "-rf", "x"])]);
    check("pcre2", "(?C{rm|x})", &[run(&["rm", "x"])]);
    all_unsure("pcre2", &["(?C'rm|$1')", "(?C'|x')"]);
}
