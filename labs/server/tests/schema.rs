//! Do the published schemas and the typed handlers accept the same, whatever comes?

use jsonschema::Validator;
use lab_server::{Dispatcher, Session, shop};
use proptest::prelude::*;
use serde_json::{Value, json};

fn dispatcher() -> Dispatcher {
    Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher")
}

fn validator(schema: &lab_protocol::Object) -> Validator {
    jsonschema::validator_for(&Value::Object(schema.clone())).expect("a schema")
}

/// Calls a tool in a session of 2025-06-18, where wrong arguments have an error of their own.
fn call(dispatcher: &Dispatcher, name: &str, arguments: &Value) -> Value {
    let mut session = Session::Open(lab_protocol::Revision::V2025_06_18);
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": name, "arguments": arguments }
    });
    let answer = dispatcher
        .handle_text(&mut session, request.to_string().as_bytes())
        .expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

/// Any JSON, not too deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map(".{0,6}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// What could stand for an order number: right, nearly right, anything.
fn order_id() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "SO[0-9]{8}".prop_map(Value::from),
        1 => "SO2026090[0-9]".prop_map(Value::from),
        2 => "(SO|so|S0| SO)?[0-9]{7,9}[ \n]?".prop_map(Value::from),
        1 => r"SO\d{8}".prop_map(Value::from),
        1 => any_json(),
    ]
}

/// Objects with the member or without, and with others.
fn arguments() -> impl Strategy<Value = Value> {
    let others = prop_oneof![
        3 => Just(Vec::new()),
        1 => prop::collection::vec(("(order_id2|Order_id|[a-z]{0,3})", any_json()), 1..3),
    ];
    (prop::option::weighted(0.9, order_id()), others).prop_map(|(id, others)| {
        let mut object: lab_protocol::Object = others.into_iter().collect();
        if let Some(id) = id {
            object.insert("order_id".to_owned(), id);
        }
        Value::Object(object)
    })
}

#[test]
fn schema_and_handler_accept_the_same_arguments() {
    let dispatcher = dispatcher();
    let tools: Vec<_> = dispatcher
        .server()
        .tools()
        .map(|tool| (&tool.name, validator(&tool.input_schema)))
        .collect();
    let config = ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(arguments in arguments())| {
        for (name, schema) in &tools {
            let allowed = schema.is_valid(&arguments);
            let answer = call(&dispatcher, name, &arguments);
            let taken = answer.get("error").is_none();
            prop_assert_eq!(allowed, taken, "{}: {} gave {}", name, arguments, answer);
        }
    });
}

#[test]
fn every_output_fits_its_output_schema_and_stands_there_as_text_too() {
    let dispatcher = dispatcher();
    let mut seen = 0;
    for tool in dispatcher.server().tools() {
        let schema = validator(tool.output_schema.as_ref().expect("an output schema"));
        for day in 0..100 {
            let arguments = json!({ "order_id": format!("SO202609{day:02}") });
            let result = call(&dispatcher, &tool.name, &arguments)["result"].clone();
            let Some(output) = result.get("structuredContent") else {
                assert_eq!(result["isError"], true);
                continue;
            };
            assert!(schema.is_valid(output), "{output}");
            let text = result["content"][0]["text"].as_str().expect("text");
            let text: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(&text, output);
            seen += 1;
        }
    }
    assert_eq!(seen, 4, "three orders and one shipment");
}

#[test]
fn the_input_schema_says_all_that_a_model_needs() {
    let dispatcher = dispatcher();
    for tool in dispatcher.server().tools() {
        assert_eq!(
            Value::Object(tool.input_schema.clone()),
            json!({
                "type": "object",
                "properties": {
                    "order_id": {
                        "description": "The order number: SO and eight digits, such as SO20260901.",
                        "type": "string",
                        "pattern": r"^SO\d{8}$"
                    }
                },
                "additionalProperties": false,
                "required": ["order_id"]
            })
        );
    }
}

#[test]
fn unknown_order_reaches_the_model_as_words() {
    let dispatcher = dispatcher();
    let words = |name: &str, id: &str| {
        let answer = call(&dispatcher, name, &json!({ "order_id": id }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    let unknown = words("query_order", "SO20260991");
    assert!(
        unknown.contains("SO20260991") && unknown.contains("SO20260901"),
        "{unknown}"
    );
    assert!(words("track_shipment", "SO20260902").contains("not been shipped yet"));
    assert!(words("track_shipment", "SO20260903").contains("refunded"));
}
