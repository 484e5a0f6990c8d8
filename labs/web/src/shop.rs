//! How does a server run inside a page?
//!
//! The dispatcher of `labs/server` does no input or output, so that it compiles to WebAssembly as it is. It is called
//! with a text and gives a text, as the pipe of a child process would.

use std::cell::RefCell;

use lab_server::{Dispatcher, Session, shop};

/// The shop server as a function from a message to its answer.
pub type Shop = Box<dyn Fn(&str) -> Option<String>>;

/// Opens the shop. Its session lives as long as the connection of the page.
///
/// # Errors
/// When the data that was compiled in is broken, in words.
pub fn open() -> Result<Shop, String> {
    let dispatcher = shop::server()
        .and_then(Dispatcher::new)
        .map_err(|error| format!("the shop in this page cannot open: {error}"))?;
    let session = RefCell::new(Session::default());
    Ok(Box::new(move |text| {
        dispatcher.handle_text(&mut session.borrow_mut(), text.as_bytes())
    }))
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use lab_client::{Client, Era, EraChoice, Options};
    use lab_protocol::Object;

    use crate::outcome::{Outcome, language};
    use crate::source::Source;

    /// The server in the page answers at once, so that nothing here ever waits.
    fn now<F: Future>(future: F) -> F::Output {
        let mut future = pin!(future);
        match future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("the server in the page does not wait"),
        }
    }

    fn connect(era: EraChoice) -> Client<Source> {
        let options = Options {
            era,
            ..Options::default()
        };
        let source = Source::choose("browser").expect("the shop opens");
        now(Client::connect(source, options)).expect("a connection")
    }

    fn call(era: EraChoice, tool: &str, order: &str, lang: &str) -> Outcome {
        let client = connect(era);
        let arguments = Object::from_iter([("order_id".to_owned(), order.into())]);
        let result = now(client.call_tool(tool, arguments));
        Outcome::of(result, language(lang))
    }

    #[test]
    fn the_shipped_order_is_told_in_both_eras_and_languages() {
        for era in [EraChoice::Session, EraChoice::Stateless] {
            let english = call(era, "query_order", "SO20260901", "en");
            assert_eq!(english.kind, "result");
            assert!(english.answer.contains("shipped"), "{}", english.answer);
            let chinese = call(era, "query_order", "SO20260901", "zh");
            assert!(chinese.answer.contains("已发货"), "{}", chinese.answer);
        }
    }

    #[test]
    fn both_kinds_of_failure_are_told_apart() {
        let era = EraChoice::Stateless;
        assert_eq!(
            call(era, "query_order", "SO20269999", "en").kind,
            "tool_error"
        );
        assert_eq!(
            call(era, "query_order", "nonsense", "en").kind,
            "tool_error"
        );
        assert_eq!(
            call(era, "refund", "SO20260901", "en").kind,
            "protocol_error"
        );
    }

    #[test]
    fn the_last_event_of_a_parcel_is_told() {
        let outcome = call(EraChoice::Auto, "track_shipment", "SO20260901", "en");
        assert_eq!(outcome.kind, "result");
        assert!(
            outcome.answer.starts_with("Order SO20260901"),
            "{}",
            outcome.answer
        );
    }

    #[test]
    fn the_shop_speaks_both_eras_and_the_newer_one_is_found() {
        assert_eq!(connect(EraChoice::Auto).era(), Era::Stateless);
        assert_eq!(connect(EraChoice::Session).era(), Era::Session);
    }
}
