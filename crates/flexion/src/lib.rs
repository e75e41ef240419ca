//! Facial poses of Source models: sliders in, weights and vertices out
