use super::*;
use ringfence_core::host::MemoryHost;

#[test]
fn known_directories_are_not_expanded() {
    for name in ["$(touch x)", "`id`", "$HOME", "trail ", "~", "a b", "*"] {
        let root = format!("/home/u/{name}");
        let names = [name, "src", "a.txt"];
        let file_path = names
            .iter()
            .fold(AbsPath::new("/home/u").unwrap(), |path, name| path.listed(name).unwrap());
        let mut host = MemoryHost::new();
        host.add_file(&file_path, "");
        let home = AbsPath::new("/home/u").unwrap();
        let found = directory(&host, &root, &home, &home).unwrap().real;
        assert_eq!(found.as_str(), root);
        let inside = directory(&host, &format!("{root}/src"), &home, &home).unwrap().real;
        assert_eq!(inside.as_str(), format!("{root}/src"));
        let text = format!("{root}/src/a.txt");
        let of = |text: &str| file(&host, text, [&found].into_iter(), &home, Follow::Final);
        assert_eq!(of(&text).unwrap().real.as_str(), text);
        assert_eq!(of(&root).unwrap().real.as_str(), root);
        assert_eq!(of(&format!("{root}/../x")).unwrap().real.as_str(), "/home/u/x");
        assert!(of(&format!("{root}/$(id)")).is_err(), "{root}");
        assert!(of("/home/u/$(id)/x").is_err());
    }
}
