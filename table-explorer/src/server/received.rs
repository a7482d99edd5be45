//! The body of a request, with limits of size and time.

use std::{error::Error, pin::pin, time::Duration};

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{HeaderMap, StatusCode, body::Body, header};
use tokio::time::{self, error::Elapsed};

use crate::{
    body::MOST_TIME,
    params::Params,
    problem::Problem,
    upload::{File, Upload},
};

/// Maximum number of fields of a form. The largest one of the explorer has 80 properties.
const MOST_FIELDS: usize = 1_000;
/// Number of bytes of a form that contain its token.
const START: usize = 16 << 10;
/// Time for a form, and for the next bytes of a file.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a body may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    bytes: usize,
    /// Time without another byte.
    idle: Duration,
    time: Duration,
}

impl Limits {
    /// The limits of a form: the largest value of a property, as it was and as it is, in escapes.
    pub(super) const FORM: Self = Self { bytes: 2 << 20, idle: PATIENCE, time: PATIENCE };
    /// The limits of a form with a file.
    pub(super) const FILE: Self = Self { bytes: 5 << 20, idle: PATIENCE, time: MOST_TIME };
}

/// Receives a form. Returns `None` without its token: a header, or the first field. The rest of such a body is not read.
///
/// # Errors
///
/// Returns an error if the body is too large, too slow or incomplete, or has too many fields.
pub(super) async fn form<B>(
    headers: &HeaderMap,
    body: B,
    limits: Limits,
    is_token: impl Fn(&str) -> bool,
) -> Result<Option<(Params, Option<File>)>, Problem>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let in_head = headers.get("x-form-token").map(|token| token.to_str().is_ok_and(&is_token));
    if in_head == Some(false) {
        return Ok(None);
    }
    let is_own = |start: &[u8]| in_head.is_some() || has_token(start, &is_token);
    let Some(body) = whole(body, limits, is_own).await? else { return Ok(None) };
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let (fields, file) = match content_type.and_then(|kind| Upload::read(kind, &body)) {
        Some(Upload { fields, file }) => (fields, file),
        None if body.split(|byte| *byte == b'&').count() > MOST_FIELDS => return Err(too_many()),
        None => (Params::parse(&String::from_utf8_lossy(&body)), None),
    };
    if fields.pairs().len() > MOST_FIELDS { Err(too_many()) } else { Ok(Some((fields, file))) }
}

/// Returns whether the start of a form contains the field with its token, in either encoding.
fn has_token(start: &[u8], is_token: impl Fn(&str) -> bool) -> bool {
    let start = String::from_utf8_lossy(start.get(..START).unwrap_or(start));
    let mut parts = start.split("name=\"form-token\"\r\n\r\n").skip(1);
    let has_part = parts.any(|part| part.split("\r\n").next().is_some_and(&is_token));
    has_part || Params::parse(&start).all("form-token").any(is_token)
}

/// Receives a body. Returns `None` as soon as its start is known not to be one of an own form.
async fn whole<B>(body: B, limits: Limits, is_own: impl Fn(&[u8]) -> bool) -> Result<Option<Bytes>, Problem>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut body = pin!(Limited::new(body, limits.bytes));
    let mut bytes = BytesMut::new();
    let mut is_known = false;
    let received = time::timeout(limits.time, async {
        while let Some(frame) = time::timeout(limits.idle, body.frame()).await? {
            match frame {
                Ok(frame) => bytes.extend_from_slice(&frame.into_data().unwrap_or_default()),
                Err(error) => return Ok(Err(error)),
            }
            if !is_known && bytes.len() >= START {
                is_known = is_own(&bytes);
                if !is_known {
                    return Ok(Ok(false));
                }
            }
        }
        Ok(Ok(is_known || is_own(&bytes)))
    });
    match received.await.unwrap_or_else(Err::<_, Elapsed>) {
        Ok(Ok(is_own)) => Ok(is_own.then(|| bytes.freeze())),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(too_large(format!("It has at most {} bytes.", limits.bytes)))
        }
        Ok(Err(error)) => Err(Problem::invalid(format!("The form is incomplete: {error}."))),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "The form arrived too slowly",
            "Nothing was changed. Go back, and send it again.",
        )),
    }
}

fn too_many() -> Problem {
    too_large(format!("It has at most {MOST_FIELDS} fields."))
}

fn too_large(detail: String) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "Form too large", detail)
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use crate::body::produced;

    const STEP: Duration = Duration::from_millis(40);

    #[tokio::test]
    async fn a_body_has_limits_of_time() {
        let limits = Limits { bytes: 10, idle: 4 * STEP, time: 100 * STEP };
        let unfinished = || {
            produced(|out| async move {
                out.send("a").await?;
                pending().await
            })
        };
        let slow = || {
            produced(|out| async move {
                for _ in 0..8 {
                    out.send("a").await?;
                    time::sleep(STEP).await;
                }
                Ok(())
            })
        };
        let status = |problem: Problem| problem.status.as_u16();
        let whole = async |body, limits| whole(body, limits, |_| true).await.map_err(status);
        assert_eq!(whole(unfinished(), limits).await, Err(408));
        assert_eq!(whole(slow(), limits).await, Ok(Some(Bytes::from("aaaaaaaa"))));
        let limits = Limits { time: 4 * STEP, ..limits };
        assert_eq!(whole(slow(), limits).await, Err(408));
        assert_eq!(whole(slow(), Limits { bytes: 1, ..limits }).await, Err(413));
    }
}
