//! CORS: preflight requests and response headers for browsers.

use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use table_model::{
    ErrorCode, TableError,
    settings::{CorsMethod, CorsRule, CorsRules},
};

use super::{Call, Refusal, Reply, ServedAccount, observe::Subject, refused};

/// Headers that are added to every response when it is sent.
const ALWAYS: [&str; 4] = ["date", "server", "x-ms-request-id", "x-ms-version"];

/// Returns `true` for a CORS preflight request.
pub(super) fn is_question(call: &Call) -> bool {
    call.method == Method::OPTIONS
}

/// Responds to a preflight request, which needs neither a signature nor an existing resource. An unknown account is
/// treated like an account without CORS rules.
pub(super) async fn answer(account: Option<&ServedAccount>, call: &Call) -> Reply {
    let answer = match account {
        None => preflight(&CorsRules::default(), call),
        Some(account) => match account.settings.service_properties(call.kind).await {
            Ok(properties) => preflight(&properties.cors, call),
            Err(error) => Err(error.into()),
        },
    };
    answer.unwrap_or_else(|refusal| refused(call, &refusal))
}

fn preflight(rules: &CorsRules, call: &Call) -> Result<Reply, Refusal> {
    let (origin, method) = (call.header("origin"), call.header("access-control-request-method"));
    let (Some(origin), Some(method)) = (origin, method) else {
        let message = "A required CORS header is not present.";
        return Err(TableError::with_message(ErrorCode::InvalidHeaderValue, message).into());
    };
    let rule = method.parse().ok().and_then(|method| rules.find(origin, method));
    let headers = call.header("access-control-request-headers");
    let mut names = headers.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
    let rule = rule.filter(|rule| names.all(|name| rule.allows_header(name)));
    let rule = rule.ok_or(ErrorCode::CorsPreflightFailure)?;
    let mut reply = Reply::new(StatusCode::OK)
        .text(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin)
        .text(header::ACCESS_CONTROL_ALLOW_METHODS, method)
        .text(header::ACCESS_CONTROL_MAX_AGE, &rule.max_age.to_string())
        .header(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    if let Some(headers) = headers {
        reply = reply.text(header::ACCESS_CONTROL_ALLOW_HEADERS, headers);
    }
    Ok(reply)
}

/// Returns `true` if a CORS rule allows pages of an origin to use the method of the request.
pub(super) async fn allows(account: &ServedAccount, call: &Call, origin: &str) -> Result<bool, Refusal> {
    let properties = account.settings.service_properties(call.kind).await?;
    let method = call.method.as_str().parse().ok();
    Ok(method.is_some_and(|method| properties.cors.find(origin, method).is_some()))
}

/// Adds the CORS headers of a response.
pub(super) async fn mark(account: &ServedAccount, call: &Call, reply: &mut Reply) {
    match account.settings.service_properties(call.kind).await {
        Ok(properties) if properties.cors.as_slice().is_empty() => {}
        Ok(properties) => tell(&properties.cors, call, reply),
        // If the rules cannot be read, nothing is allowed.
        Err(error) => Subject::of(call, reply.facts.operation).log(&error.into()),
    }
}

/// Adds the CORS headers of accounts with rules.
fn tell(rules: &CorsRules, call: &Call, reply: &mut Reply) {
    let is_read = matches!(call.method, Method::GET | Method::HEAD);
    let method: Option<CorsMethod> = call.method.as_str().parse().ok();
    let origin = call.headers.get(header::ORIGIN);
    let rule = match origin {
        Some(origin) => {
            let origin = origin.to_str().ok();
            origin.zip(method).and_then(|(origin, method)| rules.find(origin, method))
        }
        // A response that is readable for all origins may be cached for all.
        None if is_read => method.and_then(|method| {
            rules.as_slice().iter().find(|rule| rule.is_for_all() && rule.allows("*", method))
        }),
        None => None,
    };
    let for_all = rule.is_some_and(CorsRule::is_for_all);
    if is_read && !for_all {
        reply.headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    let Some(rule) = rule else { return };
    let exposed = exposed(rule, reply);
    let allowed = if for_all { Some(HeaderValue::from_static("*")) } else { origin.cloned() };
    reply.headers.extend(allowed.map(|allowed| (header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed)));
    if !for_all {
        let credentials = HeaderValue::from_static("true");
        reply.headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, credentials);
    }
    if let Ok(exposed) = HeaderValue::from_str(&exposed)
        && !exposed.is_empty()
    {
        reply.headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// Returns the exposed headers: names from the rule, and response headers for name prefixes.
fn exposed(rule: &CorsRule, reply: &Reply) -> String {
    let there = || reply.headers.keys().map(HeaderName::as_str).chain(ALWAYS);
    let mut names: Vec<&str> = Vec::new();
    for name in &rule.exposed_headers {
        match name.strip_suffix('*') {
            None => names.push(name),
            Some(beginning) => names.extend(there().filter(|header| {
                header.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
            })),
        }
    }
    let mut told = Vec::new();
    names.retain(|name| {
        let lower = name.to_ascii_lowercase();
        let new = !told.contains(&lower);
        told.push(lower);
        new
    });
    names.join(",")
}

#[cfg(test)]
mod tests;
