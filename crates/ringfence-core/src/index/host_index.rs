//! An index of host patterns: names by their labels, addresses by value, networks by prefix.

use std::net::IpAddr;

use super::RuleNumber;
use super::hash::FastMap;
use super::input_token::InputToken;
use super::token_trie::{Step, TokenTrie, Tokens, WalkedPrefix};
use crate::net::{Cidr, HostName};

/// An index from a host to the patterns that match it.
#[derive(Debug, Default, Clone)]
pub(crate) struct HostIndex {
    names: TokenTrie,
    addresses: FastMap<IpAddr, Vec<RuleNumber>>,
    /// Networks by prefix length. An address is looked up once for each length in use.
    networks: Vec<(u8, FastMap<IpAddr, Vec<RuleNumber>>)>,
    loopback: Vec<RuleNumber>,
    any: Vec<RuleNumber>,
}

impl HostIndex {
    pub(crate) fn insert_exact(&mut self, host: &HostName, entry: RuleNumber) {
        match host {
            HostName::Domain(_) => self.names.insert(host.labels().map(Step::Literal), entry),
            HostName::Ip(address) => self.addresses.entry(*address).or_default().push(entry),
            HostName::Loopback => self.loopback.push(entry),
        }
    }

    pub(crate) fn insert_under(&mut self, domain: &HostName, entry: RuleNumber) {
        self.names.insert(domain.labels().map(Step::Literal).chain([Step::Deep]), entry);
    }

    pub(crate) fn insert_any(&mut self, entry: RuleNumber) {
        self.any.push(entry);
    }

    pub(crate) fn insert_network(&mut self, network: &Cidr, entry: RuleNumber) {
        let length = network.prefix_len();
        let at = match self.networks.iter().position(|(own, _)| *own == length) {
            Some(at) => at,
            None => {
                self.networks.push((length, FastMap::default()));
                self.networks.len().saturating_sub(1)
            }
        };
        if let Some((_, networks)) = self.networks.get_mut(at) {
            networks.entry(network.network()).or_default().push(entry);
        }
        if network.covers(&HostName::Loopback) {
            self.loopback.push(entry);
        }
    }

    /// Calls `found` for every pattern that matches the host. `labels` are the labels of the host.
    pub(crate) fn each_match(
        &self,
        host: &HostName,
        labels: &Tokens<'_>,
        mut found: impl FnMut(RuleNumber),
    ) {
        self.any.iter().for_each(|entry| found(*entry));
        match host {
            HostName::Domain(_) => {
                let found = &mut |entry, _| found(entry);
                self.names.each_match_from(&WalkedPrefix::default(), labels, found);
            }
            HostName::Ip(address) => self.each_address(*address, found),
            HostName::Loopback => self.loopback.iter().for_each(|entry| found(*entry)),
        }
    }

    fn each_address(&self, address: IpAddr, mut found: impl FnMut(RuleNumber)) {
        self.addresses.get(&address).into_iter().flatten().for_each(|entry| found(*entry));
        for (length, networks) in &self.networks {
            let Some(network) = Cidr::around(address, *length) else {
                continue;
            };
            networks.get(&network.network()).into_iter().flatten().for_each(|e| found(*e));
        }
    }
}

/// Returns the labels of a host name, last label first; empty for addresses and loopback.
pub(crate) fn labels(host: &HostName) -> Tokens<'_> {
    let HostName::Domain(name) = host else { return Tokens::new() };
    let (mut labels, mut rest) = (Tokens::new(), &**name);
    // A byte loop is faster than a search routine for such short texts.
    while let Some(at) = rest.bytes().rposition(|byte| byte == b'.') {
        labels.push(InputToken::Word(rest.get(at.saturating_add(1)..).unwrap_or_default()));
        rest = rest.get(..at).unwrap_or_default();
    }
    labels.push(InputToken::Word(rest));
    labels
}
