use super::*;

#[test]
fn what_was_refused_since_a_mark_is_told_alone() {
    let collector = Collector::default();
    let add = |what: &str| collector.add(RefusedAction::plain(what, "no"));
    add("one");
    add("two");
    let mark = collector.mark();
    assert_eq!(collector.since(&mark), Report::default());
    add("two");
    add("three");
    add("two");
    let times = |report: Report| {
        let own = report.refused.into_iter().map(|own| (own.what, own.times));
        own.collect::<Vec<_>>()
    };
    assert_eq!(times(collector.since(&mark)), [("two".to_owned(), 2), ("three".to_owned(), 1)]);
    // The whole report is as it was.
    let all = [("one".to_owned(), 1), ("two".to_owned(), 3), ("three".to_owned(), 1)];
    assert_eq!(times(collector.report()), all);
}

#[test]
fn a_report_is_read_as_it_was_written() {
    let collector = Collector::default();
    collector.add(RefusedAction { list: "danger".into(), ..RefusedAction::plain("one", "no") });
    let report = Report { limit: Some("time".into()), ..collector.report() };
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
}
