//! Feeds bytes to `flexion_tests::targets::vtx`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| flexion_tests::targets::vtx(bytes));
