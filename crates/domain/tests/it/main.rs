//! The engine through its public face: pure cutting, and the planner over memory stores.

mod climbing;
mod cutting;
