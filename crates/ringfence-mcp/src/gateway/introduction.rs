//! Who a server says it is, without instructions for models that no person has looked at.

use ringfence_guard::strict_json;

use super::answers::asks;
use super::{Gateway, Step};
use crate::answer;
use crate::definitions::News;
use crate::id::Id;
use crate::object::{Object, Raw};
use crate::outgoing::Outgoing;
use crate::pending::Request;
use crate::pin::{Kind, instructions};

impl Gateway {
    /// Who the server is, without instructions that no person has looked at.
    pub(super) fn introduction(
        &self,
        request: &Request,
        text: &str,
        (id, result): (&Id, Raw<'_>),
    ) -> Vec<Step> {
        match self.introduced(text, result) {
            Ok((shown, news)) => {
                let shown = shown.unwrap_or_else(|| text.to_owned());
                let shown = Outgoing::answer(request, shown);
                let asked = asks(Kind::Instructions, news);
                std::iter::once(Step::ToClient(shown)).chain(asked).collect()
            }
            Err(reason) => {
                let reason = format!("the server's introduction cannot be shown: {reason}");
                vec![Step::own(answer::gone(id, &reason))]
            }
        }
    }

    /// The message as the client sees it, where that is another one, and what was withheld of it.
    fn introduced(
        &self,
        text: &str,
        result: Raw<'_>,
    ) -> Result<(Option<String>, Option<News>), String> {
        let Some(definitions) = &self.definitions else { return Ok((None, None)) };
        let fields = Object::read(result.get())?;
        if fields.lookalike(&[instructions::KEY]).is_some() {
            return Err("a key is spelt in another way".to_owned());
        }
        let said = fields.get(instructions::KEY).map(|own| strict_json::read(own.get()));
        let (is_withheld, news) = definitions.instructions(said.transpose()?)?;
        let shown = match is_withheld {
            false => None,
            true => {
                let result = fields.without(&[instructions::KEY]);
                Some(Object::read(text)?.with("result", &result))
            }
        };
        Ok((shown, news))
    }
}
