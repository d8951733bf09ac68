//! Tests for combining the settings of several documents.

use super::*;

fn trying(facets: &[Facet]) -> Settings {
    Settings { best_effort: Some(facets.iter().copied().collect()), ..Settings::default() }
}

fn limited(time: u64, memory: Option<u64>) -> Settings {
    Settings {
        limits: Limits { time: Some(time), memory, ..Limits::default() },
        ..Settings::default()
    }
}

#[test]
fn a_facet_is_optional_only_if_all_documents_that_mention_it_agree() {
    let one = trying(&[Facet::Files, Facet::Network]);
    let two = trying(&[Facet::Network, Facet::Limits]);
    assert_eq!(one.clone().meet(&two), trying(&[Facet::Network]));
    assert_eq!(one.clone().meet(&Settings::default()), one);
    assert_eq!(Settings::default().meet(&two), two);
    assert_eq!(one.meet(&trying(&[])), trying(&[]));
}

#[test]
fn the_lower_limit_counts() {
    assert_eq!(limited(60, None).meet(&limited(90, Some(5))), limited(60, Some(5)));
    assert_eq!(limited(90, Some(9)).meet(&limited(60, Some(5))), limited(60, Some(5)));
}

#[test]
fn children_are_judged_if_one_document_says_so() {
    let says = |children| Settings { children, ..Settings::default() };
    let judged = says(Some(Children::Judged));
    assert_eq!(judged.clone().meet(&says(Some(Children::Inherit))), judged);
    assert_eq!(says(Some(Children::Inherit)).meet(&judged), judged);
    assert_eq!(says(None).meet(&judged), judged);
}

#[test]
fn agents_decide_only_if_no_document_objects() {
    let say = |unlisted, wait| Settings {
        hooks: Hooks { unlisted, wait, shell: None },
        ..Settings::default()
    };
    let (ask, agent) = (Some(UnlistedCalls::Ask), Some(UnlistedCalls::Agent));
    for (one, two, both) in [(ask, agent, ask), (agent, None, agent), (agent, agent, agent)] {
        assert_eq!(say(one, None).meet(&say(two, None)).hooks.unlisted, both);
        assert_eq!(say(two, None).meet(&say(one, None)).hooks.unlisted, both);
    }
    assert_eq!(say(None, Some(5)).meet(&say(None, Some(9))).hooks.wait, Some(5));
    assert_eq!(say(None, None).meet(&say(None, Some(9))).hooks.wait, Some(9));
}
