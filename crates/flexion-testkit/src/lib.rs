//! Test kit: slow reference evaluator, golden files, damaged files
