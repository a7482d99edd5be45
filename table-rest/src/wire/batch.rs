//! Wire format of entity group transactions: requests and responses, each in one multipart message.

mod fields;
mod multipart;
pub mod request;
pub mod response;

pub use fields::Fields;
pub use request::{BatchRequest, Part};
pub use response::{PartAnswer, PartReply};
