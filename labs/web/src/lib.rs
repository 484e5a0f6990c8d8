//! What the lab pages call: the client, the bridge and the shop server as WebAssembly.
