//! A host: many clients, one list of tools, and the loop that asks a model.
