//! Does the shop keep its promises: to programs, to models, and to whoever sends it anything at all?

use jsonschema::Validator;
use lab_protocol::Tool;
use lab_server::{Dispatcher, Session, shop};
use proptest::prelude::*;
use serde_json::{Value, json};

fn dispatcher() -> Dispatcher {
    Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher")
}

fn tool<'a>(dispatcher: &'a Dispatcher, name: &str) -> &'a Tool {
    let mut tools = dispatcher.server().tools();
    tools.find(|tool| tool.name == name).expect("a tool")
}

fn validator(schema: &lab_protocol::Object) -> Validator {
    jsonschema::validator_for(&Value::Object(schema.clone())).expect("a schema")
}

/// The result of a call in the stateless era.
fn call(dispatcher: &Dispatcher, name: &str, arguments: &Value) -> Value {
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": name,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}
            }
        }
    });
    let text = dispatcher
        .handle_text(&mut Session::New, request.to_string().as_bytes())
        .expect("an answer");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert!(answer["result"].is_object(), "{answer}");
    answer["result"].clone()
}

/// Whether the arguments reached the tool: what it refuses to read is said in these words.
fn reached(result: &Value) -> bool {
    let words = result["content"][0]["text"].as_str().expect("words");
    !words.starts_with("Invalid arguments for ")
}

/// An order number, or what somebody could take for one.
fn order_id() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => "SO2026090[0-9]".prop_map(Value::from),
        2 => "SO[0-9]{8}".prop_map(Value::from),
        2 => "(SO|so|S0)?[0-9]{7,9}[ \n]?".prop_map(Value::from),
        1 => "SO[0-9]{7}[٣三a]".prop_map(Value::from),
        1 => ".{0,12}".prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!(["SO20260901"])),
        1 => Just(json!({ "order_id": "SO20260901" })),
    ]
}

fn arguments() -> impl Strategy<Value = Value> {
    let other = prop::option::weighted(0.2, ("order_id.?|[a-z]{0,8}", order_id()));
    (prop::option::weighted(0.9, order_id()), other).prop_map(|(id, other)| {
        let mut object = lab_protocol::Object::new();
        object.extend(other);
        object.extend(id.map(|id| ("order_id".to_owned(), id)));
        Value::Object(object)
    })
}

/// Bytes, and texts that come near to a message.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let method = prop_oneof![
        Just("tools/call".to_owned()),
        Just("tools/list".to_owned()),
        Just("initialize".to_owned()),
        Just("server/discover".to_owned()),
        ".{0,12}",
    ];
    let near = (method, order_id(), order_id(), arguments())
        .prop_map(|(method, id, meta, arguments)| {
            json!({
                "jsonrpc": "2.0", "id": id, "method": method,
                "params": { "_meta": meta, "name": "query_order", "arguments": arguments }
            })
            .to_string()
            .into_bytes()
        })
        .boxed();
    let cut = (near.clone(), any::<prop::sample::Index>()).prop_map(|(mut text, at)| {
        text.truncate(at.index(text.len()));
        text
    });
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        ".{0,100}".prop_map(String::into_bytes),
        near,
        cut,
    ]
}

/// Whether a text is a JSON-RPC response: version, an id that may be one, and a result or an error.
fn is_response(text: &str) -> bool {
    let Ok(Value::Object(answer)) = serde_json::from_str(text) else {
        return false;
    };
    let id = answer
        .get("id")
        .is_none_or(|id| id.is_string() || id.is_i64() || id.is_null());
    let outcome = match (answer.get("result"), answer.get("error")) {
        (Some(result), None) => result.is_object() && answer.contains_key("id"),
        (None, Some(error)) => error["code"].is_i64() && error["message"].is_string(),
        _ => false,
    };
    answer.get("jsonrpc") == Some(&json!("2.0")) && id && outcome
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn schema_and_tool_agree_about_arguments_and_successes_fit(arguments in arguments()) {
        let dispatcher = dispatcher();
        for name in ["query_order", "track_shipment"] {
            let tool = tool(&dispatcher, name);
            let result = call(&dispatcher, name, &arguments);
            let allowed = validator(&tool.input_schema).is_valid(&arguments);
            prop_assert_eq!(allowed, reached(&result), "{} {} gave {}", name, arguments, result);
            let output = result.get("structuredContent");
            prop_assert_eq!(output.is_some(), result.get("isError") != Some(&json!(true)));
            if let Some(output) = output {
                let promised = tool.output_schema.as_ref().expect("an output schema");
                prop_assert!(validator(promised).is_valid(output), "{}", output);
            }
        }
    }

    #[test]
    fn whatever_comes_is_answered_with_a_response_or_not_at_all(inputs in prop::collection::vec(input(), 1..4)) {
        let dispatcher = dispatcher();
        let mut session = Session::New;
        for input in inputs {
            if let Some(answer) = dispatcher.handle_text(&mut session, &input) {
                prop_assert!(is_response(&answer), "{}", answer);
            }
        }
    }
}

#[test]
fn the_three_orders_stand_where_the_course_says_and_amounts_are_integers() {
    let dispatcher = dispatcher();
    for (id, status) in [
        ("SO20260901", "shipped"),
        ("SO20260902", "paid"),
        ("SO20260903", "refunded"),
    ] {
        let result = call(&dispatcher, "query_order", &json!({ "order_id": id }));
        let order = &result["structuredContent"];
        assert_eq!(order["status"], status, "{order}");
        assert!(order["total"]["amount"].is_i64(), "{order}");
    }
    let tool = tool(&dispatcher, "query_order");
    let schema = json!(tool.output_schema);
    let amount = &schema["properties"]["total"]["properties"]["amount"];
    assert_eq!(amount["type"], "integer", "{schema}");
}
