//! Flex deltas: ramps, stereo pairs, wrinkles, vertices out
