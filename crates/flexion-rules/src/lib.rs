//! Flex rules: verify, compile to flat bytecode, evaluate, disassemble
