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

/// Receives a form.
///
/// # Errors
///
/// Returns an error if the body is too large, too slow or incomplete, or has too many fields.
pub(super) async fn form<B>(
    headers: &HeaderMap,
    body: B,
    limits: Limits,
) -> Result<(Params, Option<File>), Problem>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let body = whole(body, limits).await?;
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let (fields, file) = match content_type.and_then(|kind| Upload::read(kind, &body)) {
        Some(Upload { fields, file }) => (fields, file),
        None if body.split(|byte| *byte == b'&').count() > MOST_FIELDS => return Err(too_many()),
        None => (Params::parse(&String::from_utf8_lossy(&body)), None),
    };
    if fields.pairs().len() > MOST_FIELDS { Err(too_many()) } else { Ok((fields, file)) }
}

async fn whole<B>(body: B, limits: Limits) -> Result<Bytes, Problem>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut body = pin!(Limited::new(body, limits.bytes));
    let mut bytes = BytesMut::new();
    let received = time::timeout(limits.time, async {
        while let Some(frame) = time::timeout(limits.idle, body.frame()).await? {
            match frame {
                Ok(frame) => bytes.extend_from_slice(&frame.into_data().unwrap_or_default()),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    });
    match received.await.unwrap_or_else(Err::<_, Elapsed>) {
        Ok(Ok(())) => Ok(bytes.freeze()),
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
        assert_eq!(whole(unfinished(), limits).await.map_err(status), Err(408));
        assert_eq!(whole(slow(), limits).await.map_err(status), Ok(Bytes::from("aaaaaaaa")));
        let limits = Limits { time: 4 * STEP, ..limits };
        assert_eq!(whole(slow(), limits).await.map_err(status), Err(408));
        assert_eq!(whole(slow(), Limits { bytes: 1, ..limits }).await.map_err(status), Err(413));
    }
}
