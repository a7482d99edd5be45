//! Stored access policies: the body of Get and Set ACL of tables, queues and containers.

use bytes::Bytes;
use table_model::{
    ErrorCode, Result, TableError, Timestamp,
    settings::{StoredPolicies, StoredPolicy},
};

use super::xml::{Element, Limits, Writer, parse};

/// Maximum size of a request body; five policies need far less.
pub const MOST_BYTES: usize = 64 << 10;

/// Writes the policies.
///
/// ```
/// use table_rest::wire::acl;
/// use table_model::settings::{StoredPolicies, StoredPolicy};
///
/// let policies = StoredPolicies::new(vec![StoredPolicy::new("readers").permission("r")])?;
/// assert_eq!(acl::read(&acl::write(&policies))?, policies);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[must_use]
pub fn write(policies: &StoredPolicies) -> Bytes {
    let mut xml = Writer::new();
    xml.element("SignedIdentifiers", |xml| {
        for policy in policies.as_slice() {
            xml.element("SignedIdentifier", |xml| {
                xml.text("Id", &policy.id);
                // A policy without values has no `AccessPolicy` element.
                if policy.start.is_none() && policy.expiry.is_none() && policy.permission.is_none() {
                    return;
                }
                xml.element("AccessPolicy", |xml| {
                    for (name, time) in [("Start", policy.start), ("Expiry", policy.expiry)] {
                        if let Some(time) = time {
                            xml.text(name, &time.to_full_string());
                        }
                    }
                    if let Some(permission) = &policy.permission {
                        xml.text("Permission", permission);
                    }
                });
            });
        }
    });
    xml.finish()
}

/// Reads policies. An empty body contains no policies.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` without an Id, `InvalidXmlNodeValue` for an invalid time, or
/// an error of [`StoredPolicies::new`].
pub fn read(body: &[u8]) -> Result<StoredPolicies> {
    if body.is_empty() {
        return Ok(StoredPolicies::default());
    }
    let limits = Limits { bytes: MOST_BYTES, elements: 1_000 };
    let root = parse(body, limits)?.named("SignedIdentifiers")?;
    let policies = root.children.into_iter().map(policy).collect::<Result<_>>()?;
    StoredPolicies::new(policies)
}

fn policy(element: Element) -> Result<StoredPolicy> {
    let element = element.named("SignedIdentifier")?;
    let mut policy = StoredPolicy::new(element.required("Id")?);
    let Some(access) = element.child("AccessPolicy") else { return Ok(policy) };
    policy.start = time(access, "Start")?;
    policy.expiry = time(access, "Expiry")?;
    policy.permission = access.text_of("Permission").filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(policy)
}

/// Returns the time in a child element, or `None` if it is missing or empty.
fn time(access: &Element, name: &str) -> Result<Option<Timestamp>> {
    let text = access.text_of(name).map(str::trim).filter(|text| !text.is_empty());
    text.map(str::parse).transpose().map_err(|_: TableError| ErrorCode::InvalidXmlNodeValue.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DECLARED: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    fn written(policies: &StoredPolicies) -> String {
        String::from_utf8(write(policies).to_vec()).unwrap()
    }

    #[test]
    fn policies_are_written_as_the_service_writes_them() {
        let policy = StoredPolicy::new("pol1")
            .start("2015-01-01T12:10:00Z".parse().unwrap())
            .expiry("2015-01-02T12:10:00Z".parse().unwrap())
            .permission("raud");
        let expected = format!(
            "{DECLARED}<SignedIdentifiers><SignedIdentifier><Id>pol1</Id><AccessPolicy>\
             <Start>2015-01-01T12:10:00.0000000Z</Start><Expiry>2015-01-02T12:10:00.0000000Z</Expiry>\
             <Permission>raud</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>"
        );
        assert_eq!(written(&StoredPolicies::new(vec![policy]).unwrap()), expected);
        let empty = StoredPolicies::new(vec![StoredPolicy::new("pol1")]).unwrap();
        let expected =
            "<SignedIdentifiers><SignedIdentifier><Id>pol1</Id></SignedIdentifier></SignedIdentifiers>";
        assert_eq!(written(&empty), format!("{DECLARED}{expected}"));
        assert_eq!(written(&StoredPolicies::default()), format!("{DECLARED}<SignedIdentifiers />"));
    }

    fn times(start: &str) -> Result<Option<Timestamp>> {
        let body = format!(
            "<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Start>{start}</Start><Expiry />\
             <Permission></Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>"
        );
        let policies = read(body.as_bytes())?;
        let policy = policies.find("a").unwrap();
        assert_eq!((policy.expiry, &policy.permission), (None, &None));
        Ok(policy.start)
    }

    #[test]
    fn times_are_read_in_all_their_forms() {
        let at: Timestamp = "2015-01-01T12:10:00Z".parse().unwrap();
        for text in [
            "2015-01-01T12:10Z",
            "2015-01-01T12:10:00Z",
            "2015-01-01T12:10:00.000000Z",
            "2015-01-01T14:10+02:00",
            "2015-01-01T04:10:00.0000000-08:00",
        ] {
            assert_eq!(times(text).unwrap(), Some(at), "{text}");
        }
        assert_eq!(times("2015-01-01").unwrap(), Some("2015-01-01".parse().unwrap()));
        assert_eq!(times("").unwrap(), None);
        assert_eq!(times("tomorrow").unwrap_err().code(), ErrorCode::InvalidXmlNodeValue);
    }

    #[test]
    fn what_is_no_list_of_policies_is_refused() {
        let code = |body: &str| read(body.as_bytes()).err().map(|error| error.code());
        let one = |inside: &str| format!("<SignedIdentifiers>{inside}</SignedIdentifiers>");
        assert_eq!(code(""), None);
        assert_eq!(code("<SignedIdentifiers/>"), None);
        assert_eq!(code("<SignedIdentifier/>"), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(code("x"), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(code(&one("<Id>a</Id>")), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(code(&one("<SignedIdentifier/>")), Some(ErrorCode::MissingRequiredXmlNode));
        let six = "<SignedIdentifier><Id>a</Id></SignedIdentifier>".repeat(6);
        assert_eq!(code(&one(&six)), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(code(&" ".repeat(MOST_BYTES + 1)), Some(ErrorCode::RequestBodyTooLarge));
    }

    fn policy() -> impl Strategy<Value = StoredPolicy> {
        let ticks =
            || prop::option::of((0..=Timestamp::MAX.ticks()).prop_filter_map("", Timestamp::from_ticks));
        ("[a-z<&\"é ]{1,64}", ticks(), ticks(), prop::option::of("[raud]{1,4}"))
            .prop_filter("blank texts are none", |(id, ..)| !id.trim().is_empty())
            .prop_map(|(id, start, expiry, permission)| StoredPolicy { id, start, expiry, permission })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(policies in prop::collection::vec(policy(), 0..=5)) {
            if let Ok(policies) = StoredPolicies::new(policies) {
                prop_assert_eq!(read(&write(&policies)).unwrap(), policies);
            }
        }
    }
}
