//! Forwarding for table services around another one, so that each contains only what it changes.

/// Implements methods of [`TableService`](table_store::TableService) that send their requests to another service.
///
/// `to` calls the method of an expression; `by` passes the call as a closure on that service to a method of `self`.
/// A method that is neither listed nor written has the default of the trait.
///
/// ```
/// use table_store::{TableName, TableService, service::Pending};
///
/// /// Creates no tables.
/// #[derive(Debug)]
/// struct Fixed<S>(S);
///
/// impl<S: TableService> TableService for Fixed<S> {
///     table_tests::forward!(self, to self.0 => capabilities delete_table list_tables find query execute transact);
///
///     fn create_table<'a>(&'a self, _: &'a TableName) -> Pending<'a, ()> {
///         Box::pin(async { Ok(()) })
///     }
/// }
/// ```
#[macro_export]
macro_rules! forward {
    ($me:ident, to $below:expr => $($method:ident)+) => {
        $($crate::forward!(@$method $me [to $below]);)+
    };
    ($me:ident, by $hook:ident => $($method:ident)+) => {
        $($crate::forward!(@$method $me [by $me $hook]);)+
    };
    (@capabilities $me:ident $way:tt) => {
        fn capabilities(&$me) -> &::table_store::service::Capabilities {
            $crate::forward!(@send $way capabilities())
        }
    };
    (@create_table $me:ident $way:tt) => {
        fn create_table<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
        ) -> ::table_store::service::Pending<'a, ()> {
            $crate::forward!(@send $way create_table(table))
        }
    };
    (@delete_table $me:ident $way:tt) => {
        fn delete_table<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
        ) -> ::table_store::service::Pending<'a, ()> {
            $crate::forward!(@send $way delete_table(table))
        }
    };
    (@list_tables $me:ident $way:tt) => {
        fn list_tables(
            &$me,
            request: ::table_store::service::ListTables,
        ) -> ::table_store::service::Pending<'_, ::table_store::service::TablesSegment> {
            $crate::forward!(@send $way list_tables(request))
        }
    };
    (@find $me:ident $way:tt) => {
        fn find<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
            partition_key: &'a str,
            row_key: &'a str,
            select: Option<&'a [::table_store::Name]>,
        ) -> ::table_store::service::Pending<'a, ::table_store::Rows> {
            $crate::forward!(@send $way find(table, partition_key, row_key, select))
        }
    };
    (@query $me:ident $way:tt) => {
        fn query<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
            query: ::table_store::Query,
        ) -> ::table_store::service::Pending<'a, ::table_store::Segment> {
            $crate::forward!(@send $way query(table, query))
        }
    };
    (@execute $me:ident $way:tt) => {
        fn execute<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
            operation: &'a ::table_store::Operation,
        ) -> ::table_store::service::Pending<'a, ::table_store::Written> {
            $crate::forward!(@send $way execute(table, operation))
        }
    };
    (@transact $me:ident $way:tt) => {
        fn transact<'a>(
            &'a $me,
            table: &'a ::table_store::TableName,
            operations: &'a [::table_store::Operation],
        ) -> ::table_store::service::Pending<'a, Vec<::table_store::Written>> {
            $crate::forward!(@send $way transact(table, operations))
        }
    };
    (@list_outbox $me:ident $way:tt) => {
        fn list_outbox<'a>(
            &'a $me,
            which: ::table_store::service::OutboxKind,
            after: Option<&'a ::table_store::service::OutboxRow>,
            most: usize,
        ) -> ::table_store::service::Pending<'a, Vec<::table_store::service::OutboxRow>> {
            $crate::forward!(@send $way list_outbox(which, after, most))
        }
    };
    (@send [to $below:expr] $method:ident($($argument:ident),*)) => {
        $below.$method($($argument),*)
    };
    (@send [by $me:ident $hook:ident] $method:ident($($argument:ident),*)) => {
        $me.$hook(move |below| below.$method($($argument),*))
    };
}
