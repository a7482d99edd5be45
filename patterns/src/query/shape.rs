/// What the query types with a row shape have in common.
macro_rules! query_type {
    ($name:ident<E, R>, $class:ident) => {
        impl<E, R> $name<E, R> {
            pub(crate) const fn from_spec(spec: $crate::query::Spec) -> Self {
                Self { spec, types: std::marker::PhantomData }
            }

            /// The rows as property bags, whatever they are.
            pub fn bag(self) -> $name<E, $crate::Entity> {
                $name::from_spec(self.spec)
            }

            /// The rows as what a closure makes of their property bags.
            pub fn resolve<T: Send + 'static>(
                self,
                resolver: impl Fn($crate::Stored<$crate::Entity>) -> T + Send + Sync + 'static,
            ) -> $crate::Resolved<T> {
                $crate::Resolved::new(self.spec, resolver)
            }
        }

        impl<E: $crate::TableEntity, R> $name<E, R> {
            /// Only some properties of the rows: less to send, and a type that says so.
            pub fn select<P: $crate::Projection<Of = E>>(self) -> $name<E, P> {
                $name::from_spec(self.spec)
            }
        }

        impl<E: 'static, R: $crate::FromRow> $crate::Query for $name<E, R> {
            type Row = R;
            const CLASS: table_store::QueryClass = table_store::QueryClass::$class;

            fn spec(&self) -> &$crate::query::Spec {
                &self.spec
            }

            fn spec_mut(&mut self) -> &mut $crate::query::Spec {
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
