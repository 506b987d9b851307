//! Destructive operations ask first.

use jiff::civil::Date;

use crate::TripId;

/// Either the question, or the outcome of the confirmed call.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmable<T> {
    /// Nothing happened yet: call again with the token and the same arguments.
    Ask {
        /// Random, single use, five minutes.
        token: String,
        /// What would be touched.
        impact: Impact,
    },
    /// It is done.
    Done(T),
}

/// What a destructive operation would touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// The trip.
    pub trip: TripId,
    /// Its title.
    pub title: Option<String>,
    /// Days, rest days excluded.
    pub stage_count: usize,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day.
    pub end_date: Option<Date>,
    /// Whether there is a public link.
    pub has_active_link: bool,
    /// What will happen, what is lost included.
    pub action: String,
}
