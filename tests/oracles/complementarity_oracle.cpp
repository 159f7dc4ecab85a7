#include "complementarity_oracle.h"

#include <limits>

using Eigen::Index;

namespace {

Eigen::Vector3d vector(const fovea::Vec3& v) {
    return {v.x, v.y, v.z};
}

} // namespace

ImpactSystem impact_system(const fovea::Bodies& bodies, std::span<const fovea::Contact> contacts) {
    const Index size = 6 * Index(bodies.size());
    ImpactSystem system{Eigen::MatrixXd::Zero(size, size),
                        Eigen::MatrixXd::Zero(Index(contacts.size()), size), Eigen::VectorXd(size)};
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const Index row = 6 * Index(i);
        system.inverse_mass.block<3, 3>(row, row).diagonal().setConstant(bodies.inverse_mass[i]);
        const fovea::Mat3& inertia = bodies.inverse_inertia_world[i];
        auto turning = system.inverse_mass.block<3, 3>(row + 3, row + 3);
        turning << vector(inertia.x), vector(inertia.y), vector(inertia.z);
        system.velocity.segment<3>(row) = vector(bodies.velocity[i]);
        system.velocity.segment<3>(row + 3) = vector(bodies.angular_velocity[i]);
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const fovea::Contact& c = contacts[i];
        const Eigen::Vector3d normal = vector(c.normal);
        const auto set = [&](std::uint32_t body, const fovea::Vec3& point, double sign) {
            const Eigen::Vector3d arm = vector(point) - vector(bodies.position[body]);
            system.directions.block<1, 3>(Index(i), 6 * Index(body)) = sign * normal.transpose();
            system.directions.block<1, 3>(Index(i), 6 * Index(body) + 3) =
                sign * arm.cross(normal).transpose();
        };
        set(c.a, c.point_a, -1); // the normal points from A to B
        set(c.b, c.point_b, 1);
    }
    return system;
}

ComplementaritySolution solve_complementarity(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
    const Index count = b.size();
    ComplementaritySolution best{Eigen::VectorXd::Zero(count),
                                 std::numeric_limits<double>::infinity()};
    for (unsigned set = 0; set < 1u << count; ++set) {
        std::vector<Index> bearing;
        for (Index i = 0; i < count; ++i)
            if (set >> i & 1) bearing.push_back(i);
        Eigen::VectorXd impulses = Eigen::VectorXd::Zero(count);
        if (!bearing.empty()) {
            Eigen::FullPivLU<Eigen::MatrixXd> solver(a(bearing, bearing));
            solver.setThreshold(1e-6); // redundant but for the rounding of single precision
            if (!solver.isInvertible()) continue;
            impulses(bearing) = solver.solve(-b(bearing));
        }
        const Eigen::VectorXd w = a * impulses + b;
        double violation = 0;
        for (Index i = 0; i < count; ++i) {
            // An impulse counts by the speed that it changes at its own contact.
            violation = std::max({violation, -w[i], -impulses[i] * a(i, i)});
            if (set >> i & 1) violation = std::max(violation, w[i]);
        }
        if (violation < best.violation) best = {impulses, violation};
    }
    return best;
}
