use super::*;

fn value(json: &str, said: Option<&str>) -> Result<Option<Value>, ErrorCode> {
    let json = Json::of(json).map_err(|error| error.code())?;
    read(json, said).map(|read| read.map(Read::into_value)).map_err(|error| error.code())
}

#[test]
fn a_type_that_is_not_said_is_inferred() {
    assert_eq!(value("true", None), Ok(Some(true.into())));
    assert_eq!(value("-2147483648", None), Ok(Some(i32::MIN.into())));
    assert_eq!(value("-0", None), Ok(Some(0.into())));
    assert_eq!(value("1e1", None), Ok(Some(10.0.into())));
    assert_eq!(value("4.0", None), Ok(Some(4.0.into())));
    assert_eq!(value(r#""\u00f6\ud834\udd1e\/\n""#, None), Ok(Some("ö𝄞/\n".into())));
    assert_eq!(value("null", None), Ok(None));
    for wrong in
        ["2147483648", "99999999999999999999", "1e999", "[1]", "{}", "tru", "\"a", r#""\ud834""#, "01"]
    {
        assert_eq!(value(wrong, None), Err(ErrorCode::InvalidInput), "{wrong}");
    }
}

#[test]
fn a_type_that_is_said_takes_numbers_and_texts() {
    for (json, said, expected) in [
        ("4", "Edm.Double", Value::from(4.0)),
        ("\"1.5\"", "Edm.Double", 1.5.into()),
        ("\"NaN\"", "Edm.Double", f64::NAN.into()),
        ("\"-Infinity\"", "Edm.Double", f64::NEG_INFINITY.into()),
        ("\"7\"", "Edm.Int32", 7.into()),
        ("\"-9223372036854775808\"", "Edm.Int64", i64::MIN.into()),
        ("7", "Edm.Int64", 7_i64.into()),
        ("\"true\"", "Edm.Boolean", true.into()),
        ("\"AQI=\"", "Edm.Binary", vec![1_u8, 2].into()),
        ("\"\"", "Edm.Binary", Vec::<u8>::new().into()),
        ("\"x\"", "Edm.String", "x".into()),
        (
            "\"DD3CB8F8-93b7-44e2-b74a-c0aa3b27a6d2\"",
            "Edm.Guid",
            Uuid::from_u128(0xdd3c_b8f8_93b7_44e2_b74a_c0aa_3b27_a6d2).into(),
        ),
        (
            "\"2014-05-07T10:20:53+02:00\"",
            "Edm.DateTime",
            "2014-05-07T08:20:53Z".parse::<table_model::Timestamp>().unwrap().into(),
        ),
    ] {
        assert_eq!(value(json, Some(said)), Ok(Some(expected)), "{json} as {said}");
    }
    for said in EdmType::ALL {
        assert_eq!(value("null", Some(said.as_str())), Ok(None));
    }
}

#[test]
fn a_value_that_is_none_of_its_type_is_refused() {
    for (json, said) in
        [("1", "Edm.String"), ("true", "Edm.Int32"), ("1", "Edm.Guid"), ("1.5", "Edm.Boolean")]
    {
        assert_eq!(value(json, Some(said)), Err(ErrorCode::InvalidValueType), "{json} as {said}");
    }
    for (json, said) in [
        ("1.0", "Edm.Int32"),
        ("\"1e1\"", "Edm.Int64"),
        ("\"9223372036854775808\"", "Edm.Int64"),
        ("\"1.7976931348623159E308\"", "Edm.Double"),
        ("\"inf\"", "Edm.Double"),
        ("\"AQI\"", "Edm.Binary"),
        ("\"x\"", "Edm.Guid"),
        ("\"2014-05-07T24:00:00Z\"", "Edm.DateTime"),
        ("1", "Edm.Decimal"),
        ("[]", "Edm.String"),
    ] {
        assert_eq!(value(json, Some(said)), Err(ErrorCode::InvalidInput), "{json} as {said}");
    }
}
