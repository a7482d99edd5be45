use std::{fmt, str::FromStr};

use crate::{ErrorCode, Result, TableError};

/// Maximum number of rules per service.
const RULES: usize = 5;
/// Maximum total size of all rules in bytes.
const BYTES: usize = 2048;
/// Maximum number of origins of a rule, and of header names without a wildcard.
const ENTRIES: usize = 64;
/// Maximum number of header names that end with `*`.
const PREFIXES: usize = 2;
/// Maximum number of characters of an origin or a header name.
const LENGTH: usize = 256;

/// Cross-origin (CORS) rule of a service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorsRule {
    /// Allowed origins, compared exactly: `https://acme.com`; or `*`.
    pub origins: Vec<String>,
    /// Allowed methods.
    pub methods: Vec<CorsMethod>,
    /// Number of seconds for which a browser may cache the preflight response.
    pub max_age: u32,
    /// Response headers that pages may read: names, up to two prefixes that end with `*`, or `*`.
    pub exposed_headers: Vec<String>,
    /// Request headers that pages may set, in the same form.
    pub allowed_headers: Vec<String>,
}

/// HTTP method that a rule can allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the methods of HTTP")]
pub enum CorsMethod {
    Delete,
    Get,
    Head,
    Merge,
    Options,
    Patch,
    Post,
    Put,
}

impl CorsRule {
    /// Returns whether pages of an origin may use a method.
    #[must_use]
    pub fn allows(&self, origin: &str, method: CorsMethod) -> bool {
        self.methods.contains(&method)
            && self.origins.iter().any(|allowed| *allowed == *origin || *allowed == *"*")
    }

    /// Returns whether all origins are allowed.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.origins.iter().any(|origin| *origin == *"*")
    }

    /// Returns whether pages may set a header.
    #[must_use]
    pub fn allows_header(&self, name: &str) -> bool {
        self.allowed_headers.iter().any(|allowed| match allowed.strip_suffix('*') {
            Some(beginning) => {
                name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
            }
            None => allowed.eq_ignore_ascii_case(name),
        })
    }

    fn check(&self) -> Result<()> {
        let plain = |text: &String| {
            (1..=LENGTH).contains(&text.chars().count())
                && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',')
        };
        let headers = |names: &[String]| {
            let prefixes = names.iter().filter(|name| name.ends_with('*') && name.as_str() != "*").count();
            names.iter().all(plain) && prefixes <= PREFIXES && names.len() - prefixes <= ENTRIES
        };
        let fits = (1..=ENTRIES).contains(&self.origins.len())
            && self.origins.iter().all(plain)
            && !self.methods.is_empty()
            && headers(&self.exposed_headers)
            && headers(&self.allowed_headers);
        if fits { Ok(()) } else { Err(ErrorCode::InvalidXmlNodeValue.into()) }
    }

    fn bytes(&self) -> usize {
        let texts = [&self.origins, &self.exposed_headers, &self.allowed_headers].into_iter().flatten();
        let methods = self.methods.iter().map(|method| method.as_str().len() + 1);
        texts.map(|text| text.len() + 1).chain(methods).sum()
    }
}

/// CORS rules of a service: at most five, 2 KiB in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorsRules(Vec<CorsRule>);

impl CorsRules {
    /// Creates a list of rules.
    ///
    /// # Errors
    /// `InvalidXmlDocument` for too many rules or an excessive total size; `InvalidXmlNodeValue` for a rule without
    /// origins or methods, or with too many or invalid entries.
    pub fn new(rules: Vec<CorsRule>) -> Result<Self> {
        rules.iter().try_for_each(CorsRule::check)?;
        if rules.len() > RULES || rules.iter().map(CorsRule::bytes).sum::<usize>() > BYTES {
            return Err(ErrorCode::InvalidXmlDocument.into());
        }
        Ok(Self(rules))
    }

    /// Returns the first rule that allows an origin and a method. Later rules are ignored, regardless of their headers.
    #[must_use]
    pub fn find(&self, origin: &str, method: CorsMethod) -> Option<&CorsRule> {
        self.0.iter().find(|rule| rule.allows(origin, method))
    }

    /// Returns all rules in the order in which they are matched.
    #[must_use]
    pub fn as_slice(&self) -> &[CorsRule] {
        &self.0
    }
}

impl CorsMethod {
    /// All methods, by name.
    pub const ALL: [Self; 8] =
        [Self::Delete, Self::Get, Self::Head, Self::Merge, Self::Options, Self::Patch, Self::Post, Self::Put];

    /// Returns the HTTP method name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "DELETE",
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Merge => "MERGE",
            Self::Options => "OPTIONS",
            Self::Patch => "PATCH",
            Self::Post => "POST",
            Self::Put => "PUT",
        }
    }
}

impl FromStr for CorsMethod {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|method| method.as_str() == text);
        known.ok_or_else(|| ErrorCode::InvalidXmlNodeValue.into())
    }
}

impl fmt::Display for CorsMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn rule(origins: &[&str]) -> CorsRule {
        CorsRule { origins: texts(origins), methods: vec![CorsMethod::Get], ..CorsRule::default() }
    }

    fn refused(rules: Vec<CorsRule>) -> Option<ErrorCode> {
        CorsRules::new(rules).err().map(|error| error.code())
    }

    #[test]
    fn the_first_rule_for_origin_and_verb_is_the_one() {
        let put = CorsRule { methods: vec![CorsMethod::Put], ..rule(&["http://a.com"]) };
        let rules = CorsRules::new(vec![put.clone(), rule(&["http://b.com"]), rule(&["*"])]).unwrap();
        assert_eq!(rules.find("http://a.com", CorsMethod::Put), Some(&put));
        assert_eq!(rules.find("http://a.com", CorsMethod::Get), Some(&rule(&["*"])));
        assert_eq!(rules.find("http://b.com", CorsMethod::Get), Some(&rule(&["http://b.com"])));
        assert_eq!(rules.find("http://A.com", CorsMethod::Put), None);
    }

    #[test]
    fn a_beginning_stands_for_the_headers_that_begin_so() {
        let allowed = CorsRule { allowed_headers: texts(&["x-ms-meta-target*", "Accept"]), ..rule(&["*"]) };
        for (name, allows) in
            [("X-MS-meta-target1", true), ("x-ms-meta-", false), ("accept", true), ("é", false)]
        {
            assert_eq!(allowed.allows_header(name), allows, "{name}");
        }
    }

    #[test]
    fn what_is_too_much_is_refused() {
        assert_eq!(refused(vec![rule(&["*"]); 5]), None);
        assert_eq!(refused(vec![rule(&["*"]); 6]), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(refused(vec![rule(&["http://a"; 64])]), None);
        let value = Some(ErrorCode::InvalidXmlNodeValue);
        assert_eq!(refused(vec![rule(&["http://a"; 65])]), value);
        assert_eq!(refused(vec![rule(&[])]), value);
        assert_eq!(refused(vec![rule(&["a b"])]), value);
        assert_eq!(refused(vec![rule(&["a".repeat(257).as_str()])]), value);
        assert_eq!(refused(vec![CorsRule { methods: vec![], ..rule(&["*"]) }]), value);
        let headers = |names: &[&str]| CorsRule { exposed_headers: texts(names), ..rule(&["*"]) };
        assert_eq!(refused(vec![headers(&["a*", "b*", "*"])]), None);
        assert_eq!(refused(vec![headers(&["a*", "b*", "c*"])]), value);
        let long = "a".repeat(250);
        assert_eq!(refused(vec![headers(&[long.as_str(); 9])]), Some(ErrorCode::InvalidXmlDocument));
    }

    #[test]
    fn every_verb_is_read_as_it_is_written() {
        for method in CorsMethod::ALL {
            assert_eq!(method.to_string().parse::<CorsMethod>().unwrap(), method);
        }
        assert!("get".parse::<CorsMethod>().is_err());
    }
}
