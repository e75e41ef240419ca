//! Feeds bytes to `flexion_tests::targets::vvd`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| flexion_tests::targets::vvd(bytes));
