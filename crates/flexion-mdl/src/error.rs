//! What is wrong, and where: a small [`ErrorKind`] with the numbers that matter, and the
//! [`Place`] that the reader knew when it met it.

use std::fmt;

/// Which of a model's files a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `.mdl`: `studiohdr_t` and all that hangs on it.
    Mdl,
    /// `.vvd`: `vertexFileHeader_t`, vertices and tangents.
    Vvd,
    /// `.vtx`: `OptimizedModel::FileHeader_t`, strips and indices.
    Vtx,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::Mdl => ".mdl",
            FileKind::Vvd => ".vvd",
            FileKind::Vtx => ".vtx",
        })
    }
}

/// Where in a file something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: FileKind,
    /// The SDK's name of the structure, such as `mstudioflex_t`.
    pub structure: &'static str,
    /// The number of the record in its table, when it stands in one; a procedural rule has its
    /// bone's.
    pub index: Option<u32>,
    /// The SDK's name of the member; empty for the structure as a whole.
    pub field: &'static str,
    /// Offset of the member in bytes from the start of the file.
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.file, self.structure)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        if !self.field.is_empty() {
            write!(f, ".{}", self.field)?;
        }
        write!(f, " @0x{:x}", self.offset)
    }
}

/// Why a file was refused: the place and the kind.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: ErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file has no bytes at all.
    #[error("the file is empty")]
    Empty,
    /// The file is the text that git-lfs keeps in place of the model.
    #[error("this is a git-lfs pointer, not the model itself: fetch the real file first")]
    LfsPointer,
    /// A sequence group file (`IDSQ`) of a GoldSrc model.
    #[error("this is a sequence file (IDSQ) of a GoldSrc model, not a model")]
    SequenceFile,
    /// A model of GoldSrc (Half-Life 1), `IDST` version 10.
    #[error("this is a GoldSrc model (version {0}): only Source versions 44 to 49 are read")]
    GoldSrc(i32),
    /// The first four bytes are not this file's.
    #[error("the file starts with {found:02x?} instead of {expected:?}")]
    Magic {
        /// The bytes that stand there.
        found: [u8; 4],
        /// The bytes that should, as text.
        expected: &'static str,
    },
    /// A version that this crate does not read.
    #[error("version {found} is not supported (supported: {supported})")]
    Version {
        /// The version that stands in the file.
        found: i32,
        /// The versions that are read, for people.
        supported: &'static str,
    },
    /// The file is longer than it says because `\n` became `\r\n` on its way.
    #[error(
        "the header says {stated} bytes and the file has {actual}: line endings were converted \
         as if it were text; fetch it again as binary"
    )]
    LineEndings {
        /// The length in the header.
        stated: i32,
        /// The length of the file.
        actual: u64,
    },
    /// The file ends inside something.
    #[error("needs {need} bytes here and {have} are left")]
    Truncated {
        /// Bytes that the record or table takes.
        need: u64,
        /// Bytes from its start to the end of the file.
        have: u64,
    },
    /// A count below zero.
    #[error("count {0} is negative")]
    NegativeCount(i32),
    /// An offset that leads before the start or past the end of the file.
    #[error("offset {offset} leads to {target}, outside the file of {size} bytes")]
    OffsetOutside {
        /// The value of the field.
        offset: i64,
        /// The position that it leads to, from the start of the file.
        target: i64,
        /// The size of the file in bytes.
        size: u64,
    },
    /// A name without its NUL before the end of the file.
    #[error("the name has no terminating NUL before the end of the file")]
    Unterminated,
    /// Tables and names claim far more bytes than the file has.
    #[error("tables overlap: together they claim over {limit} times the file's size")]
    Overlap {
        /// How many times the file's size may be claimed.
        limit: u64,
    },
    /// A value that its field cannot have.
    #[error("{found} is not allowed here (expected {expected})")]
    Value {
        /// The value that stands there.
        found: i64,
        /// What may stand there, for people.
        expected: &'static str,
    },
    /// An index past the end of what it points into.
    #[error("index {index} of {count}")]
    Index {
        /// The index.
        index: i64,
        /// How many there are.
        count: u64,
    },
    /// A range of which not all is there.
    #[error("{length} from {first} on of {count}")]
    Range {
        /// The first of them.
        first: i32,
        /// How many.
        length: i32,
        /// How many there are to take from.
        count: u64,
    },
    /// A companion file whose checksum is not the `.mdl`'s: it belongs to another model, or to
    /// another compilation of this one. Engines refuse it.
    #[error("checksum {found:08x} is not the .mdl's {mdl:08x}: the files do not belong together")]
    Checksum {
        /// The checksum in the `.mdl`.
        mdl: u32,
        /// The checksum in this file.
        found: u32,
    },
    /// A table of a companion file that should have one entry for each of the `.mdl`'s.
    #[error("{found} here and {expected} in the .mdl, which should pair one to one")]
    Pairing {
        /// Entries in this file.
        found: i64,
        /// Entries in the `.mdl`.
        expected: u64,
    },
}

/// The families of errors that a program may want to treat apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The file is damaged, or is not what its name says.
    BadFile,
    /// The file may be whole, but its format or version is not read.
    Unsupported,
    /// The file asks for more than it may.
    Limit,
}

impl Error {
    /// The family of this error.
    pub fn class(&self) -> ErrorClass {
        match self.kind {
            ErrorKind::GoldSrc(_) | ErrorKind::SequenceFile | ErrorKind::Version { .. } => {
                ErrorClass::Unsupported
            }
            ErrorKind::Overlap { .. } => ErrorClass::Limit,
            _ => ErrorClass::BadFile,
        }
    }
}

/// Something odd that engines tolerate and that a caller may want to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: WarningKind,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// What is odd.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// `studiohdr_t.length` is not the size of the file.
    #[error("the header says {stated} bytes, the file has {actual}")]
    Length {
        /// The length in the header.
        stated: i32,
        /// The length of the file.
        actual: u64,
    },
    /// Vertanims that name a vertex past their mesh; the engine ignores them.
    #[error("{rows} vertanims name a vertex past the mesh's {vertices}; they are ignored")]
    VertexPastMesh {
        /// How many.
        rows: u32,
        /// Vertices of the mesh.
        vertices: i32,
    },
    /// An index that leads nowhere; what it belongs to is ignored.
    #[error("index {index} of {count}; ignored")]
    Index {
        /// The index.
        index: i64,
        /// How many there are.
        count: u64,
    },
    /// A ramp without a rising or a falling side (`target0 < target1 <= target2 < target3` does
    /// not hold); the order of the tests keeps it finite.
    #[error("ramp {0:?} is degenerate")]
    DegenerateRamp([f32; 4]),
    /// A user interface slot that is not a controller.
    #[error("offset {0} is not a controller; the slot is ignored")]
    UiSlot(i32),
    /// A remap type that no engine knows.
    #[error("remap type {0} is unknown; treated as passthru")]
    RemapType(u8),
    /// A fixed point scale that is zero, negative or not a number.
    #[error("fixed point scale {0} is not positive")]
    FixedPointScale(f32),
    /// Deltas that do not fit the engine's 16 bits; with engine precision they wrap.
    #[error("{rows} vertanims move past the engine's {limit} units; its precision wraps them")]
    DeltaRange {
        /// How many.
        rows: u32,
        /// The largest delta that fits, in model units.
        limit: f32,
    },
    /// A mesh whose vertices are not all among its model's.
    #[error("{count} vertices from {first} on are not all among the model's {total}")]
    VertexRange {
        /// `vertexoffset` of the mesh.
        first: i32,
        /// `numvertices` of the mesh.
        count: i32,
        /// `numvertices` of the model.
        total: i32,
    },
    /// A bone whose parent is not one of the bones before it.
    #[error("parent {0} does not come before the bone")]
    Parent(i32),
    /// A procedural type that no engine knows.
    #[error("procedural type {0} is unknown; the bone keeps its ordinary pose")]
    ProceduralType(i32),
    /// A bone controller that moves nothing, or several things at once.
    #[error("motion type {0:#x} is not one of X, Y, Z, XR, YR and ZR; ignored")]
    MotionType(i32),
    /// A skeleton in columns with more or fewer bones than the skeleton.
    #[error("the bones stand here again in columns: {columns} and not {bones}")]
    LinearBoneCount {
        /// Bones in the columns.
        columns: u64,
        /// Bones of the model.
        bones: u64,
    },
    /// A skeleton in columns that says something else than the skeleton; games use both.
    #[error("the bones stand here again in columns, and {members} of their members differ")]
    LinearBones {
        /// How many members of bones.
        members: u64,
    },
    /// Entries of the skin table that name no texture.
    #[error("{entries} entries name no texture of {textures}, the first of them {first}")]
    SkinEntries {
        /// How many.
        entries: u32,
        /// What the first of them says.
        first: i16,
        /// Textures of the model.
        textures: u64,
    },
    /// More than engines allow.
    #[error("{count} {what}, past the engine's {cap}")]
    EngineCap {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many the engine allows.
        cap: u64,
    },
    /// A name that another record before it has too (without regard to ASCII case).
    #[error("record {first} has the same name")]
    DuplicateName {
        /// The first record with that name.
        first: u32,
    },
    /// Two parts of the file that should say the same do not.
    #[error("{0}")]
    Mismatch(&'static str),
    /// The list of warnings ends here, so that it stays small beside the file.
    #[error("{0} more warnings are left out")]
    More(u64),
}

/// Why a value cannot be written: where it would have stood, and the kind.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct WriteError {
    /// Where it would have stood.
    pub place: Place,
    /// What.
    pub kind: WriteErrorKind,
}

/// What a file cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// A name with a NUL in it; the name would end there.
    #[error("the name has a NUL in it")]
    NulInName,
    /// A name longer than its member.
    #[error("the name has {length} bytes and {max} fit")]
    NameTooLong {
        /// Bytes of the name.
        length: u64,
        /// Bytes that fit.
        max: u64,
    },
    /// More than a count or an offset of 32 bits can say.
    #[error("{0} is more than 32 bits hold")]
    TooLarge(u64),
    /// A value that its field cannot have.
    #[error("{found} is not allowed here (expected {expected})")]
    Value {
        /// The value.
        found: i64,
        /// What may stand there, for people.
        expected: &'static str,
    },
}
