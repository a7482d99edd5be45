//! Conversion of literals from token text to values.

use std::ops::Range;

use super::{FilterError, hint};
use crate::{Uuid, Value};

/// Location of a literal: the filter string and the span.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl Place<'_> {
    fn refuse(&self, what: &str, hint: &str) -> FilterError {
        FilterError::invalid(self.text, self.span.clone(), what).hinting(hint)
    }
}

/// Parses a number token without its sign.
///
/// Without a suffix, an integer is an Int32, or an Int64 if it does not fit. With a point or an exponent the number is
/// a Double.
pub(super) fn number(place: &Place<'_>, raw: &str, negative: bool) -> Result<Value, FilterError> {
    let lower = raw.to_ascii_lowercase();
    if is_digits(raw) {
        let value = integer(place, raw, negative)?;
        return Ok(i32::try_from(value).map_or(Value::Int64(value), Value::Int32));
    }
    if let Some(digits) = lower.strip_suffix('l').filter(|digits| is_digits(digits)) {
        return integer(place, digits, negative).map(Value::Int64);
    }
    let plain = lower.strip_suffix('d').unwrap_or(&lower);
    if is_decimal(plain) {
        return double(place, plain, negative).map(Value::Double);
    }
    if lower.strip_suffix(['m', 'f']).is_some_and(is_decimal) {
        return Err(place.refuse(
            "Decimals and single-precision floats are not supported.",
            "write a double without a suffix: 1.5",
        ));
    }
    Err(FilterError::syntax(place.text, place.span.clone())
        .hinting("invalid number; write 5, 5L, 1.5 or 1.5E+10"))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a lower-case string consists of digits, an optional fraction and an optional exponent.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once('e').map_or((text, None), |(left, right)| (left, Some(right)));
    let (whole, fraction) =
        mantissa.split_once('.').map_or((mantissa, None), |(left, right)| (left, Some(right)));
    is_digits(whole)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

fn integer(place: &Place<'_>, digits: &str, negative: bool) -> Result<i64, FilterError> {
    let sign = if negative { "-" } else { "" };
    format!("{sign}{digits}").parse().map_err(|_| {
        place
            .refuse("The number does not fit into an Int64.", "write a double, with a decimal point: 1.0E+20")
    })
}

fn double(place: &Place<'_>, text: &str, negative: bool) -> Result<f64, FilterError> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(if negative { -value } else { value }),
        _ => Err(place.refuse(
            "The number does not fit into a Double.",
            "the maximum is 1.7976931348623157E308; infinity is written INF",
        )),
    }
}

/// Parses a quoted token: a string, or a type that is written with a prefix.
pub(super) fn quoted(place: &Place<'_>, prefix: &str, content: &str) -> Result<Value, FilterError> {
    match prefix {
        "" => Ok(Value::String(content.replace("''", "'"))),
        "datetime" => content.parse().map(Value::DateTime).map_err(|_| {
            place.refuse(
                "The time is not valid.",
                "write datetime'2014-07-31T18:00:00Z', in the years 1 to 9999",
            )
        }),
        "guid" => guid(content).map(Value::Guid).ok_or_else(|| {
            place.refuse("The Guid is not valid.", "write guid'a455c695-df98-5678-aaaa-81d3367e5a34'")
        }),
        "X" | "binary" => bytes(content).map(Value::Binary).ok_or_else(|| {
            place.refuse("The bytes are not valid.", "write an even number of hex digits: X'01FF'")
        }),
        _ => Err(unknown_prefix(place, prefix)),
    }
}

/// Parses a Guid. Only the form with hyphens, which the service prints, is accepted.
fn guid(content: &str) -> Option<Uuid> {
    if content.len() == 36 { Uuid::try_parse(content).ok() } else { None }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

fn unknown_prefix(place: &Place<'_>, prefix: &str) -> FilterError {
    let lower = prefix.to_ascii_lowercase();
    let error = FilterError::syntax(place.text, place.span.clone());
    if let Some(hint) = hint::for_prefix(prefix) {
        return error.hinting(hint);
    }
    match lower.as_str() {
        "datetime" | "guid" | "binary" => error.hinting(format!("write `{lower}` instead of `{prefix}`")),
        "x" => error.hinting("write `X` instead of `x`"),
        "datetimeoffset" | "time" => {
            error.hinting("this type is not supported; times are written datetime'...'")
        }
        _ => error.hinting("only the prefixes datetime, guid, X and binary are supported before a quote"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;

    fn value(literal: &str) -> Result<Value, FilterError> {
        match &Filter::parse(&format!("P eq {literal}"))? {
            Filter::Compare { value, .. } => Ok(value.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_form_of_literal_is_read() {
        let id = Uuid::from_u128(0xa455_c695_df98_5678_aaaa_81d3_367e_5a34);
        let cases: [(&str, Value); 39] = [
            ("30", 30.into()),
            ("-5", (-5).into()),
            ("- 5", (-5).into()),
            ("007", 7.into()),
            ("2147483647", i32::MAX.into()),
            ("-2147483648", i32::MIN.into()),
            ("2147483648", 2_147_483_648_i64.into()),
            ("-2147483649", (-2_147_483_649_i64).into()),
            ("5L", 5_i64.into()),
            ("5l", 5_i64.into()),
            ("-9223372036854775808L", i64::MIN.into()),
            ("9223372036854775807", i64::MAX.into()),
            ("1.5", 1.5.into()),
            ("-1.5", (-1.5).into()),
            ("-0.0", (-0.0).into()),
            ("1.0E+10", 1.0e10.into()),
            ("1e3", 1000.0.into()),
            ("1e-3", 0.001.into()),
            ("5d", 5.0.into()),
            ("5.5D", 5.5.into()),
            ("1e2D", 100.0.into()),
            ("1.7976931348623157E308", f64::MAX.into()),
            ("1e-400", 0.0.into()),
            ("NaN", f64::NAN.into()),
            ("INF", f64::INFINITY.into()),
            ("-INF", f64::NEG_INFINITY.into()),
            ("'Smith'", "Smith".into()),
            ("'O''Brien'", "O'Brien".into()),
            ("''", "".into()),
            ("''''", "'".into()),
            ("'a\n\u{0}é😀'", "a\n\u{0}é😀".into()),
            ("true", true.into()),
            ("false", false.into()),
            ("datetime'1601-01-01T00:00:00Z'", crate::Timestamp::MIN_STORED.into()),
            ("datetime'1601-01-01T00:00:00'", crate::Timestamp::MIN_STORED.into()),
            ("guid'a455c695-df98-5678-aaaa-81d3367e5a34'", id.into()),
            ("X'01FF'", vec![1, 255].into()),
            ("binary'01ff'", vec![1, 255].into()),
            ("X''", Vec::new().into()),
        ];
        for (literal, expected) in cases {
            assert_eq!(value(literal).as_ref(), Ok(&expected), "{literal}");
        }
    }

    #[test]
    fn malformed_literals_are_refused_with_what_to_write() {
        for (literal, hint) in [
            ("9223372036854775808", "1.0E+20"),
            ("99999999999999999999L", "1.0E+20"),
            ("1e309", "INF"),
            ("1.5L", "5L"),
            ("1.", "1.5"),
            (".5", "0.5"),
            ("1.5e", "1.5E+10"),
            ("1e+", "1.5E+10"),
            ("1_000", "5L"),
            ("0x10", "5L"),
            ("5LL", "5L"),
            ("1.5m", "1.5"),
            ("1.5F", "1.5"),
            ("X'1'", "even"),
            ("X'0g'", "even"),
            ("X'é'", "even"),
            ("x'01'", "write `X` instead of `x`"),
            ("guid'a455c695df985678aaaa81d3367e5a34'", "guid'a455"),
            ("guid''", "guid'a455"),
            ("GUID'a455c695-df98-5678-aaaa-81d3367e5a34'", "write `guid` instead of `GUID`"),
            ("datetime'yesterday'", "datetime'2014"),
            ("datetime'0000-01-01'", "datetime'2014"),
            ("DateTime'2014-01-01'", "write `datetime` instead of `DateTime`"),
            ("datetimeoffset'2014-01-01'", "not supported"),
            ("duration'P1D'", "supported before a quote"),
        ] {
            let error = value(literal).unwrap_err();
            assert!(error.hint().unwrap_or_default().contains(hint), "{literal}: {error}");
            assert_eq!(error.code(), crate::ErrorCode::InvalidInput, "{literal}");
            assert_eq!(error.span().start, 5, "{literal}");
        }
    }
}
