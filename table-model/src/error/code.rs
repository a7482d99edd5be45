use std::fmt;

macro_rules! codes {
    ($($name:ident $status:literal $message:literal)*) => {
        /// Error code of the service, as in the `code` member of a response.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(
                #[doc = concat!("HTTP ", stringify!($status), ": ", $message)]
                $name,
            )*
        }

        impl ErrorCode {
            /// All codes that the store, or a service on top of it, can return.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the code as used on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            /// Returns the HTTP status of the response.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),* }
            }

            /// Returns the service's standard message.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message),* }
            }
        }
    };
}

codes! {
    AccountIsDisabled 403 "The specified account is disabled."
    AllBatchSubRequestsShouldBeSameApi 400 "All batch subrequests should be the same api."
    AppendPositionConditionNotMet 412 "The append position condition specified was not met."
    AtomFormatNotSupported 415 "Atom format is not supported."
    AuthenticationFailed 403 "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature."
    AuthorizationFailure 403 "This request is not authorized to perform this operation."
    AuthorizationPermissionMismatch 403 "This request is not authorized to perform this operation using this permission."
    AuthorizationProtocolMismatch 403 "This request is not authorized to perform this operation using this protocol."
    AuthorizationResourceTypeMismatch 403 "This request is not authorized to perform this operation using this resource type."
    AuthorizationServiceMismatch 403 "This request is not authorized to perform this operation using this service."
    AuthorizationSourceIPMismatch 403 "This request is not authorized to perform this operation using this source IP."
    BlobAlreadyExists 409 "The specified blob already exists."
    BlobNotFound 404 "The specified blob does not exist."
    BlockCountExceedsLimit 409 "The committed block count cannot exceed the maximum limit of 50,000 blocks."
    BlockListTooLong 400 "The block list may not contain more than 50,000 blocks."
    BothCrc64AndMd5HeaderPresent 400 "Both the MD5 and the CRC64 of the content are specified in the request. Specify one of them."
    BothUserTagsAndSourceTagsCopyPresentException 409 "The x-ms-tags header must not be present if x-ms-copy-source-tag-option is COPY."
    CannotVerifyCopySource 403 "The copy source cannot be read with the permissions of the request."
    CommandsInBatchActOnDifferentPartitions 400 "All commands in a batch must operate on same entity group."
    ConditionHeadersNotSupported 400 "Condition headers are not supported."
    ConditionNotMet 412 "The condition specified using HTTP conditional header(s) is not met."
    ContainerAlreadyExists 409 "The specified container already exists."
    ContainerBeingDeleted 409 "The specified container is being deleted."
    ContainerNotFound 404 "The specified container does not exist."
    CorsPreflightFailure 403 "CORS not enabled or no matching rule found for this request."
    Crc64Mismatch 400 "The CRC64 value specified in the request did not match the CRC64 value calculated by the server."
    DuplicatePropertiesSpecified 400 "A property is specified more than one time."
    DuplicateTagNames 400 "The tags specified contain duplicate names."
    EmptyMetadataKey 400 "The key for one of the metadata key-value pairs is empty."
    EmptyTagName 400 "The name of one of the tag key-value pairs is empty."
    EntityAlreadyExists 409 "The specified entity already exists."
    EntityTooLarge 400 "The entity is larger than the maximum allowed size (1MB)."
    ExceedsMaxBatchRequestCount 400 "The batch operation exceeds maximum number of allowed subrequests."
    HostInformationNotPresent 400 "The required host information is not present in the request. You must send a non-empty Host header or include the absolute URI in the request line."
    InsufficientAccountPermissions 403 "The account being accessed does not have sufficient permissions to execute this operation."
    InternalError 500 "The server encountered an internal error. Please retry the request."
    InvalidAuthenticationInfo 400 "The authentication information was not provided in the correct format. Verify the value of Authorization header."
    InvalidBlobOrBlock 400 "The specified blob or block content is invalid."
    InvalidBlobType 409 "The blob type is invalid for this operation."
    InvalidBlockId 400 "The specified block ID is invalid. The block ID must be Base64-encoded."
    InvalidBlockList 400 "The specified block list is invalid."
    InvalidDuplicateRow 400 "The batch request contains multiple changes with same row key. An entity can appear only once in a batch request."
    InvalidHeaderValue 400 "The value for one of the HTTP headers is not in the correct format."
    InvalidHttpVerb 400 "The HTTP verb specified was not recognized by the server."
    InvalidInput 400 "One of the request inputs is not valid."
    InvalidMarker 400 "The specified marker is invalid."
    InvalidMd5 400 "The MD5 value specified in the request is invalid. The MD5 value must be 128 bits and Base64-encoded."
    InvalidMetadata 400 "The specified metadata is invalid. It includes characters that are not permitted."
    InvalidOperation 400 "Invalid operation against a blob snapshot."
    InvalidQueryParameterValue 400 "Value for one of the query parameters specified in the request URI is invalid."
    InvalidRange 416 "The range specified is invalid for the current size of the resource."
    InvalidResourceName 400 "The specifed resource name contains invalid characters."
    InvalidTag 400 "The tags specified are invalid. It contains characters that are not permitted."
    InvalidUri 400 "The requested URI does not represent any resource on the server."
    InvalidValueType 400 "The value specified is invalid."
    InvalidXmlDocument 400 "XML specified is not syntactically valid."
    InvalidXmlNodeValue 400 "The value provided for one of the XML nodes in the request body was not in the correct format."
    JsonFormatNotSupported 415 "JSON format is not supported."
    JsonVerboseFormatNotSupported 415 "JSON verbose format is not supported."
    KeyValueTooLarge 400 "The key value exceeds the maximum allowed size (1KB)."
    LeaseAlreadyPresent 409 "There is already a lease present."
    LeaseIdMismatchWithBlobOperation 412 "The lease ID specified did not match the lease ID for the blob."
    LeaseIdMismatchWithContainerOperation 412 "The lease ID specified did not match the lease ID for the container."
    LeaseIdMismatchWithLeaseOperation 409 "The lease ID specified did not match the lease ID for the blob/container."
    LeaseIdMissing 412 "There is currently a lease on the blob/container and no lease ID was specified in the request."
    LeaseIsBreakingAndCannotBeAcquired 409 "The lease ID matched, but the lease is currently in breaking state and cannot be acquired until it is broken."
    LeaseIsBreakingAndCannotBeChanged 409 "The lease ID matched, but the lease is currently in breaking state and cannot be changed."
    LeaseIsBrokenAndCannotBeRenewed 409 "The lease ID matched, but the lease has been broken explicitly and cannot be renewed."
    LeaseLost 412 "A lease ID was specified, but the lease for the blob/container has expired."
    LeaseNotPresentWithBlobOperation 412 "There is currently no lease on the blob."
    LeaseNotPresentWithContainerOperation 412 "There is currently no lease on the container."
    LeaseNotPresentWithLeaseOperation 409 "There is currently no lease on the blob/container."
    MaxBlobSizeConditionNotMet 412 "The max blob size condition specified was not met."
    Md5Mismatch 400 "The MD5 value specified in the request did not match the MD5 value calculated by the server."
    MediaTypeNotSupported 415 "None of the provided media types are supported"
    MessageNotFound 404 "The specified message does not exist."
    MetadataTooLarge 400 "The size of the specified metadata exceeds the maximum size permitted."
    MethodNotAllowed 405 "The requested method is not allowed on the specified resource."
    MissingContentLengthHeader 411 "The Content-Length header was not specified."
    MissingRequiredHeader 400 "A required HTTP header was not specified."
    MissingRequiredQueryParameter 400 "A query parameter that's mandatory for this request is not specified."
    MissingRequiredXmlNode 400 "A required XML node was not specified in the request body."
    MultipleConditionHeadersNotSupported 400 "Multiple condition headers are not supported."
    NoAuthenticationInformation 401 "Server failed to authenticate the request. Please refer to the information in the www-authenticate header."
    NoPendingCopyOperation 409 "There is currently no pending copy operation."
    NotImplemented 501 "The requested operation is not implemented on the specified resource."
    OperationTimedOut 500 "The operation could not be completed within the permitted time."
    OutOfRangeInput 400 "One of the request inputs is out of range."
    OutOfRangeQueryParameterValue 400 "One of the query parameters specified in the request URI is outside the permissible range."
    PopReceiptMismatch 400 "The specified pop receipt did not match the pop receipt for a dequeued message."
    PropertiesNeedValue 400 "The values are not specified for all properties in the entity."
    PropertyNameInvalid 400 "The property name is invalid."
    PropertyNameTooLong 400 "The property name exceeds the maximum allowed length (255)."
    PropertyValueTooLarge 400 "The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is UTF-16 encoded and the maximum number of characters should be 32K or less."
    PublicAccessNotPermitted 409 "Public access is not permitted on this storage account."
    QueueAlreadyExists 409 "The specified queue already exists."
    QueueBeingDeleted 409 "The specified queue is being deleted."
    QueueNotFound 404 "The specified queue does not exist."
    RequestBodyTooLarge 413 "The request body is too large and exceeds the maximum permissible limit."
    RequestUrlFailedToParse 400 "The url in the request could not be parsed."
    ResourceNotFound 404 "The specified resource does not exist."
    ServerBusy 503 "The server is currently unable to receive requests. Please retry your request."
    SnapshotsPresent 409 "This operation is not permitted while the blob has snapshots."
    SourceConditionNotMet 412 "The source condition specified using HTTP conditional header(s) is not met."
    TableAlreadyExists 409 "The table specified already exists."
    TableBeingDeleted 409 "The specified table is being deleted."
    TableNotFound 404 "The table specified does not exist."
    TagsTooLarge 400 "The tags specified exceed the maximum permissible limit."
    TooManyProperties 400 "The entity contains more properties than allowed. Each entity can include up to 252 properties to store data. Each entity also has 3 system properties."
    UnauthorizedBlobOverwrite 403 "This request is not authorized to perform blob overwrites."
    UnsatisfiableCondition 400 "The request includes an unsatisfiable condition for this operation."
    UnsupportedHeader 400 "One of the HTTP headers specified in the request is not supported."
    UnsupportedHttpVerb 405 "The resource doesn't support the specified HTTP verb."
    UnsupportedXmlNode 400 "One of the XML nodes specified in the request body is not supported."
    UpdateConditionNotSatisfied 412 "The update condition specified in the request was not satisfied."
    XMethodIncorrectCount 400 "More than one X-HTTP-Method is specified."
    XMethodIncorrectValue 400 "The specified X-HTTP-Method is invalid."
    XMethodNotUsingPost 400 "The request uses X-HTTP-Method with an HTTP verb other than POST."
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
