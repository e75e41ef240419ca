//! The structures on disk, each declared once with the SDK's member names and offsets.
//!
//! From a declaration come the struct, its nom parser, its writer and the table of its fields'
//! offsets, so that reading, writing and error places cannot disagree. Only single records are
//! here; arrays of thousands go through [`crate::bytes::Reader::slice`] instead, because a nom
//! parser costs tens of nanoseconds a record.

use glam::{Quat, Vec3};
use nom::IResult;
use nom::error::{ErrorKind as NomKind, ParseError};
use nom::number::complete as number;

pub(crate) mod bones;
pub(crate) mod mdl;
pub(crate) mod vtx;
pub(crate) mod vvd;

/// Why a record could not be parsed: the bytes that were left when the field `field` began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FieldError {
    pub(crate) left: usize,
    pub(crate) field: &'static str,
}

impl ParseError<&[u8]> for FieldError {
    fn from_error_kind(input: &[u8], _: NomKind) -> Self {
        FieldError {
            left: input.len(),
            field: "",
        }
    }

    fn append(_: &[u8], _: NomKind, other: Self) -> Self {
        other
    }
}

/// What a parser of this module returns.
pub(crate) type Parsed<'a, T> = IResult<&'a [u8], T, FieldError>;

/// Runs the parser of one field and puts the field's name into its error.
pub(crate) fn field<'a, T: Value>(input: &'a [u8], name: &'static str) -> Parsed<'a, T> {
    T::parse(input).map_err(|error| {
        error.map(|_| FieldError {
            left: input.len(),
            field: name,
        })
    })
}

/// A value inside a record: little-endian numbers, vectors and arrays of them.
pub(crate) trait Value: Sized {
    /// Bytes on disk.
    const SIZE: usize;
    /// The value whose bytes are all zero.
    const ZERO: Self;
    fn parse(input: &[u8]) -> Parsed<'_, Self>;
    fn put(&self, out: &mut Vec<u8>);
}

macro_rules! number_values {
    ($($type:ty: $parser:ident),*) => {$(
        impl Value for $type {
            const SIZE: usize = size_of::<$type>();
            const ZERO: Self = 0 as $type;
            fn parse(input: &[u8]) -> Parsed<'_, Self> {
                number::$parser(input)
            }
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
number_values!(u8: le_u8, u16: le_u16, i16: le_i16, u32: le_u32, i32: le_i32, f32: le_f32);

impl<T: Value + Copy, const N: usize> Value for [T; N] {
    const SIZE: usize = T::SIZE * N;
    const ZERO: Self = [T::ZERO; N];

    fn parse(mut input: &[u8]) -> Parsed<'_, Self> {
        let mut values = Self::ZERO;
        for value in &mut values {
            (input, *value) = T::parse(input)?;
        }
        Ok((input, values))
    }

    fn put(&self, out: &mut Vec<u8>) {
        for value in self {
            value.put(out);
        }
    }
}

impl Value for Vec3 {
    const SIZE: usize = 12;
    const ZERO: Self = Vec3::ZERO;

    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (input, values) = <[f32; 3]>::parse(input)?;
        Ok((input, Vec3::from_array(values)))
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().put(out);
    }
}

impl Value for Quat {
    const SIZE: usize = 16;
    const ZERO: Self = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);

    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (input, values) = <[f32; 4]>::parse(input)?;
        Ok((input, Quat::from_array(values)))
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().put(out);
    }
}

/// A structure of a file.
pub(crate) trait Record: Sized {
    /// The SDK's name.
    const NAME: &'static str;
    /// Bytes on disk.
    const SIZE: usize;
    /// The members and their offsets from the start of the record.
    const FIELDS: &'static [(&'static str, usize)];
    /// The record whose bytes are all zero: what a writer starts from.
    const ZERO: Self;
    fn parse(input: &[u8]) -> Parsed<'_, Self>;
    fn put(&self, out: &mut Vec<u8>);

    /// Offset of the member `name` from the start of the record.
    fn offset_of(name: &str) -> u64 {
        let found = Self::FIELDS.iter().find(|(field, _)| *field == name);
        debug_assert!(found.is_some(), "{} has no field {name}", Self::NAME);
        found.map_or(0, |&(_, at)| at as u64)
    }
}

/// The SDK's name of a member that Rust has to call `r#type` and the like.
pub(crate) const fn sdk_name(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Declares a [`Record`]: `"sdk name" [size] Name { offset field: type, … }`.
///
/// The offsets are checked against the sizes of the types when the crate is compiled.
macro_rules! record {
    ($(#[$doc:meta])* $sdk:literal [$size:literal] $name:ident {
        $($at:literal $field:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        impl $crate::raw::Record for $name {
            const NAME: &'static str = $sdk;
            const SIZE: usize = $size;
            const FIELDS: &'static [(&'static str, usize)] =
                &[$(($crate::raw::sdk_name(stringify!($field)), $at)),*];
            const ZERO: Self = $name { $($field: <$type as $crate::raw::Value>::ZERO),* };

            fn parse(input: &[u8]) -> $crate::raw::Parsed<'_, Self> {
                $(let (input, $field) = $crate::raw::field::<$type>(input, stringify!($field))?;)*
                Ok((input, $name { $($field),* }))
            }

            fn put(&self, out: &mut Vec<u8>) {
                $($crate::raw::Value::put(&self.$field, out);)*
            }
        }

        const _: () = {
            let mut at = 0;
            $(
                assert!(at == $at, concat!($sdk, ".", stringify!($field)));
                at += <$type as $crate::raw::Value>::SIZE;
            )*
            assert!(at == $size, $sdk);
        };
    };
}
pub(crate) use record;
