#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod applications;
mod authorize;
mod clients;
pub mod discovery;
mod issuer;
pub mod document;
pub mod keys;
mod machine;
mod params;
pub mod redirect;
mod policy;
pub mod presets;
mod resource;
mod server;
pub mod store;
mod token;

pub use applications::{Application, Applications, Reused};
pub use authorize::{AuthorizeError, Consent, Next, Person};
pub use clients::{ClientError, Clients};
pub use issuer::{Issuer, IssuerError};
pub use keys::{KeyError, Keys};
pub use resource::{ProtectedResource, ScopeWords};
pub use params::Params;
pub use policy::Policy;
pub use server::{AuthorizationServer, Parts};
pub use token::{AccessError, TokenError, Tokens};
