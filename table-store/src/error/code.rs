use std::fmt;

macro_rules! codes {
    ($($name:ident $status:literal $message:literal)*) => {
        /// A code of the service, as it stands in an answer's `code` member.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(
                #[doc = concat!("HTTP ", stringify!($status), ": ", $message)]
                $name,
            )*
        }

        impl ErrorCode {
            /// Every code that the store, or a service on top of it, can answer with.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code as it is written on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            /// The HTTP status of the answer.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),* }
            }

            /// The service's own text.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message),* }
            }
        }
    };
}

codes! {
    CommandsInBatchActOnDifferentPartitions 400 "All commands in a batch must operate on same entity group."
    DuplicatePropertiesSpecified 400 "A property is specified more than one time."
    EmptyMetadataKey 400 "The key for one of the metadata key-value pairs is empty."
    EntityAlreadyExists 409 "The specified entity already exists."
    EntityTooLarge 400 "The entity is larger than the maximum allowed size (1MB)."
    InternalError 500 "The server encountered an internal error. Please retry the request."
    InvalidDuplicateRow 400 "The batch request contains multiple changes with same row key. An entity can appear only once in a batch request."
    InvalidInput 400 "One of the request inputs is not valid."
    InvalidMetadata 400 "The specified metadata is invalid. It includes characters that are not permitted."
    InvalidResourceName 400 "The specifed resource name contains invalid characters."
    KeyValueTooLarge 400 "The key value exceeds the maximum allowed size (1KB)."
    MetadataTooLarge 400 "The size of the specified metadata exceeds the maximum size permitted."
    NotImplemented 501 "The requested operation is not implemented on the specified resource."
    OperationTimedOut 500 "The operation could not be completed within the permitted time."
    OutOfRangeInput 400 "One of the request inputs is out of range."
    PropertiesNeedValue 400 "The values are not specified for all properties in the entity."
    PropertyNameInvalid 400 "The property name is invalid."
    PropertyNameTooLong 400 "The property name exceeds the maximum allowed length (255)."
    PropertyValueTooLarge 400 "The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is UTF-16 encoded and the maximum number of characters should be 32K or less."
    RequestBodyTooLarge 413 "The request body is too large and exceeds the maximum permissible limit."
    ResourceNotFound 404 "The specified resource does not exist."
    ServerBusy 503 "The server is currently unable to receive requests. Please retry your request."
    TableAlreadyExists 409 "The table specified already exists."
    TableBeingDeleted 409 "The specified table is being deleted."
    TableNotFound 404 "The table specified does not exist."
    TooManyProperties 400 "The entity contains more properties than allowed. Each entity can include up to 252 properties to store data. Each entity also has 3 system properties."
    UpdateConditionNotSatisfied 412 "The update condition specified in the request was not satisfied."
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
