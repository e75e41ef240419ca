//! Values on the command line: `NAME=VALUE`, places of bones, `X,Y,Z`, seconds, ranges and shards.

use std::str::FromStr;

use glam::{Quat, Vec3};

/// `NAME=VALUE` or `NAME=LEFT,RIGHT`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: SettingValue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SettingValue {
    One(f32),
    Sides { left: f32, right: f32 },
}

impl FromStr for Setting {
    type Err = String;

    /// Splits at the last `=`, because names may contain one.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text
            .rsplit_once('=')
            .ok_or("expected NAME=VALUE, such as jaw_drop=1")?;
        let value = match value.split_once(',') {
            Some((left, right)) => SettingValue::Sides {
                left: number(left)?,
                right: number(right)?,
            },
            None => SettingValue::One(number(value)?),
        };
        Ok(Setting {
            name: name.to_owned(),
            value,
        })
    }
}

/// `NAME=PX,PY,PZ` or `NAME=PX,PY,PZ,QX,QY,QZ,QW`: where a bone stands in its parent's space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoneSetting {
    pub(crate) name: String,
    pub(crate) position: Vec3,
    /// None for the one it has.
    pub(crate) rotation: Option<Quat>,
}

impl FromStr for BoneSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected NAME=PX,PY,PZ or NAME=PX,PY,PZ,QX,QY,QZ,QW, such as jaw=0,0.5,-1";
        let (name, value) = text.rsplit_once('=').ok_or(wrong)?;
        let parts: Vec<f32> = value.split(',').map(number).collect::<Result<_, _>>()?;
        let (position, rotation) = match parts[..] {
            [x, y, z] => ([x, y, z], None),
            [x, y, z, qx, qy, qz, qw] => ([x, y, z], Some(Quat::from_xyzw(qx, qy, qz, qw))),
            _ => return Err(wrong.to_owned()),
        };
        Ok(BoneSetting {
            name: name.to_owned(),
            position: position.into(),
            rotation,
        })
    }
}

/// A point: three numbers with commas between.
pub(crate) fn point(text: &str) -> Result<Vec3, String> {
    let parts: Vec<f32> = text.split(',').map(number).collect::<Result<_, _>>()?;
    match parts[..] {
        [x, y, z] if parts.iter().all(|part| part.is_finite()) => Ok(Vec3::new(x, y, z)),
        _ => Err("expected three finite numbers X,Y,Z".to_owned()),
    }
}

/// A time: more than nothing, at most an hour.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("expected seconds above 0 and up to 3600".to_owned()),
    }
}

/// Frames from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameRange {
    pub(crate) first: u64,
    /// None for the last there is.
    pub(crate) last: Option<u64>,
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "expected A, A-B or A-, such as 0-99".to_owned();
        let frame = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (first, last) = match text.split_once('-') {
            Some((first, last)) if last.trim().is_empty() => (frame(first)?, None),
            Some((first, last)) => (frame(first)?, Some(frame(last)?)),
            None => (frame(text)?, Some(frame(text)?)),
        };
        if last.is_some_and(|last| last < first) {
            return Err(format!("ends before it begins; {}", wrong()));
        }
        Ok(FrameRange { first, last })
    }
}

/// One of several parts of the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let part = |text: &str| text.trim().parse::<u64>().ok();
        let parts = text.split_once('/');
        match parts.and_then(|(index, count)| Some((part(index)?, part(count)?))) {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
            _ => Err("expected I/N with I from 1 to N, such as 1/4".to_owned()),
        }
    }
}

fn number(text: &str) -> Result<f32, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("{text:?} is not a number"))
}
