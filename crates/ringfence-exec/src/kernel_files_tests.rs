use super::*;

#[test]
fn a_process_knows_its_files_by_other_names() {
    let names = |path: &str| -> Vec<String> {
        let path = AbsPath::new(path).unwrap();
        names_of_process(&path).map(|own| own.to_string()).collect()
    };
    assert_eq!(names("/proc/12/environ"), ["/proc/self/environ", "/proc/thread-self/environ"]);
    let task = [
        "/proc/self/task/13/environ",
        "/proc/12/environ",
        "/proc/self/environ",
        "/proc/thread-self/environ",
    ];
    assert_eq!(names("/proc/12/task/13/environ"), task);
    assert_eq!(names("/proc/12"), ["/proc/self", "/proc/thread-self"]);
    assert!(names("/proc/meminfo").is_empty());
    assert!(names("/proc").is_empty());
    assert!(names("/home/proc/12/x").is_empty());
}
