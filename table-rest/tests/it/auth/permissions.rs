//! Every permission of every signature against every operation.

use table_rest::{
    ServiceKind,
    auth::{
        ResourceType,
        sas::{Field, Sas},
    },
};

use crate::auth::{
    operations::{Operation, operations},
    site::{Answer, Request, Site, key, later, name},
};

/// Error codes of requests without permission, as opposed to failures of permitted requests.
const REFUSALS: [&str; 6] = [
    "AuthenticationFailed",
    "AuthorizationFailure",
    "AuthorizationPermissionMismatch",
    "AuthorizationResourceTypeMismatch",
    "AuthorizationServiceMismatch",
    "UnauthorizedBlobOverwrite",
];

fn refusal(answer: &Answer) -> Option<&str> {
    REFUSALS.contains(&answer.code()).then_some(answer.code())
}

fn is_granted(sets: &[&str], letters: &str) -> bool {
    sets.iter().any(|set| set.chars().all(|letter| letters.contains(letter)))
}

/// Returns each letter alone, all letters, all except one, and the pairs that some operation requires.
fn choices(letters: &str) -> Vec<String> {
    let one = letters.chars().map(String::from);
    let but_one = letters.chars().map(|left_out| letters.replace(left_out, ""));
    let mut choices: Vec<String> = one.chain(but_one).chain([letters.to_owned()]).collect();
    let pairs = ["au", "ct", "wt", "lt"].into_iter();
    choices
        .extend(pairs.filter(|pair| pair.chars().all(|letter| letters.contains(letter))).map(str::to_owned));
    choices
}

const LEVELS: [ResourceType; 3] = [ResourceType::Service, ResourceType::Container, ResourceType::Object];

fn account(kind: ServiceKind, levels: &[ResourceType], permissions: &str) -> Sas {
    Sas::account(&[kind], levels, permissions).expiry(later())
}

fn sent(site: &Site, request: &Request, sas: &Sas) -> Answer {
    // Remove the blob that an earlier signature may have created.
    site.send(&Request::new(ServiceKind::Blob, "DELETE", "/films/new"));
    site.send(&request.clone().sas(&sas.sign(&name(), &key()).unwrap()))
}

/// Uses a new site per operation, since a permitted request may change the state.
fn each(mut check: impl FnMut(&Site, &Operation) -> usize) -> usize {
    operations().map(|operation| check(&Site::new(), &operation)).sum()
}

#[test]
fn a_signature_for_the_account_grants_what_the_tables_of_the_service_say() {
    let checked = each(|site, operation| {
        let choices = choices("rwdlacuptf");
        for letters in &choices {
            let answer = sent(site, &operation.request, &account(operation.request.kind, &LEVELS, letters));
            let granted = is_granted(operation.account, letters);
            assert_eq!(refusal(&answer).is_none(), granted, "{} with {letters}: {answer:?}", operation.name);
        }
        choices.len()
    });
    assert!(checked >= 900, "{checked}");
}

#[test]
fn a_signature_for_the_account_is_for_its_levels_and_services() {
    each(|site, operation| {
        for level in LEVELS {
            let sas = account(operation.request.kind, &[level], "rwdlacuptf");
            let answer = sent(site, &operation.request, &sas);
            let expected = if operation.levels.is_empty() {
                Some("AuthorizationFailure")
            } else if operation.levels.contains(level.letter()) {
                None
            } else {
                Some("AuthorizationResourceTypeMismatch")
            };
            assert_eq!(refusal(&answer), expected, "{} at {level:?}: {answer:?}", operation.name);
        }
        for kind in ServiceKind::ALL.into_iter().filter(|kind| *kind != operation.request.kind) {
            let answer = sent(site, &operation.request, &account(kind, &LEVELS, "rwdlacuptf"));
            assert_eq!(refusal(&answer), Some("AuthorizationServiceMismatch"), "{}", operation.name);
        }
        LEVELS.len()
    });
}

/// Returns the signature for the table, queue or container, with its letters.
fn service(kind: ServiceKind, permissions: &str) -> Sas {
    let sas = match kind {
        ServiceKind::Table => Sas::table("people", permissions),
        ServiceKind::Queue => Sas::queue("photos", permissions),
        ServiceKind::Blob => Sas::container("films", permissions),
    };
    sas.expiry(later())
}

const fn letters(kind: ServiceKind) -> &'static str {
    match kind {
        ServiceKind::Table => "raud",
        ServiceKind::Queue => "raup",
        ServiceKind::Blob => "racwdltf",
    }
}

#[test]
fn a_signature_for_a_resource_grants_what_the_tables_of_the_service_say() {
    let checked = each(|site, operation| {
        let kind = operation.request.kind;
        let choices = choices(letters(kind));
        for letters in &choices {
            let answer = sent(site, &operation.request, &service(kind, letters));
            let granted = is_granted(operation.service, letters);
            assert_eq!(refusal(&answer).is_none(), granted, "{} with {letters}: {answer:?}", operation.name);
        }
        choices.len()
    });
    assert!(checked >= 500, "{checked}");
}

#[test]
fn a_signature_for_one_resource_opens_no_other() {
    let others = |kind| match kind {
        ServiceKind::Table => Sas::table("others", letters(kind)),
        ServiceKind::Queue => Sas::queue("others", letters(kind)),
        ServiceKind::Blob => Sas::container("others", letters(kind)),
    };
    each(|site, operation| {
        // The signature covers the container to delete, and a service signature never allows that.
        let answer = sent(site, &operation.request, &others(operation.request.kind).expiry(later()));
        assert!(refusal(&answer).is_some(), "{}: {answer:?}", operation.name);
        1
    });
}

#[test]
fn no_letter_stands_for_another_and_none_for_nothing() {
    each(|site, operation| {
        let none = service(operation.request.kind, "").with(Field::Permissions, "");
        assert!(none.sign(&name(), &key()).is_err());
        for letters in ["R", "x", "rR", "~"] {
            let sas = account(operation.request.kind, &LEVELS, "r").with(Field::Permissions, letters);
            let Ok(token) = sas.sign(&name(), &key()) else { continue };
            let answer = site.send(&operation.request.clone().sas(&token));
            let granted = is_granted(operation.account, letters);
            assert_eq!(refusal(&answer).is_none(), granted, "{} with {letters}", operation.name);
        }
        1
    });
}

#[test]
fn the_key_may_do_all_and_nobody_nothing() {
    each(|site, operation| {
        assert_eq!(refusal(&site.send(&operation.request)), None, "{}", operation.name);
        let nobody = site.send(&operation.request.clone().unsigned());
        assert_eq!(
            (nobody.status, nobody.code()),
            (401, "NoAuthenticationInformation"),
            "{}",
            operation.name
        );
        1
    });
}
