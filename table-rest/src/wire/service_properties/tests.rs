use proptest::prelude::*;

use super::*;

const LOGGING: &str = "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read><Write>true</Write>\
    <RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></Logging>";
const OFF: &str = "<Version>1.0</Version><Enabled>false</Enabled>\
    <RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
const RULE: &str = "<CorsRule><AllowedOrigins>http://a.com,http://b.com</AllowedOrigins>\
    <AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds>\
    <ExposedHeaders>x-ms-meta-data*</ExposedHeaders><AllowedHeaders>x-ms-meta-target*</AllowedHeaders></CorsRule>";

fn document(inside: &str) -> String {
    format!("<StorageServiceProperties>{inside}</StorageServiceProperties>")
}

fn code(inside: &str) -> Option<ErrorCode> {
    read(document(inside).as_bytes()).err().map(|error| error.code())
}

#[test]
fn a_document_is_written_as_it_was_read() {
    let text = document(&format!(
        "{LOGGING}<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>\
         <RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>\
         <MinuteMetrics>{OFF}</MinuteMetrics><Cors>{RULE}</Cors>\
         <DefaultServiceVersion>2019-02-02</DefaultServiceVersion>"
    ));
    let change = read(text.as_bytes()).unwrap();
    let expected = format!("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>{text}");
    assert_eq!(String::from_utf8(write_change(&change).to_vec()).unwrap(), expected);
    let properties = change.apply(&ServiceProperties::default());
    assert_eq!(write(&properties), expected.as_bytes());
    assert_eq!(properties.hour_metrics.per_operation, Some(true));
    assert_eq!(properties.cors.as_slice()[0].max_age, 500);
}

#[test]
fn the_default_is_all_that_is_off() {
    let text = document(&format!(
        "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read><Write>false</Write>\
         <RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging>\
         <HourMetrics>{OFF}</HourMetrics><MinuteMetrics>{OFF}</MinuteMetrics><Cors />"
    ));
    let written = write(&ServiceProperties::default());
    assert!(String::from_utf8(written.to_vec()).unwrap().ends_with(&text));
}

#[test]
fn what_is_not_named_is_not_changed() {
    let change = read(document(LOGGING).as_bytes()).unwrap();
    let logging = Logging { write: true, retention: Retention::days(7).unwrap(), ..Logging::default() };
    assert_eq!(change, PropertiesChange { logging: Some(logging), ..PropertiesChange::default() });
    for none in ["<Cors />", "<Cors></Cors>"] {
        let change = read(document(none).as_bytes()).unwrap();
        assert_eq!(change.cors, Some(CorsRules::default()));
    }
}

#[test]
fn what_is_wrong_has_its_code() {
    assert_eq!(code(""), None);
    assert_eq!(code(&format!("<Metrics>{OFF}</Metrics>")), None);
    assert_eq!(code(LOGGING), None);
    let (document, missing) = (Some(ErrorCode::InvalidXmlDocument), Some(ErrorCode::MissingRequiredXmlNode));
    let (value, unsupported) = (Some(ErrorCode::InvalidXmlNodeValue), Some(ErrorCode::UnsupportedXmlNode));
    assert_eq!(code("<Logging>"), document);
    assert_eq!(code(&LOGGING.repeat(2)), document);
    assert_eq!(code(&format!("<Cors>{}</Cors>", RULE.repeat(6))), document);
    assert_eq!(read(b"<Properties/>").unwrap_err().code(), ErrorCode::InvalidXmlDocument);
    assert_eq!(code("<Logging/>"), missing);
    assert_eq!(code(&LOGGING.replace("<Days>7</Days>", "")), missing);
    assert_eq!(code(&LOGGING.replace("<Read>false</Read>", "")), missing);
    for element in ["AllowedOrigins", "AllowedMethods", "MaxAgeInSeconds", "ExposedHeaders", "AllowedHeaders"]
    {
        let without = format!("<Cors>{}</Cors>", RULE.replace(element, "Other"));
        assert_eq!(code(&without), missing, "{element}");
    }
    assert_eq!(code(&format!("<HourMetrics>{}</HourMetrics>", OFF.replacen("false", "true", 1))), missing);
    for days in ["0", "366", "x", "-1"] {
        assert_eq!(code(&LOGGING.replace(">7<", &format!(">{days}<"))), value, "{days}");
    }
    assert_eq!(code(&LOGGING.replacen("false", "no", 1)), value);
    assert_eq!(code(&LOGGING.replace("1.0", "3.0")), value);
    assert_eq!(code(&format!("<Cors>{}</Cors>", RULE.replace("GET", "LOOK"))), value);
    assert_eq!(code(&format!("<Cors>{}</Cors>", RULE.replace("500", "-5"))), value);
    assert_eq!(code("<Other/>"), unsupported);
    assert_eq!(code("<Cors><Rule/></Cors>"), unsupported);
    assert_eq!(code("<StaticWebsite><Enabled>false</Enabled></StaticWebsite>"), None);
    assert_eq!(code("<StaticWebsite><Enabled>true</Enabled></StaticWebsite>"), unsupported);
}

#[test]
fn an_unsupported_node_is_named_with_the_remedy() {
    let message = |inner: &str| read(document(inner).as_bytes()).unwrap_err().message().to_owned();
    let site = message("<StaticWebsite><Enabled>true</Enabled></StaticWebsite>");
    assert!(site.contains("`StaticWebsite` is not supported; set its `Enabled` to `false`"), "{site}");
    assert!(message("<Other/>").contains("`Other` is not supported; omit it"));
    assert!(message("<Cors><Rule/></Cors>").contains("`CorsRule`"));
}

fn retention() -> impl Strategy<Value = Retention> {
    prop_oneof![Just(Retention::FOREVER), (1..=365_u16).prop_map(|days| Retention::days(days).unwrap())]
}

fn metrics() -> impl Strategy<Value = Metrics> {
    (any::<Option<bool>>(), retention())
        .prop_map(|(per_operation, retention)| Metrics { per_operation, retention })
}

fn rule() -> impl Strategy<Value = CorsRule> {
    let texts = |least| prop::collection::vec("[a-z<&:/-]{1,8}", least..4);
    let methods = prop::sample::subsequence(CorsMethod::ALL.to_vec(), 1..=8);
    (texts(1), methods, any::<u32>(), texts(0), texts(0)).prop_map(
        |(origins, methods, max_age, exposed_headers, allowed_headers)| CorsRule {
            origins,
            methods,
            max_age,
            exposed_headers,
            allowed_headers,
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        flags in any::<[bool; 3]>(),
        retention in retention(),
        hour_metrics in metrics(),
        minute_metrics in metrics(),
        rules in prop::collection::vec(rule(), 0..=5),
        default_version in prop::option::of(Just("2019-02-02".to_owned())),
    ) {
        let [delete, read_flag, write_flag] = flags;
        let properties = ServiceProperties {
            logging: Logging { delete, read: read_flag, write: write_flag, retention },
            hour_metrics,
            minute_metrics,
            cors: CorsRules::new(rules).unwrap(),
            default_version,
        };
        let change = read(&write(&properties)).unwrap();
        prop_assert_eq!(change.apply(&ServiceProperties::default()), properties);
    }
}
