const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::Task for FileAway {
        const NAME: &'static str = "FileAway";
        const QUEUE: &'static str = "archive";
        const POISON_AFTER: u32 = 3u32;
    }
};
