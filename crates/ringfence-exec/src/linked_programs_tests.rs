use super::*;

#[test]
fn a_shim_stands_for_the_versions_next_to_it() {
    let stands = |shim: &str, file: &str| stands_for(Path::new(shim), Path::new(file));
    assert!(stands("/h/.pyenv/shims/python", "/h/.pyenv/versions/3.11.7/bin/python3.11"));
    assert!(stands("/h/.pyenv/shims/python3", "/h/.pyenv/versions/3.11.7/bin/python3"));
    assert!(stands("/h/.asdf/shims/node", "/h/.asdf/installs/nodejs/22.1.0/bin/node"));
    for (shim, file) in [
        ("/h/.pyenv/shims/python", "/h/.pyenv/versions/3.11.7/bin/pip"),
        ("/h/.pyenv/shims/python", "/h/.pyenv/versions/3.11.7/lib/python3.11"),
        ("/h/.pyenv/shims/python", "/h/.pyenv/plugins/x/bin/python3.11"),
        ("/h/.pyenv/shims/python", "/h/.rbenv/versions/3/bin/python"),
        ("/h/.pyenv/bin/python", "/h/.pyenv/versions/3.11.7/bin/python"),
        ("/h/shims/python", "/p/versions/3.11.7/bin/python"),
        ("/h/.pyenv/shims/7", "/h/.pyenv/versions/3.11.7/bin/8"),
        ("/shims", "/versions/3/bin/python"),
    ] {
        assert!(!stands(shim, file), "{shim} {file}");
    }
}
