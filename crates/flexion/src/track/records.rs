//! CSV records with the line each starts on; lines end with LF, CR LF or CR alone.
//!
//! A reader of its own over `csv-core`, since the `csv` crate counts a record's line from the end
//! of the record before, which blank lines make wrong.

use std::io::BufRead;

use csv_core::ReadRecordResult;

use super::error::TrackError;

/// Longest record, in bytes: a quote that is never closed must not swallow a file of any size.
const LONGEST: usize = 1 << 20;

/// Reads records one after another; blank lines are passed over.
pub(crate) struct Records<R> {
    input: R,
    core: csv_core::Reader,
    /// Lines read so far.
    line: u64,
    text: Vec<u8>,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

/// One record; fields are trimmed.
pub(crate) struct Record<'a> {
    /// Line that it starts on, the first is 1.
    pub(crate) line: u64,
    text: &'a str,
    ends: &'a [usize],
}

impl Record<'_> {
    /// How many fields it has.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field by its number; empty past the last.
    pub(crate) fn field(&self, at: usize) -> &str {
        let Some(&end) = self.ends.get(at) else {
            return "";
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text[start..end].trim()
    }
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(input: R) -> Records<R> {
        Records {
            input,
            core: csv_core::Reader::new(),
            line: 0,
            text: Vec::new(),
            fields: vec![0; 256],
            ends: vec![0; 64],
        }
    }

    /// The next record, or none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Record<'_>>, TrackError> {
        loop {
            if !self.read_line()? {
                return Ok(None);
            }
            if !self.text.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        let line = self.line;
        let (mut written, mut fields) = (0, 0);
        while !self.parse_line(&mut written, &mut fields) {
            if written > LONGEST {
                return Err(TrackError::at(line, "the record is longer than 1 MiB"));
            }
            if !self.read_line()? {
                return Err(TrackError::at(line, "a quote is opened and never closed"));
            }
        }
        let text = std::str::from_utf8(&self.fields[..written])
            .map_err(|_| TrackError::at(line, "the text is not UTF-8"))?;
        Ok(Some(Record {
            line,
            text,
            ends: &self.ends[..fields],
        }))
    }

    /// Reads a line into `text`, with its end even where the file lacks it; `false` at the end.
    fn read_line(&mut self) -> Result<bool, TrackError> {
        self.text.clear();
        self.line += 1;
        while !self.text.ends_with(b"\n") && !self.text.ends_with(b"\r") {
            let more = self.input.fill_buf();
            let more = more.map_err(|error| TrackError::whole(error.to_string()))?;
            if more.is_empty() {
                if self.text.is_empty() {
                    return Ok(false);
                }
                self.text.push(b'\n');
                return Ok(true);
            }
            let end = memchr::memchr2(b'\n', b'\r', more);
            let part = end.map_or(more.len(), |end| end + 1);
            self.text.extend_from_slice(&more[..part]);
            self.input.consume(part);
            if self.text.len() > LONGEST {
                return Err(TrackError::at(self.line, "the line is longer than 1 MiB"));
            }
        }
        if self.text.ends_with(b"\r") && self.input.fill_buf().is_ok_and(|b| b.starts_with(b"\n")) {
            self.text.push(b'\n');
            self.input.consume(1);
        }
        Ok(true)
    }

    /// Adds a line to the record; whether the record ends with it, and not inside a quote.
    fn parse_line(&mut self, written: &mut usize, fields: &mut usize) -> bool {
        let mut text = self.text.as_slice();
        loop {
            let (result, read, wrote, ended) = self.core.read_record(
                text,
                &mut self.fields[*written..],
                &mut self.ends[*fields..],
            );
            text = &text[read..];
            *written += wrote;
            *fields += ended;
            match result {
                ReadRecordResult::Record => return true,
                ReadRecordResult::OutputFull => self.fields.resize(2 * self.fields.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::InputEmpty | ReadRecordResult::End => return false,
            }
        }
    }
}
