//! Where the picture is taken from: a portrait lens that frames a cloud of points.
//!
//! In: which way the model faces, the points that must be seen, a view. Out: a [`Camera`].
//! Units are the model's (inches), axes the model's own.

use std::fmt;
use std::str::FromStr;

use glam::{Quat, Vec3};

use crate::error::Error;

/// Distance of the camera in units of the half height that it frames: a portrait lens.
const DISTANCE: f32 = 6.0;
/// The framed points fill this part of the picture, so that hair and chin have room.
const FILL: f32 = 0.86;
/// Points from here on are none of a face.
const FAR: f32 = 1e6;
/// How far `three-quarter` turns, in degrees.
const THREE_QUARTER: f32 = 35.0;

/// Which way a model faces, in its own space; both of unit length and at right angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing {
    /// Out of the face.
    pub forward: Vec3,
    /// From the chin to the forehead.
    pub up: Vec3,
}

impl Facing {
    /// A facing from two directions of any length, which need not be quite at right angles.
    ///
    /// ```
    /// use flexion_render::Facing;
    /// use glam::Vec3;
    ///
    /// let facing = Facing::new(Vec3::NEG_Y * 3.0, Vec3::new(0.0, -0.1, 1.0));
    /// assert_eq!(facing.forward, Vec3::NEG_Y);
    /// assert_eq!(facing.up, Vec3::Z);
    /// ```
    pub fn new(forward: Vec3, up: Vec3) -> Facing {
        let forward = forward.normalize_or(Vec3::NEG_Y);
        let other = if forward.z.abs() < 0.9 {
            Vec3::Z
        } else {
            Vec3::Y
        };
        let upright = |up: Vec3| (up - forward * forward.dot(up)).try_normalize();
        Facing {
            forward,
            up: upright(up).or_else(|| upright(other)).unwrap_or(Vec3::Z),
        }
    }

    /// The character's own left.
    pub fn left(&self) -> Vec3 {
        self.up.cross(self.forward)
    }
}

/// From where a face is seen.
///
/// Written as `front`, `three-quarter`, `side` or `X,Y,Z`:
///
/// ```
/// use flexion_render::View;
///
/// assert_eq!("three-quarter".parse::<View>()?, View::ThreeQuarter);
/// assert_eq!("0,-1,0.5".parse::<View>()?.to_string(), "0,-1,0.5");
/// assert!("behind".parse::<View>().is_err());
/// # Ok::<(), flexion_render::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// Straight ahead.
    #[default]
    Front,
    /// From the character's left, 35 degrees aside.
    ThreeQuarter,
    /// The profile, from the character's left.
    Side,
    /// From a direction in model space, of any length but 0.
    From(Vec3),
}

impl FromStr for View {
    type Err = Error;

    fn from_str(text: &str) -> Result<View, Error> {
        match text {
            "front" => return Ok(View::Front),
            "three-quarter" => return Ok(View::ThreeQuarter),
            "side" => return Ok(View::Side),
            _ => {}
        }
        let unknown = || Error::View {
            text: text.chars().take(60).collect(),
        };
        let parts: Vec<f32> = text
            .split(',')
            .map(|part| part.trim().parse().map_err(|_| unknown()))
            .collect::<Result<_, _>>()?;
        let [x, y, z] = parts[..] else {
            return Err(unknown());
        };
        let direction = Vec3::new(x, y, z);
        if direction.try_normalize().is_none() {
            return Err(unknown());
        }
        Ok(View::From(direction))
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            View::Front => f.write_str("front"),
            View::ThreeQuarter => f.write_str("three-quarter"),
            View::Side => f.write_str("side"),
            View::From(from) => write!(f, "{},{},{}", from.x, from.y, from.z),
        }
    }
}

impl View {
    /// Unit direction from the face to the camera.
    fn direction(self, facing: Facing) -> Vec3 {
        let turned =
            |degrees: f32| Quat::from_axis_angle(facing.up, degrees.to_radians()) * facing.forward;
        match self {
            View::Front => facing.forward,
            View::ThreeQuarter => turned(THREE_QUARTER),
            View::Side => turned(90.0),
            View::From(from) => from.normalize_or(facing.forward),
        }
    }
}

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, in model units.
    pub place: Vec3,
    /// To the right of the picture, of unit length.
    pub right: Vec3,
    /// Up in the picture, of unit length.
    pub up: Vec3,
    /// Into the picture, of unit length.
    pub ahead: Vec3,
    /// Half height of what it frames at `distance`, in model units.
    pub reach: f32,
    /// Distance to the middle of what it frames, in model units.
    pub distance: f32,
}

impl Camera {
    /// A camera that shows all of `points` from `view`, larger by `zoom`.
    ///
    /// `aspect` is width over height of the picture. Points that are not finite, or a million
    /// units away, as damaged models have them, are left out; without points it looks at the
    /// origin.
    pub fn framing(
        points: impl Iterator<Item = Vec3>,
        facing: Facing,
        view: View,
        aspect: f32,
        zoom: f32,
    ) -> Camera {
        let toward = view.direction(facing);
        let pose = Facing::new(toward, facing.up);
        let (right, up, ahead) = (pose.left(), pose.up, -toward);
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        let near = |point: &Vec3| point.is_finite() && point.abs().max_element() < FAR;
        for point in points.filter(near) {
            let seen = Vec3::new(point.dot(right), point.dot(up), point.dot(ahead));
            (low, high) = (low.min(seen), high.max(seen));
        }
        if low.x > high.x {
            (low, high) = (Vec3::NEG_ONE, Vec3::ONE);
        }
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let framed = half.y.max(half.x / aspect).max(1e-3) / FILL;
        let distance = DISTANCE * framed + half.z;
        let middle = right * middle.x + up * middle.y + ahead * middle.z;
        Camera {
            place: middle - ahead * distance,
            right,
            up,
            ahead,
            reach: framed / zoom,
            distance,
        }
    }

    /// A point in the camera's space: right, up and into the picture.
    pub fn seen(&self, point: Vec3) -> Vec3 {
        self.turned(point - self.place)
    }

    /// A direction in the camera's space.
    pub fn turned(&self, direction: Vec3) -> Vec3 {
        Vec3::new(
            direction.dot(self.right),
            direction.dot(self.up),
            direction.dot(self.ahead),
        )
    }
}
