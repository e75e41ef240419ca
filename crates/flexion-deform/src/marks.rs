//! A bit per rank.

use std::ops::Range;

/// Ranks whose marks share a word.
pub(crate) const MARKS: usize = u64::BITS as usize;

/// No marks on any of so many ranks.
pub(crate) fn none(ranks: usize) -> Vec<u64> {
    vec![0; ranks.div_ceil(MARKS)]
}

pub(crate) fn set(marks: &mut [u64], rank: usize) {
    marks[rank / MARKS] |= 1 << (rank % MARKS);
}

#[inline(always)]
pub(crate) fn is_set(marks: &[u64], rank: usize) -> bool {
    marks[rank / MARKS] >> (rank % MARKS) & 1 == 1
}

/// The ranks of a range whose marks are set, ascending.
///
/// A loop over it is part of the kernel around it. A closure called for each rank is not: it
/// is compiled for the platform's baseline and calls the kernel's instructions one by one,
/// which made a pose five times as slow.
pub(crate) struct Ranks<'a> {
    marks: &'a [u64],
    word: usize,
    end: usize,
    bits: u64,
}

impl<'a> Ranks<'a> {
    #[inline(always)]
    pub(crate) fn new(range: &Range<usize>, marks: &'a [u64]) -> Self {
        let (word, end) = (range.start / MARKS, range.end.div_ceil(MARKS));
        let bits = if word < end { marks[word] } else { 0 };
        Self {
            marks,
            word,
            end,
            bits,
        }
    }
}

impl Iterator for Ranks<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.word += 1;
            if self.word >= self.end {
                return None;
            }
            self.bits = self.marks[self.word];
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(self.word * MARKS + bit)
    }
}
