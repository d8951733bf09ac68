//! Durations and sizes, read and written.

use super::*;

fn check(quantity: Quantity, text: &str, expected: Result<u64, &str>) {
    assert_eq!(quantity.parse(text), expected.map_err(str::to_owned), "{text}");
}

#[test]
fn times() {
    check(Quantity::Time, "90s", Ok(90));
    check(Quantity::Time, "10m", Ok(600));
    check(Quantity::Time, "2 h", Ok(7200));
    check(Quantity::Time, "10", Err("`10` has no unit"));
    check(Quantity::Time, "10min", Err("`min` is no unit of time"));
    check(Quantity::Time, "0s", Err("`0s` leaves nothing"));
    check(Quantity::Time, "-1s", Err("`-1s` is no whole number with a unit"));
    check(Quantity::Time, "", Err("`` is no whole number with a unit"));
    check(Quantity::Time, "1.5h", Err("`.5h` is no unit of time"));
}

#[test]
fn sizes() {
    check(Quantity::Size, "2GiB", Ok(2 << 30));
    check(Quantity::Size, "64kB", Ok(64_000));
    check(Quantity::Size, "7B", Ok(7));
    check(Quantity::Size, "2G", Err("`G` is no unit of size"));
    check(Quantity::Size, "99999999TiB", Err("`99999999TiB` is too much"));
}

#[test]
fn what_is_written_is_read_again() {
    for (quantity, number) in [
        (Quantity::Time, 90),
        (Quantity::Time, 86_400),
        (Quantity::Size, 2 << 30),
        (Quantity::Size, 1_500_000),
        (Quantity::Size, 1_000_000),
        (Quantity::Size, 12_345),
    ] {
        let text = quantity.write(number);
        assert_eq!(quantity.parse(&text), Ok(number), "{text}");
    }
    assert_eq!(Quantity::Size.write(2 << 30), "2GiB");
    assert_eq!(Quantity::Time.write(5400), "90m");
}
