//! Numbers as text.

use std::fmt;

/// A float as C's `%.9g` prints it: nine significant digits, enough to read an `f32` back.
pub(crate) struct G9(pub(crate) f32);

/// Significant digits.
const DIGITS: i32 = 9;

impl fmt::Display for G9 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value == 0.0 || !value.is_finite() {
            return match value {
                v if v.is_nan() => f.write_str("nan"),
                v if v.is_infinite() => f.write_str(if v > 0.0 { "inf" } else { "-inf" }),
                v => f.write_str(if v.is_sign_negative() { "-0" } else { "0" }),
            };
        }
        let scientific = format!("{value:.*e}", DIGITS as usize - 1);
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
        if (-4..DIGITS).contains(&exponent) {
            let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or_default();
            f.write_str(trimmed(&format!("{value:.decimals$}")))
        } else {
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(f, "{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

/// Without the zeros that say nothing.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// A float as the shortest text that reads back to the same bits; NaN as `NaN`.
pub(crate) struct Exact(pub(crate) f32);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::{Exact, G9};

    #[test]
    fn g9_prints_what_c_prints() {
        // Right-hand sides are what printf("%.9g") of the C library gives.
        let cases: [(f32, &str); 12] = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-5.207_747, "-5.20774698"),
            (0.1, "0.100000001"),
            (1e-4, "9.99999975e-05"),
            (1.234e-4, "0.000123399994"),
            (123_456_789.0, "123456792"),
            (1e9, "1e+09"),
            (f32::MAX, "3.40282347e+38"),
            (f32::from_bits(1), "1.40129846e-45"),
            (f32::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(G9(value).to_string(), text);
        }
        assert_eq!(G9(f32::NAN).to_string(), "nan");
    }

    #[test]
    fn exact_reads_back_to_the_same_bits() {
        for bits in (0..=u32::MAX).step_by(65_537) {
            let value = f32::from_bits(bits);
            let read: f32 = Exact(value).to_string().parse().expect("a number");
            assert!(
                read.to_bits() == bits || read.is_nan() && value.is_nan(),
                "{bits:08x}"
            );
        }
        assert_eq!(Exact(1.0).to_string(), "1");
    }
}
