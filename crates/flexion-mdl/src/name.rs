//! Names: bytes up to a NUL, in whatever encoding their author had.

use std::borrow::Cow;
use std::fmt;

/// A name as it stands in the file: any bytes without a NUL, possibly none.
///
/// Shown as UTF-8 where it is UTF-8 and as Latin-1 otherwise, so that every name has a text and
/// no two different names of one encoding have the same.
///
/// ```
/// use flexion_mdl::Name;
/// assert_eq!(Name::from("jaw_drop").to_str(), "jaw_drop");
/// assert_eq!(Name::from(&b"\xe9yebrow"[..]).to_str(), "éyebrow");
/// assert!(Name::from("Jaw_Drop").matches("jaw_drop"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Name<'a>(Cow<'a, [u8]>);

impl<'a> Name<'a> {
    /// The bytes, without the NUL.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text: UTF-8, else Latin-1.
    pub fn to_str(&self) -> Cow<'_, str> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.0.iter().map(|&byte| char::from(byte)).collect()),
        }
    }

    /// Whether this is `text` without regard to ASCII case, as engines compare names.
    pub fn matches(&self, text: &str) -> bool {
        self.to_str().eq_ignore_ascii_case(text)
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same name with its own copy of the bytes.
    pub fn into_owned(self) -> Name<'static> {
        Name(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(text: &'a str) -> Self {
        Name(Cow::Borrowed(text.as_bytes()))
    }
}

impl From<String> for Name<'_> {
    fn from(text: String) -> Self {
        Name(Cow::Owned(text.into_bytes()))
    }
}

impl<'a> From<&'a [u8]> for Name<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Name(Cow::Borrowed(bytes))
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}
