//! Entity group transactions on the wire: requests and answers in one message each.

mod fields;
mod multipart;
pub mod request;
pub mod response;

pub use fields::Fields;
pub use request::{BatchRequest, Part};
pub use response::{PartAnswer, PartReply};
