/// The properties of a [`Payment`] in filters: `.filter(|e| e.field..)`.
#[derive(::core::fmt::Debug)]
pub struct PaymentFields {
    /// Stored with the suffix `_Type`.
    pub kind: ::table_patterns::Field<PaymentKind>,
    /// Stored with the suffix `_Last4`.
    pub last4: ::table_patterns::Field<String>,
    /// Stored with the suffix `_Amount`.
    pub amount: ::table_patterns::Field<i64>,
    /// Stored with the suffix `_Iban`.
    pub iban: ::table_patterns::Field<String>,
    /// Stored with the suffix `_Days`.
    pub days: ::table_patterns::Field<Option<i32>>,
}
/// The variants of [`Payment`]: the tag of a row, in filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentKind {
    /// Stored as `card`.
    Card,
    /// Stored as `transfer`.
    Transfer,
    /// Stored as `cash`.
    Cash,
}
const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::TableValue for PaymentKind {
        const TYPE: _table::EdmType = _table::EdmType::String;
        const KIND: _table::ValueKind = _table::ValueKind::Words(
            &["card", "transfer", "cash"],
        );
        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            let text = match self {
                Self::Card => "card",
                Self::Transfer => "transfer",
                Self::Cash => "cash",
            };
            _table::Ok(<_table::Value as _table::From<&str>>::from(text))
        }
        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            let text = <_table::String as _table::TableValue>::from_value(value)?;
            match _table::String::as_str(&text) {
                "card" => _table::Ok(Self::Card),
                "transfer" => _table::Ok(Self::Transfer),
                "cash" => _table::Ok(Self::Cash),
                other => {
                    _table::Err(
                        _table::ValueError::unreadable(
                            other,
                            "a variant of `PaymentKind`",
                        ),
                    )
                }
            }
        }
    }
    #[automatically_derived]
    impl _table::Filterable for PaymentKind {
        type Literal<'a> = Self;
        fn literal(literal: Self) -> _table::Result<_table::Value, _table::ValueError> {
            <Self as _table::TableValue>::to_value(&literal)
        }
    }
};
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    enum __Suffixes {}
    impl _table::PropertyNames for __Suffixes {
        const NAMES: &'static [&'static str] = &[
            "Type",
            "Last4",
            "Amount",
            "Iban",
            "Days",
        ];
    }
    #[automatically_derived]
    impl _table::TableFields for Payment {
        type Fields = PaymentFields;
        const NAMES: &'static [_table::Option<&'static str>] = &[
            _table::Some("Type"),
            _table::Some("Last4"),
            _table::Some("Amount"),
            _table::Some("Iban"),
            _table::Some("Days"),
        ];
        const PROPERTIES: &'static [_table::NestedProperty] = &[
            _table::NestedProperty {
                field: "kind",
                stored: _table::Field::<PaymentKind>::of("Type").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &[],
            },
            _table::NestedProperty {
                field: "last4",
                stored: _table::Field::<String>::of("Last4").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &["card"],
            },
            _table::NestedProperty {
                field: "amount",
                stored: _table::Field::<i64>::of("Amount").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &["card", "transfer"],
            },
            _table::NestedProperty {
                field: "iban",
                stored: _table::Field::<String>::of("Iban").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &["transfer"],
            },
            _table::NestedProperty {
                field: "days",
                stored: _table::Field::<Option<i32>>::of("Days").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &[],
            },
        ];
        const SUFFIXES: &'static PaymentFields = <Self as _table::FieldsAt<
            __Suffixes,
        >>::FIELDS;
        fn put(
            &self,
            fields: &PaymentFields,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            match self {
                Self::Card { last4: __last4, amount: __amount, .. } => {
                    fields.kind.put(&PaymentKind::Card, into)?;
                    fields.last4.put(__last4, into)?;
                    fields.amount.put(__amount, into)?;
                }
                Self::Transfer { iban: __iban, days: __days, amount: __amount, .. } => {
                    fields.kind.put(&PaymentKind::Transfer, into)?;
                    fields.iban.put(__iban, into)?;
                    fields.days.put(__days, into)?;
                    fields.amount.put(__amount, into)?;
                }
                Self::Cash { .. } => {
                    fields.kind.put(&PaymentKind::Cash, into)?;
                }
            }
            _table::Ok(())
        }
        fn take(
            fields: &PaymentFields,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(
                match fields.kind.take(from)? {
                    PaymentKind::Card => {
                        Self::Card {
                            last4: fields.last4.take(from)?,
                            amount: fields.amount.take(from)?,
                            is_checked: _table::Default::default(),
                        }
                    }
                    PaymentKind::Transfer => {
                        Self::Transfer {
                            iban: fields.iban.take(from)?,
                            days: fields.days.take(from)?,
                            amount: fields.amount.take(from)?,
                        }
                    }
                    PaymentKind::Cash => Self::Cash {},
                },
            )
        }
    }
    #[automatically_derived]
    impl<__N: _table::PropertyNames> _table::FieldsAt<__N> for Payment {
        const FIELDS: &'static PaymentFields = &PaymentFields {
            kind: _table::Field::<PaymentKind>::of(_table::name_at::<__N>(0)),
            last4: _table::Field::<String>::of(_table::name_at::<__N>(1)),
            amount: _table::Field::<i64>::of(_table::name_at::<__N>(2)),
            iban: _table::Field::<String>::of(_table::name_at::<__N>(3)),
            days: _table::Field::<Option<i32>>::of(_table::name_at::<__N>(4)),
        };
    }
};
