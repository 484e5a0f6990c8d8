//! The five exercises of the core lab and the six checks.
