use std::ffi::CString;

use super::*;

fn own() -> Memory<'static> {
    of(Box::leak(Box::default()))
}

fn of(pages: &Pages) -> Memory<'_> {
    let pid = i32::try_from(std::process::id()).unwrap();
    Memory::of(Target { pid, broker: 0, root: -1 }, pages)
}

fn words(texts: &[&str]) -> Vec<OsString> {
    texts.iter().map(OsString::from).collect()
}

/// A stack as a new program finds it: a number, and two lists with null after each.
struct Stack {
    numbers: Vec<u64>,
    _texts: Vec<CString>,
}

impl Stack {
    fn new(words: &[&str], variables: &[&str]) -> Stack {
        let texts = words.iter().chain(variables).map(|text| CString::new(*text).unwrap());
        let texts: Vec<CString> = texts.collect();
        let mut addresses = texts.iter().map(|text| text.as_ptr() as u64);
        let mut numbers = vec![words.len() as u64];
        numbers.extend(addresses.by_ref().take(words.len()));
        numbers.push(0);
        numbers.extend(addresses);
        numbers.push(0);
        Stack { numbers, _texts: texts }
    }

    fn address(&self) -> u64 {
        self.numbers.as_ptr() as u64
    }

    fn holds(&self, words: &[&str], variables: &[&str]) -> bool {
        own().is_stack(self.address(), &self::words(words), &self::words(variables)).unwrap()
    }
}

#[test]
fn a_list_is_read_however_long_its_texts_are() {
    let long = "x".repeat(3 * PAGE);
    let texts = ["", "a", &long, "b"];
    let stack = Stack::new(&texts, &[]);
    assert_eq!(own().list(stack.address() + 8).unwrap(), words(&texts));
}

#[test]
fn a_stack_is_what_was_judged_or_not() {
    let long = "y".repeat(2 * PAGE);
    let stack = Stack::new(&["echo", "a", &long], &["A=1", "B="]);
    assert!(stack.holds(&["echo", "a", &long], &["A=1", "B="]));
    let (longer, shorter) = (format!("{long}y"), "y".repeat(2 * PAGE - 1));
    for (words, variables) in [
        (&["echo", "a"][..], &["A=1", "B="][..]),
        (&["echo", "a", &long, ""], &["A=1", "B="]),
        (&["echo", "a", &longer], &["A=1", "B="]),
        (&["echo", "a", &shorter], &["A=1", "B="]),
        (&["echo", "b", &long], &["A=1", "B="]),
        (&["echo", "a", &long], &["A=1"]),
        (&["echo", "a", &long], &["A=1", "B=", "C=2"]),
        (&["echo", "a", &long], &["A=2", "B="]),
        (&["echo", "a", &long], &["A=1", "B=1"]),
        (&[], &[]),
    ] {
        assert!(!stack.holds(words, variables), "{words:?} {variables:?}");
    }
}

#[test]
fn a_text_may_end_where_a_page_does() {
    let pages = vec![b'z'; 4 * PAGE];
    for length in [PAGE - 1, PAGE, PAGE + 1] {
        let mut pages = pages.clone();
        let start = page_of(pages.as_ptr() as u64 + PAGE as u64);
        let offset = usize::try_from(start - pages.as_ptr() as u64).unwrap();
        pages[offset + length] = 0;
        let expected = vec![b'z'; length];
        assert!(own().is_text(start, &expected).unwrap(), "{length}");
        assert!(!own().is_text(start, &expected[1..]).unwrap(), "{length}");
        assert!(!own().is_text(start, &[&expected[..], b"z"].concat()).unwrap(), "{length}");
        assert_eq!(own().text(start, LONGEST_WORD, libc::E2BIG).unwrap(), expected);
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    assert_eq!(own().path(8).unwrap_err().raw_os_error(), Some(libc::EFAULT));
    let list = [8_u64, 0];
    assert!(own().list(list.as_ptr() as u64).is_err());
    assert!(own().is_stack(u64::MAX - 4, &[], &[]).is_err());
    assert!(own().list(0).unwrap().is_empty());
}

#[test]
fn variables_that_are_known_are_not_made_anew() {
    let known: Variables = words(&["A=1", "B="]).into();
    let same = Stack::new(&["A=1", "B="], &[]);
    let read = own().variables(same.address() + 8, &known).unwrap();
    assert!(Arc::ptr_eq(&read, &known));
    for other in
        [&["A=1"][..], &["A=1", "B=", "C="], &["A=1", "C="], &["A=1", "B=2"], &["A=", "B="]]
    {
        let read = own().variables(Stack::new(other, &[]).address() + 8, &known).unwrap();
        assert_eq!(*read, *words(other));
    }
}

#[test]
fn what_the_last_one_was_read_at_is_read_at_once_and_anew() {
    let pages = Pages::default();
    let mut text = *b"one\0";
    let list = [text.as_ptr() as u64, 0];
    let address = list.as_ptr() as u64;
    for said in [b"one\0", b"two\0"] {
        text.copy_from_slice(said);
        std::hint::black_box(&text);
        let memory = of(&pages);
        memory.fetch_first(address, address, address);
        let read = memory.list(address).unwrap();
        assert_eq!(read, words(&[std::str::from_utf8(&said[..3]).unwrap()]));
        memory.remember();
    }
    assert!(!pages.last.borrow().is_empty());
    // Where a page of before is gone, the others are read one by one.
    pages.last.borrow_mut().insert(0, PAGE as u64);
    let memory = of(&pages);
    memory.fetch_first(address, address, address);
    assert_eq!(memory.list(address).unwrap(), words(&["two"]));
}
