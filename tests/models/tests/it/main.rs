//! State machines of the consistency protocols, searched whole within bounds.

mod controls;
mod finals;
