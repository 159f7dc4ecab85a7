// Pool breaks: one, or many scattered over a plane (Stokes 5.1 and 5.6).
//
//                           o
//      cue               o  o        Seen from above. The triangle points at the cue ball; rows
//       o  ---->      o  o  o        lie along the aim. Balls are 2.04 m apart, so 4 cm of air is
//                        o  o        between them; jitter takes up less than that.
//                           o
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/generators.h"
#include "fovea/scene/scatter.h"

namespace fovea {

namespace {

constexpr double k_radius = 1, k_cue_radius = 0.95;
constexpr double k_spacing = 2.04;
constexpr double k_deviation = 0.005; ///< of positions, m, and of the aim, rad
/// Along each of two axes; the balls come together by at most 2 sqrt(2) times this, less than the
/// 0.04 between them.
constexpr double k_most_jitter = 0.014;
constexpr double k_cue_speed = 20, k_cue_distance = 15;
constexpr int k_balls = 15;
/// Balls are equally dense, and a full one has mass 1.
constexpr double k_cue_mass = k_cue_radius * k_cue_radius * k_cue_radius;

constexpr Vec3d k_white{1, 1, 1}, k_red{0.8, 0.1, 0.1}, k_yellow{0.9, 0.8, 0.1},
    k_black{0.05, 0.05, 0.05}, k_cloth{0.1, 0.4, 0.15};

/// A break's own frame: lead ball at `lead`, rows along the unit vector `forward`, both horizontal.
struct Frame {
    Vec3d lead, forward;

    Vec3d point(double along, double across, double up) const {
        const Vec3d side(-forward.z, 0, forward.x);
        return lead + forward * along + side * across + Vec3d(0, up, 0);
    }
};

/// Gaussian, but drawn again where it could make two balls overlap: beyond 2.8 deviations.
double jitter(Random& random) {
    for (;;) {
        const double drawn = random.gaussian(0, k_deviation);
        if (std::abs(drawn) < k_most_jitter) return drawn;
    }
}

/// Rows of a triangle that holds `balls`.
int rows_for(int balls) {
    int rows = 1;
    while (rows * (rows + 1) / 2 < balls) ++rows;
    return rows;
}

Vec3d ball_colour(int ball, int balls) {
    // The black one lies in the middle, as the fifth of fifteen; the others alternate.
    const int black = balls / 3 - 1;
    if (ball == black) return k_black;
    return (ball - (ball > black)) % 2 == 0 ? k_red : k_yellow;
}

void write_break(Generation& generation, const Frame& frame, int balls) {
    SceneWriter& writer = generation.writer;
    Random& random = generation.random;
    int ball = 0;
    for (int row = 0; ball < balls; ++row)
        for (int column = 0; column <= row && ball < balls; ++column, ++ball) {
            const double along = row * k_spacing * std::sqrt(3.0) / 2 + jitter(random);
            const double across = (column - row / 2.0) * k_spacing + jitter(random);
            writer.begin_sphere(k_radius, 1, frame.point(along, across, k_radius))
                .put("colour", ball_colour(ball, balls))
                .end();
        }
    const Vec3d start = frame.point(jitter(random) - k_cue_distance, jitter(random), k_cue_radius);
    // Small-angle aim: its error is of third order and below the printed decimals.
    const Vec3d aim = frame.point(1, random.gaussian(0, k_deviation), 0) - frame.lead;
    writer.begin_sphere(k_cue_radius, k_cue_mass, start)
        .put("vel", normalized(aim) * k_cue_speed)
        .put("colour", k_white)
        .end();
}

void write_floor(SceneWriter& writer) {
    writer.begin_wall({0, 1, 0}, {0, 0, 0}).put("elastic", 1).put("colour", k_cloth).end();
}

/// A unit vector in the plane y = 0, uniformly distributed, without trigonometry.
Vec3d horizontal_direction(Random& random) {
    for (;;) {
        const Vec3d v(random.uniform(-1, 1), 0, random.uniform(-1, 1));
        if (const double squared = length_squared(v); squared > 1e-4 && squared <= 1)
            return v / std::sqrt(squared);
    }
}

} // namespace

Result<void> generate_pool(Generation& generation) {
    const double depth = rows_for(generation.count) * k_spacing;
    generation.writer.camera({-k_cue_distance - 10, 12 + depth / 2, 0}, {depth / 2, 0, 0});
    write_floor(generation.writer);
    write_break(generation, {{0, 0, 0}, {1, 0, 0}}, generation.count);
    return {};
}

Result<void> generate_pools(Generation& generation) {
    // A disc around cue ball and triangle: from -15.95 to 8.1 along, so half of that and its
    // middle.
    constexpr double k_reach = 12.5, k_middle = -4;
    const double side = 44 * std::sqrt(double(generation.count)); // filled to a quarter
    generation.writer.camera({0, 0.6 * side + 20, 0.8 * side + 20}, {0, 0, 0});
    write_floor(generation.writer);
    Scatter scatter(k_reach, 0.1);
    Random& random = generation.random;
    const double half = side / 2 - k_reach;
    for (int i = 0; i < generation.count; ++i) {
        const auto middle = scatter.add(k_reach, [&] {
            return Vec3d(random.uniform(-half, half), 0, random.uniform(-half, half));
        });
        if (!middle) return failure(fmt::format("found no room for break {}", i + 1));
        const Vec3d forward = horizontal_direction(random);
        write_break(generation, {*middle - forward * k_middle, forward}, k_balls);
    }
    return {};
}

} // namespace fovea
