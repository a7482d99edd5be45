/// Implements the common methods of query types with a row type parameter.
macro_rules! query_type {
    ($name:ident<E, R>, $class:ident) => {
        impl<E, R> $name<E, R> {
            pub(crate) const fn from_spec(spec: $crate::core::spec::Spec) -> Self {
                Self { spec, types: std::marker::PhantomData }
            }

            /// Returns the rows as untyped entities of any entity type.
            pub fn bag(self) -> $name<E, $crate::DynamicEntity> {
                $name::from_spec(self.spec)
            }

            /// Converts each row with a closure that receives it as an untyped entity.
            pub fn resolve<T: Send + 'static>(
                self,
                resolver: impl Fn($crate::Stored<$crate::DynamicEntity>) -> T + Send + Sync + 'static,
            ) -> $crate::Resolved<T> {
                $crate::Resolved::new(self.spec, resolver)
            }
        }

        impl<E: $crate::TableEntity, R> $name<E, R> {
            /// Selects some properties of the rows. Responses are smaller, and the row type contains only these
            /// properties.
            pub fn select<P: $crate::Projection<Of = E>>(self) -> $name<E, P> {
                $name::from_spec(self.spec)
            }
        }

        impl<E: 'static, R: $crate::FromRow> $crate::Query for $name<E, R> {
            type Row = R;
            const CLASS: table_model::QueryClass = table_model::QueryClass::$class;

            fn spec(&self) -> &$crate::core::spec::Spec {
                &self.spec
            }

            fn spec_mut(&mut self) -> &mut $crate::core::spec::Spec {
                &mut self.spec
            }
        }

        impl<E, R> Clone for $name<E, R> {
            fn clone(&self) -> Self {
                Self::from_spec(self.spec.clone())
            }
        }

        impl<E, R> std::fmt::Debug for $name<E, R> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.spec).finish()
            }
        }
    };
}
pub(super) use query_type;
