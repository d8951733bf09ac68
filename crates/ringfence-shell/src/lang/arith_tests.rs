use super::super::testing::*;

#[test]
fn words_that_are_evaluated() {
    for language in ["arith", "subscript"] {
        for code in ["x", "a[1]", "x+1", "$x * 2", "a[$i]", "${x}", "a['k']", "1 < 2", ""] {
            harmless(language, code);
        }
        check(language, "a[$(id)]", &[shell("id")]);
        check(language, "a[`id`]", &[shell("id")]);
        check(language, "x=1,a[$(rm -rf x)]", &[shell("rm -rf x")]);
        check(language, "${x:-$(id)}", &[shell("id")]);
        for code in ["a[$(echo ')';id)]", "a[$((1))]", "a[<(id)]", "${x@P}", "a[`id", "a[$(id"] {
            unsure(language, code);
        }
    }
}
