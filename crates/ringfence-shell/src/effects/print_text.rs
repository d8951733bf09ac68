//! What `echo` and `printf` print.

use super::dialect::Dialect;

/// Returns what `echo` prints of these words; nothing where shells differ in it.
pub(super) fn echo_text(words: &[&str], dialect: Dialect) -> Option<String> {
    let is_option = |word: &&&str| {
        word.strip_prefix('-').is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|letter| matches!(letter, 'n' | 'e' | 'E'))
        })
    };
    let options = words.iter().take_while(is_option).count();
    let (options, words) = words.split_at_checked(options)?;
    if dialect != Dialect::Bash && options.iter().any(|word| *word != "-n") {
        return None;
    }
    let last = |on: char, off: char| {
        let letters: Vec<char> = options.iter().flat_map(|word| word.chars()).collect();
        letters.iter().rev().find(|letter| **letter == on || **letter == off).copied() == Some(on)
    };
    let mut text = words.join(" ");
    if last('e', 'E') {
        text = escaped(&text)?;
    } else if !dialect.echoes(&text) {
        return None;
    }
    if !options.iter().any(|word| word.contains('n')) {
        text.push('\n');
    }
    Some(text)
}

/// Returns what `printf` prints of a format and its values; nothing where that is not plain text.
pub(super) fn printf_text(words: &[&str]) -> Option<String> {
    let words = words.strip_prefix(&["--"]).unwrap_or(words);
    let (format, values) = words.split_first()?;
    if format.starts_with('-') {
        return None;
    }
    let mut values = values.iter().copied();
    let mut text = String::new();
    loop {
        let before = values.len();
        one_round(format, &mut values, &mut text)?;
        if values.len() == 0 {
            return Some(text);
        }
        // A format that takes no value is printed once.
        if values.len() == before {
            return Some(text);
        }
    }
}

/// Prints the format once.
fn one_round<'v>(
    format: &str,
    values: &mut impl Iterator<Item = &'v str>,
    text: &mut String,
) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (before, directive) = rest.split_at_checked(at)?;
        text.push_str(&escaped(before)?);
        let letter = directive.chars().nth(1)?;
        match letter {
            '%' => text.push('%'),
            's' => text.push_str(values.next().unwrap_or_default()),
            'b' => text.push_str(&escaped(values.next().unwrap_or_default())?),
            'c' => text.extend(values.next().unwrap_or_default().chars().next()),
            'd' | 'i' => {
                let value = values.next().unwrap_or("0");
                let digits = value.strip_prefix('-').unwrap_or(value);
                let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                // A zero in front makes it another number.
                if !plain || digits.len() > 1 && digits.starts_with('0') || digits.len() > 18 {
                    return None;
                }
                text.push_str(value);
            }
            _ => return None,
        }
        rest = directive.get(1_usize.saturating_add(letter.len_utf8())..)?;
    }
    text.push_str(&escaped(rest)?);
    Some(())
}

/// A text with its escapes read; nothing where one is none that all read alike.
fn escaped(text: &str) -> Option<String> {
    let mut read = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(sign) = chars.next() {
        if sign != '\\' {
            read.push(sign);
            continue;
        }
        match chars.next()? {
            'n' => read.push('\n'),
            't' => read.push('\t'),
            '\\' => read.push('\\'),
            'x' => read.push(number(&mut chars, 16, 2)?),
            '0' => read.push(number(&mut chars, 8, 3)?),
            first @ '1'..='7' => {
                let own = first.to_digit(8)?;
                let more = digits(&mut chars, 8, 2);
                let value =
                    more.iter().fold(own, |all, digit| all.wrapping_mul(8).wrapping_add(*digit));
                read.push(ascii(value)?);
            }
            _ => return None,
        }
    }
    Some(read)
}

fn number(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    base: u32,
    most: usize,
) -> Option<char> {
    let digits = digits(chars, base, most);
    if digits.is_empty() {
        return None;
    }
    ascii(digits.iter().fold(0, |all: u32, digit| all.wrapping_mul(base).wrapping_add(*digit)))
}

fn digits(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    base: u32,
    most: usize,
) -> Vec<u32> {
    let mut all = Vec::new();
    while all.len() < most
        && let Some(digit) = chars.peek().and_then(|sign| sign.to_digit(base))
    {
        all.push(digit);
        chars.next();
    }
    all
}

/// The character of a byte that is a character by itself.
fn ascii(value: u32) -> Option<char> {
    u8::try_from(value).ok().filter(|byte| byte.is_ascii() && *byte != 0).map(char::from)
}

#[cfg(test)]
#[path = "print_text_tests.rs"]
mod tests;
