//! What can be wrong with a picture that is asked for.

/// Why a picture cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The picture is empty or too large.
    #[error(
        "a picture of {width}x{height} pixels cannot be drawn: each side is 1 to {side} and both make at most {area} pixels"
    )]
    Size {
        /// Asked for, in pixels.
        width: u32,
        /// Asked for, in pixels.
        height: u32,
        /// Longest side, in pixels.
        side: u32,
        /// Most pixels.
        area: u32,
    },
    /// A view that is not known.
    #[error(
        "unknown view '{text}': front, three-quarter, side or a direction X,Y,Z other than 0,0,0"
    )]
    View {
        /// What was written, cut to 60 characters.
        text: String,
    },
    /// A colour that cannot be read.
    #[error("unknown colour '{text}': transparent, or red, green and blue as #rrggbb")]
    Colour {
        /// What was written, cut to 60 characters.
        text: String,
    },
    /// A texture that is no PNG, or a damaged one.
    #[error("the texture cannot be read: {0}")]
    Texture(#[from] png::DecodingError),
    /// A picture that cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encode(#[from] png::EncodingError),
    /// A GIF that cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Gif(#[from] gif::EncodingError),
    /// An animated file that cannot be written.
    #[error("the animation cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// A frame rate that no file can hold.
    #[error("{fps} frames a second: it must be a number from 0.1 to 1000")]
    FrameRate {
        /// Asked for.
        fps: f64,
    },
    /// A frame of one format in a file of another.
    #[error("the frame was made for an animation of another format")]
    OtherFormat,
}

impl Error {
    /// What the system said when a picture could not be written; the error itself when it is
    /// another.
    ///
    /// # Errors
    ///
    /// The error, unchanged.
    pub fn into_io(self) -> Result<std::io::Error, Error> {
        match self {
            Error::Io(error)
            | Error::Encode(png::EncodingError::IoError(error))
            | Error::Gif(gif::EncodingError::Io(error)) => Ok(error),
            other => Err(other),
        }
    }
}
