//! Answers: lists without what is denied, and what results ask of the client.

use ringfence_guard::Refusal;

use super::{Gateway, Next, Side, Step, Subject, Waiting};
use crate::answer::{self, Form};
use crate::definitions::News;
use crate::id::Id;
use crate::judge::Decision;
use crate::list;
use crate::method::{self, Answer, Care, Exempt, Listed};
use crate::object::{Object, Raw};
use crate::outgoing::Outgoing;
use crate::pending::Request;
use crate::pin::Kind;

impl Gateway {
    /// An answer goes to whoever asked, if what it says may be heard.
    pub(super) fn answer<'a>(
        &self,
        side: Side,
        text: &'a str,
        id: &Id,
        result: Option<Raw<'_>>,
    ) -> Next<'a> {
        if side == Side::Client
            && let Some(steps) = self.heard(id, result)
        {
            return steps.into();
        }
        let asked = match side {
            Side::Server => self.state().of_client.take_sent(id),
            Side::Client => self.state().of_server.take_sent(id),
        };
        let Some(request) = asked else {
            let note = format!("an answer to nothing was dropped: {}", id.as_json());
            return Step::Note(note).into();
        };
        let (Side::Server, Some(result)) = (side, result) else {
            return Next::Onwards(Outgoing::answer(&request, text));
        };
        match self.check_input(result) {
            Ok(()) => {}
            Err(Stop::Unreadable(reason)) => {
                let reason = format!("the server's answer cannot be read: {reason}");
                return Step::own(answer::gone(id, &reason)).into();
            }
            Err(Stop::Refused(refusal)) => {
                let form = match request.answer {
                    Answer::Tool => Form::ToolResult { says_its_kind: true },
                    _ => Form::Error,
                };
                return Step::own(answer::refused(id, form, &refusal)).into();
            }
        }
        match request.answer {
            Answer::List(listed) => self.list(&request, text, (id, result), listed).into(),
            Answer::Greeting | Answer::Discovery => {
                self.introduction(&request, text, (id, result)).into()
            }
            Answer::Stream | Answer::Tool | Answer::Other => {
                Next::Onwards(Outgoing::answer(&request, text))
            }
        }
    }

    fn list(
        &self,
        request: &Request,
        text: &str,
        (id, result): (&Id, Raw<'_>),
        listed: Listed,
    ) -> Vec<Step> {
        match self.listed(text, result, listed) {
            Ok((shown, news)) => {
                let shown = shown.unwrap_or_else(|| text.to_owned());
                let shown = Outgoing::answer(request, shown);
                std::iter::once(Step::ToClient(shown)).chain(asks(listed.kind, news)).collect()
            }
            Err(reason) => {
                let reason = format!("the server's list cannot be shown: {reason}");
                vec![Step::own(answer::gone(id, &reason))]
            }
        }
    }

    /// The message with the list as the client sees it, where that is another one, and what was
    /// withheld of it.
    fn listed(
        &self,
        text: &str,
        result: Raw<'_>,
        listed: Listed,
    ) -> Result<(Option<String>, Option<News>), String> {
        let mut look = self.definitions.as_ref().map(|own| own.look(listed.kind)).transpose()?;
        let shown = list::without(result, listed, |name, entry| {
            self.judge.hides(listed, name)
                || look.as_mut().is_some_and(|look| look.withholds(name, entry))
        })?;
        let news = look.map_or(Ok(None), |look| look.finish())?;
        let shown = match shown {
            None => None,
            Some(result) => Some(Object::read(text)?.with("result", &result)),
        };
        Ok((shown, news))
    }

    /// Judges what a result asks of the client: since 2026-07-28, sampling and elicitation come as
    /// results.
    fn check_input(&self, result: Raw<'_>) -> Result<(), Stop> {
        if !result.get().starts_with('{') {
            return Ok(());
        }
        let fields = Object::read(result.get()).map_err(Stop::Unreadable)?;
        if fields.lookalike(&["inputRequests"]).is_some() {
            return Err(Stop::Unreadable("a key is spelt in another way".to_owned()));
        }
        let Some(requests) = fields.get("inputRequests") else { return Ok(()) };
        let requests = Object::read(requests.get()).map_err(Stop::Unreadable)?;
        requests.values().try_for_each(|raw| {
            let request = Object::read(raw.get()).map_err(Stop::Unreadable)?;
            let method = request.text("method").ok_or_else(|| {
                Stop::Unreadable("it asks for something that has no method".to_owned())
            })?;
            if let Care::None(_) = method::from_server(&method) {
                return Ok(());
            }
            match self.judge.decide_method(&method, raw.get()) {
                Decision::Pass(_) => Ok(()),
                Decision::Refuse(refusal) => Err(Stop::Refused(refusal)),
                Decision::Ask(question, _) => Err(match question.refusal {
                    Some(refusal) => Stop::Refused(Box::new(refusal)),
                    None => Stop::Unreadable(question.why),
                }),
            }
        })
    }
}

impl Gateway {
    /// Decides what a message that nobody asked for asks of the client.
    pub(super) fn decide_input<'a>(
        &self,
        params: Option<Raw<'_>>,
        exempt: Exempt,
        text: &'a str,
    ) -> Result<Decision<'a>, String> {
        let passed = Decision::Pass(Outgoing::exempt(exempt, text));
        let Some(params) = params.filter(|own| own.get().starts_with('{')) else {
            return Ok(passed);
        };
        // What is told of a task may stand by itself.
        let task = Object::read(params.get())?.get("task");
        match self
            .check_input(params)
            .and_then(|()| task.map_or(Ok(()), |own| self.check_input(own)))
        {
            Ok(()) => Ok(passed),
            Err(Stop::Unreadable(reason)) => Err(reason),
            Err(Stop::Refused(refusal)) => Ok(Decision::Refuse(refusal)),
        }
    }
}

/// What is said and asked about definitions that were withheld just now.
pub(super) fn asks(kind: Kind, news: Option<News>) -> impl Iterator<Item = Step> {
    news.into_iter().flat_map(move |news| {
        let subject = Subject::Definitions(kind, news.definitions);
        let note = format!("withheld: {}", news.question.why);
        let question = Box::new(news.question);
        [Step::Note(note), Step::Ask(Waiting { question, subject })]
    })
}

/// Why an answer is not passed on.
enum Stop {
    Unreadable(String),
    Refused(Box<Refusal>),
}
