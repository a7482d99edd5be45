use super::*;
use crate::server::Emulation;

/// Returns a request over TLS with a token of these claims.
fn with_token(claims: &str) -> Call {
    let part = |text: &str| base64::Engine::encode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, text);
    with_header(&format!("Bearer {}.{}.{}", part(r#"{"alg":"none"}"#), part(claims), part("unsigned")))
}

fn with_header(header: &str) -> Call {
    let mut call = people("");
    call.secure = true;
    call.headers.insert(AUTHORIZATION, HeaderValue::from_str(header).unwrap());
    call
}

/// Claims that are valid at [`NOW`], with one replaced.
fn claims(name: &str, value: &str) -> String {
    // 2024-03-01T00:00:00Z
    let all = [
        ("iss", r#""https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/""#),
        ("aud", r#""https://storage.azure.com""#),
        ("iat", "1709251200"),
        ("nbf", "1709251200"),
        ("exp", "1709251201"),
    ];
    let one =
        |(known, valid): (&str, &str)| format!(r#""{known}":{}"#, if known == name { value } else { valid });
    format!("{{{}}}", all.map(one).join(","))
}

fn tokened(call: &Call, unverified_tokens: bool) -> Result<Grant, ErrorCode> {
    let emulation = Emulation { unverified_tokens, ..Emulation::default() };
    let account = account().emulating(emulation);
    pollster::block_on(authenticate(&account, call)).map_err(|refusal| refusal.error.code())
}

#[test]
fn a_token_is_for_emulators_and_tls_only() {
    let call = with_token(&claims("", ""));
    assert_eq!(code(tokened(&call, true).unwrap().permit(&READ)), None);
    assert_eq!(tokened(&call, false).err(), Some(ErrorCode::InvalidAuthenticationInfo));
    let plain = Call { secure: false, ..call };
    assert_eq!(tokened(&plain, true).err(), Some(ErrorCode::AuthenticationFailed));
}

#[test]
fn a_token_does_not_tell_whether_an_account_exists() {
    let call = with_token(&claims("", ""));
    for call in [Call { kind: ServiceKind::Queue, ..call.clone() }, call] {
        let known = pollster::block_on(authenticate(&account(), &call)).unwrap_err();
        let unknown = refuse_unknown(&call);
        let of = |refusal: &Refusal| (refusal.error.to_string(), refusal.details.clone());
        assert_eq!(of(&unknown), of(&known));
        assert_eq!(unknown.error.code(), ErrorCode::InvalidAuthenticationInfo);
    }
}

#[test]
fn the_table_service_says_in_the_message_why_a_token_is_refused() {
    let emulating = account().emulating(Emulation { unverified_tokens: true, ..Emulation::default() });
    let said = |call: &Call| {
        let refusal = pollster::block_on(authenticate(&emulating, call)).unwrap_err();
        refusal.error.message().to_owned()
    };
    let call = with_token(&claims("exp", "1"));
    assert!(said(&call).ends_with(" The bearer token has expired."), "{}", said(&call));
    // The other services have an element for the reason.
    let call = Call { kind: ServiceKind::Queue, ..call };
    assert_eq!(said(&call), ErrorCode::AuthenticationFailed.message());
}

#[test]
fn a_token_has_the_right_audience_issuer_and_times() {
    for (name, value, valid) in [
        ("aud", r#""https://storage.azure.com/""#, true),
        ("aud", r#""e406a681-f3d4-42a8-90b6-c2b029497af1""#, true),
        ("aud", r#""https://acme.table.core.windows.net/""#, true),
        ("aud", r#""https://acme.table.core.usgovcloudapi.net""#, true),
        ("aud", r#""https://acme.queue.core.windows.net""#, false),
        ("aud", r#""https://other.table.core.windows.net""#, false),
        ("aud", r#""https://acmes.table.core.windows.net""#, false),
        ("aud", r#""https://acme.table.example.com""#, false),
        ("aud", r#""http://storage.azure.com""#, false),
        ("aud", r#""https://storage.azure.com.example.com""#, false),
        ("aud", r#""""#, false),
        ("aud", r#"["https://storage.azure.com"]"#, false),
        ("iss", r#""https://sts.chinacloudapi.cn/t/""#, true),
        ("iss", r#""https://sts.windows.net.example.com/""#, false),
        ("iss", r#""https://sts.windows-ppe.net.example.com/""#, false),
        ("iss", "null", false),
        ("nbf", "1709251201", false),
        ("nbf", "-1", true),
        ("exp", "1709251200", false),
        ("exp", r#""1709251201""#, false),
        ("iat", "null", false),
    ] {
        let refused = tokened(&with_token(&claims(name, value)), true).err();
        assert_eq!(refused, (!valid).then_some(ErrorCode::AuthenticationFailed), "{name} {value}");
    }
}

#[test]
fn what_is_no_token_is_refused() {
    let good = with_token(&claims("", "")).headers[AUTHORIZATION].to_str().unwrap().to_owned();
    assert!(tokened(&with_header(&good.replace("Bearer", "bearer  ")), true).is_ok());
    for header in [
        "Bearer x".to_owned(),
        "Bearer ..".to_owned(),
        "Bearer e30.e30.".to_owned(),
        format!("{good}.e30"),
        format!("{good}="),
        good.rsplit_once('.').unwrap().0.to_owned(),
        good.replace("Bearer ", "Bearer *"),
    ] {
        assert_eq!(
            tokened(&with_header(&header), true).err(),
            Some(ErrorCode::AuthenticationFailed),
            "{header}"
        );
    }
    assert_eq!(tokened(&with_header("Bearer"), true).err(), Some(ErrorCode::InvalidAuthenticationInfo));
}
