//! What can be wrong with a skeleton and its use.

/// Why a skeleton cannot be built or posed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A bone whose parent does not come before it.
    #[error("bone {bone} has the parent {parent}, which is not before it")]
    Parent {
        /// The bone.
        bone: usize,
        /// Its parent.
        parent: usize,
    },
    /// A bone that a record names and that there is not.
    #[error("{what} {record} names bone {bone} of {count}")]
    Bone {
        /// The kind of record.
        what: &'static str,
        /// Its number.
        record: usize,
        /// The bone that it names.
        bone: usize,
        /// How many bones there are.
        count: usize,
    },
    /// An attachment that an aim-at bone names and that there is not.
    #[error("bone {bone} aims at attachment {attachment} of {count}")]
    Attachment {
        /// The bone.
        bone: usize,
        /// The attachment that it names.
        attachment: usize,
        /// How many attachments there are.
        count: usize,
    },
    /// Buffers of vertices that are not of one length.
    #[error("{found} {what} for {expected} vertices")]
    Length {
        /// Which buffer.
        what: &'static str,
        /// How many vertices there are.
        expected: usize,
        /// How many the buffer has.
        found: usize,
    },
}
