#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod alert;
mod aside;
mod confirm;
mod create;
mod dates;
mod day_lines;
mod edit;
mod elevation;
mod error;
mod geo;
pub mod pacing;
pub mod places;
mod planner;
pub mod route;
mod share;
pub mod store;
mod text;
mod trip;

pub use btp_kernel as kernel;

pub use alert::{Alert, Severity};
pub use aside::{Aside, AtOnce};
pub use confirm::{Confirmable, Impact};
pub use create::{CreateTrip, Created, UploadTrip};
pub use dates::{DateError, parse_date};
pub use edit::{AddWaypoint, ChooseAccommodation, EditStages, Edited, SettingsChanges, StageEdit, UpdateSettings};
pub use elevation::known_elevation;
pub use error::{Error, Refusal};
pub use geo::{Line, Point, distance};
pub use planner::{Background, DayView, PlannedRoute, Planner, Ports, SCOPE_READ, SCOPE_WRITE, WholeTrip};
pub use route::{Failure, FailureCode, SourceKind, SourceRef};
pub use share::{ShareLink, SharedTrip};
pub use trip::{
    AccommodationType, Computation, Computations, GeometryQuality, Leg, ListStatus, Readiness, Settings, Stage,
    StageId, Trip, TripId, TripSummary, Warning,
};
