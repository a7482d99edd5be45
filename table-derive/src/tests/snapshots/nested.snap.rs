/// The properties of a [`Address`] in filters: `.filter(|e| e.field..)`.
#[derive(::core::fmt::Debug)]
pub struct AddressFields {
    /// Stored with the suffix `_Street`.
    pub street: ::table_patterns::Field<String>,
    /// Stored with the suffix `_Country`.
    pub country: ::table_patterns::Field<String>,
    /// Stored with the suffix `_ZipCode`.
    pub zip_code: ::table_patterns::Field<Option<String>>,
    #[doc(hidden)]
    pub notes: ::table_patterns::Field<Vec<String>, ::table_patterns::Json>,
}
/// Changes to properties of a [`Address`] in a patch of an entity: `.field(|it| it..)`. Other properties are unchanged.
#[must_use = "the patch of the entity requires the changes"]
#[derive(::core::fmt::Debug)]
pub struct AddressPatch(::table_patterns::FieldsPatch<AddressFields>);
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    enum __Suffixes {}
    impl _table::PropertyNames for __Suffixes {
        const NAMES: &'static [&'static str] = &[
            "Street",
            "Country",
            "ZipCode",
            "Notes",
        ];
    }
    #[automatically_derived]
    impl _table::TableFields for Address {
        type Fields = AddressFields;
        const NAMES: &'static [_table::Option<&'static str>] = &[
            _table::Some("Street"),
            _table::Some("Country"),
            _table::Some("ZipCode"),
            _table::Some("Notes"),
        ];
        const PROPERTIES: &'static [_table::NestedProperty] = &[
            _table::NestedProperty {
                field: "street",
                stored: _table::Field::<String>::of("Street").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &[],
            },
            _table::NestedProperty {
                field: "country",
                stored: _table::Field::<String>::of("Country").stored_type(),
                max: _table::None,
                has_default: true,
                default_function: _table::Some("unknown()"),
                required_in: &[],
            },
            _table::NestedProperty {
                field: "zip_code",
                stored: _table::Field::<Option<String>>::of("ZipCode").stored_type(),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &[],
            },
            _table::NestedProperty {
                field: "notes",
                stored: _table::StoredType::json("Notes"),
                max: _table::None,
                has_default: false,
                default_function: _table::None,
                required_in: &[],
            },
        ];
        const SUFFIXES: &'static AddressFields = <Self as _table::FieldsAt<
            __Suffixes,
        >>::FIELDS;
        fn put(
            &self,
            fields: &AddressFields,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            fields.street.put(&self.street, into)?;
            fields.country.put(&self.country, into)?;
            fields.zip_code.put(&self.zip_code, into)?;
            fields.notes.put(&self.notes, into)?;
            _table::Ok(())
        }
        fn take(
            fields: &AddressFields,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                street: fields.street.take(from)?,
                country: fields.country.take(from)?,
                zip_code: fields.zip_code.take(from)?,
                notes: fields.notes.take(from)?,
                is_checked: _table::Default::default(),
            })
        }
    }
    #[automatically_derived]
    impl<__N: _table::PropertyNames> _table::FieldsAt<__N> for Address {
        const FIELDS: &'static AddressFields = &AddressFields {
            street: _table::Field::<String>::of(_table::name_at::<__N>(0)),
            country: _table::Field::<String>::of(_table::name_at::<__N>(1))
                .read_by(|value| _table::default::value_or::<String>(value, unknown)),
            zip_code: _table::Field::<Option<String>>::of(_table::name_at::<__N>(2)),
            notes: _table::Field::<
                Vec<String>,
                _table::Json,
            >::json(_table::name_at::<__N>(3)),
        };
    }
    #[automatically_derived]
    impl _table::PatchedFields for Address {
        type Patch = AddressPatch;
        fn changes(patch: AddressPatch) -> _table::FieldsPatch<AddressFields> {
            patch.0
        }
    }
    #[automatically_derived]
    impl _table::From<_table::FieldsPatch<AddressFields>> for AddressPatch {
        fn from(changes: _table::FieldsPatch<AddressFields>) -> Self {
            Self(changes)
        }
    }
    #[automatically_derived]
    #[allow(dead_code, clippy::wrong_self_convention)]
    impl AddressPatch {
        /// Sets the property with the suffix `_Street`.
        pub fn street(mut self, value: String) -> Self {
            self.0.set(|fields| &fields.street, &value);
            self
        }
        /// Sets the property with the suffix `_Country`.
        pub fn country(mut self, value: String) -> Self {
            self.0.set(|fields| &fields.country, &value);
            self
        }
        /// Sets the property with the suffix `_ZipCode`. A merge cannot clear it; `replace` does.
        pub fn zip_code(mut self, value: String) -> Self {
            self.0.set(|fields| &fields.zip_code, &_table::Some(value));
            self
        }
        /// Sets the property with the suffix `_Notes`.
        pub fn notes(mut self, value: Vec<String>) -> Self {
            self.0.set(|fields| &fields.notes, &value);
            self
        }
    }
};
