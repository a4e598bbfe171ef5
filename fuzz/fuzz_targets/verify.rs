//! Feeds the fuzzer's inputs to the invariant `verify`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lodebot_fuzz::verify(data));
