//! What the quiz pages call, as WebAssembly.
