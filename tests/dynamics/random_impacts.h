// Small systems of spheres and boxes that touch at one to six places and move at random: what
// the impulse response is asked about.
//
//   cluster   bodies around and upon each other, each new one at a random place of an old one
//   ring      three to six spheres, each touching the next: blows run round
//   stand     a box flat on the ground, on four corners (one more than it needs), hit from above
//
// Depths are zero, so both bodies of a contact share its point and positions do not change.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/contact/contact.h"
#include "fovea/dynamics/integrate.h"

namespace fovea::test {

struct Restitution {
    float bodies;           ///< of all movable bodies: unequal ones do not conserve momentum
    bool walls_too = false; ///< or else each immovable body has a value of its own
};

class RandomImpact {
  public:
    Bodies bodies;
    std::vector<Contact> contacts;
    bool immovable_bodies = false;

    RandomImpact(Random& random, Restitution restitution)
        : random_(random)
        , restitution_(restitution) {
        switch (random.below(3)) {
        case 0:
            cluster();
            break;
        case 1:
            ring();
            break;
        default:
            stand();
        }
        for (std::size_t i = contacts.size(); i > 1; --i)
            std::swap(contacts[i - 1], contacts[random_.below(std::uint32_t(i))]);
        refresh_inertia(bodies, Jobs());
    }

  private:
    Random& random_;
    Restitution restitution_;
    std::vector<Vec3> half_; ///< of boxes; of spheres (radius, 0, 0)

    Vec3 up_to(double size) { return Vec3(random_.direction() * random_.uniform(0, size)); }
    bool sphere(std::uint32_t i) const { return half_[i].y == 0; }

    std::uint32_t add(bool movable, const Vec3& half, const Transform& pose) {
        BodyState state{.pose = pose};
        state.material.elastic = restitution_.bodies;
        if (movable) {
            state.velocity = up_to(5), state.angular_velocity = up_to(5);
            state.mass = float(random_.uniform(0.3, 3));
            const Vec3 s = scale(half, half);
            state.inertia =
                half.y == 0 ? Mat3::identity() * (0.4f * state.mass * s.x)
                            : Mat3::diagonal({s.y + s.z, s.x + s.z, s.x + s.y}) * (state.mass / 3);
        } else {
            immovable_bodies = true;
            if (!restitution_.walls_too) state.material.elastic = float(random_.below(5)) / 4;
        }
        half_.push_back(half);
        bodies.set(bodies.size(), state);
        return bodies.size() - 1;
    }

    Vec3 random_half() {
        const auto edge = [&] { return float(random_.uniform(0.3, 1)); };
        return random_.below(2) == 0 ? Vec3(edge(), 0, 0) : Vec3(edge(), edge(), edge());
    }

    /// A place on the surface, and the way out of the body there.
    std::pair<Vec3, Vec3> place_on(std::uint32_t i) {
        const Vec3 h = half_[i];
        if (sphere(i)) {
            const Vec3 out(random_.direction());
            return {bodies.position[i] + out * h.x, out};
        }
        const int axis = int(random_.below(3));
        const float side = random_.below(2) == 0 ? -1.0f : 1.0f;
        Vec3 out, local;
        for (int k = 0; k < 3; ++k) local[k] = h[k] * float(random_.uniform(-1, 1));
        local[axis] = side * h[axis], out[axis] = side;
        return {bodies.pose(i) * local, rotate(bodies.orientation[i], out)};
    }

    /// A new body that touches body `i` there: a sphere, or a box with its lowest corner.
    void touch(std::uint32_t i, const Vec3& point, const Vec3& out, bool movable) {
        const Vec3 half = random_half();
        const Quat turned = normalized(Quat(Quatd(random_.uniform(-1, 1), random_.direction())));
        const Vec3 down = rotate(conjugate(turned), -out);
        Vec3 lowest;
        for (int k = 0; k < 3; ++k) lowest[k] = std::copysign(half[k], down[k]);
        if (half.y == 0) lowest = down * half.x;
        const std::uint32_t b = add(movable, half, {point - rotate(turned, lowest), turned});
        contacts.push_back({i, b, std::uint32_t(contacts.size()), point, point, out, 0});
    }

    void cluster() {
        add(true, random_half(), {up_to(1)});
        const std::uint32_t count = 1 + random_.below(6);
        for (std::uint32_t k = 0; k < count; ++k) {
            std::uint32_t i = random_.below(bodies.size());
            if (!bodies.movable(i)) i = 0;
            const auto [point, out] = place_on(i);
            touch(i, point, out, random_.below(4) > 0);
        }
    }

    void ring() {
        const std::uint32_t count = 3 + random_.below(4);
        const float radius = 0.5f, step = 2 * std::numbers::pi_v<float> / float(count);
        const float ring_radius = radius / std::sin(step / 2);
        for (std::uint32_t k = 0; k < count; ++k) {
            const float angle = step * float(k);
            add(k == 0 || random_.below(5) > 0, {radius, 0, 0},
                {Vec3(std::cos(angle), 0, std::sin(angle)) * ring_radius});
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t a = std::min(k, (k + 1) % count), b = std::max(k, (k + 1) % count);
            if (!bodies.movable(a) && !bodies.movable(b)) continue;
            const Vec3 point = (bodies.position[a] + bodies.position[b]) * 0.5f;
            const Vec3 normal = normalized(bodies.position[b] - bodies.position[a]);
            contacts.push_back({a, b, 0, point, point, normal, 0});
        }
    }

    void stand() {
        const Vec3 half(0.8f, 0.5f, 0.6f);
        add(true, half, {Vec3(0, half.y, 0)});
        bodies.velocity[0].y = -std::abs(bodies.velocity[0].y);
        add(false, Vec3(10, 1, 10), {Vec3(0, -1, 0)});
        for (int k = 0; k < 4; ++k) {
            const Vec3 corner(k & 1 ? half.x : -half.x, 0, k & 2 ? half.z : -half.z);
            contacts.push_back({0, 1, std::uint32_t(k), corner, corner, {0, -1, 0}, 0});
        }
        for (std::uint32_t k = random_.below(3); k > 0; --k) {
            const Vec3 point(half.x * float(random_.uniform(-1, 1)), 2 * half.y,
                             half.z * float(random_.uniform(-1, 1)));
            touch(0, point, {0, 1, 0}, true);
        }
    }
};

} // namespace fovea::test
