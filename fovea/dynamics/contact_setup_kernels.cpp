// Makes groups of contacts ready for the solver: arms, effective masses, softness.
#include "fovea/dynamics/contact_group.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/dynamics/contact_setup_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include "fovea/dynamics/contact_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

/// Masses and inertias of the bodies in the lanes.
HWY_INLINE void gather_masses(const std::uint32_t* rows, const SolverMass* masses,
                              float* inverse_mass, ContactGroup::Lanes* inertia, std::size_t lane) {
    static constexpr SolverMass k_immovable_mass{};
    for (std::size_t i = lane; i < lane + hn::Lanes(d); ++i) {
        const SolverMass& mass = rows[i] == k_immovable ? k_immovable_mass : masses[rows[i]];
        inverse_mass[i] = mass.inverse_mass;
        for (int k = 0; k < 6; ++k) inertia[k][i] = mass.inverse_inertia[k];
    }
}

/// Soft columns buckle under heavy loads. A contact whose load would give its bodies a great
/// acceleration (m/s^2) is therefore made stiffer, as far as it can be without trembling; one with
/// an immovable body twice as stiff. Then make_soft(), lane by lane.
HWY_INLINE void soften(ContactGroup& g, std::size_t lane, const ContactSoftness& softness) {
    constexpr float k_heavy = 800, k_most = 1.2f;
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f), h = hn::Set(d, softness.h);
    const V mass_a = load(g.inverse_mass_a + lane), mass_b = load(g.inverse_mass_b + lane);
    const V acceleration = hn::Div(mul(pressure(g, lane), add(mass_a, mass_b)), h);
    const V loaded =
        hn::Min(hn::Sqrt(hn::Div(acceleration, hn::Set(d, k_heavy))), hn::Set(d, k_most));
    const V turn = hn::Max(hn::Set(d, softness.turn), loaded);
    const auto both_move = hn::And(hn::Gt(mass_a, zero), hn::Gt(mass_b, zero));
    const V w = hn::IfThenElse(both_move, turn, add(turn, turn));
    const auto soft = hn::Gt(w, zero);
    const V a1 = add(hn::Set(d, 2 * softness.damping), w), a2 = mul(w, a1);
    const V a3 = hn::Div(one, add(one, a2));
    hn::Store(hn::Div(w, hn::IfThenElse(soft, mul(h, a1), one)), d, g.bias_rate + lane);
    hn::Store(hn::IfThenElse(soft, mul(a2, a3), one), d, g.mass_scale + lane);
    hn::Store(hn::IfThenElseZero(soft, a3), d, g.impulse_scale + lane);
}

/// From points to lever arms, and the centre that friction acts at.
HWY_INLINE void find_arms(ContactGroup& g, std::size_t lane, const Vector& n) {
    const V zero = hn::Zero(d);
    Vector centre{zero, zero, zero};
    for (int i = 0; i < g.max_points; ++i) centre = add(centre, load(g.points[i].arm, lane));
    centre = mul(centre, load(g.share + lane));
    store(centre, g.centre, lane);
    for (int i = 0; i < g.max_points; ++i) {
        ContactGroup::Point& p = g.points[i];
        const Vector point = load(p.arm, lane), lever = sub(point, centre);
        store(cross(point, n), p.arm, lane);
        hn::Store(hn::Sqrt(dot(lever, lever)), d, p.lever + lane);
    }
    store(cross(load(g.apart, lane), n), g.offset, lane);
}

/// Effective masses, and how the points act on each other.
HWY_INLINE void find_masses(ContactGroup& g, std::size_t lane, const Pairs& pairs,
                            const Vector& n) {
    const V one = hn::Set(d, 1.0f), inverse_mass = add(pairs.inverse_mass_a, pairs.inverse_mass_b);
    const Vector offset = load(g.offset, lane);
    for (int i = 0; i < g.max_points; ++i) {
        ContactGroup::Point& p = g.points[i];
        const Vector arm_a = load(p.arm, lane), arm_b = add(arm_a, offset);
        const Vector spun_a = mul(pairs.inertia_a, arm_a), spun_b = mul(pairs.inertia_b, arm_b);
        for (int j = 0; j < g.max_points; ++j) {
            const Vector other_a = load(g.points[j].arm, lane), other_b = add(other_a, offset);
            const V k = add(inverse_mass, add(dot(other_a, spun_a), dot(other_b, spun_b)));
            hn::Store(k, d, g.coupling[i][j] + lane);
        }
        const V exists = load(p.mass + lane);
        hn::Store(reciprocal(exists, load(g.coupling[i][i] + lane)), d, p.mass + lane);
    }
    const auto compliance = [&](const Vector& arm_a, const Vector& arm_b) HWY_ATTR {
        return add(dot(arm_a, mul(pairs.inertia_a, arm_a)),
                   dot(arm_b, mul(pairs.inertia_b, arm_b)));
    };
    const Vector t = load(g.tangent, lane), u = cross(n, t);
    const Vector centre_a = load(g.centre, lane), centre_b = add(centre_a, load(g.apart, lane));
    const Vector arm_ta = cross(centre_a, t), arm_tb = cross(centre_b, t);
    const Vector arm_ua = cross(centre_a, u), arm_ub = cross(centre_b, u);
    const V tt = add(inverse_mass, compliance(arm_ta, arm_tb));
    const V uu = add(inverse_mass, compliance(arm_ua, arm_ub));
    const V tu =
        add(dot(arm_ta, mul(pairs.inertia_a, arm_ua)), dot(arm_tb, mul(pairs.inertia_b, arm_ub)));
    const V scale = reciprocal(one, sub(mul(tt, uu), mul(tu, tu)));
    hn::Store(mul(uu, scale), d, g.tangent_mass[0] + lane);
    hn::Store(mul(tt, scale), d, g.tangent_mass[1] + lane);
    hn::Store(hn::Neg(mul(tu, scale)), d, g.tangent_mass[2] + lane);
    hn::Store(reciprocal(one, compliance(n, n)), d, g.twist_mass + lane);
}

void finish_kernel(ContactGroup* groups, std::size_t count, SolverBody* bodies,
                   const SolverMass* masses, const ContactSoftness& softness) {
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        ContactGroup& g = groups[index];
        const Vector n = load(g.normal, lane);
        gather_masses(g.a, masses, g.inverse_mass_a, g.inertia_a, lane);
        gather_masses(g.b, masses, g.inverse_mass_b, g.inertia_b, lane);
        const Pairs pairs(g, lane, bodies);
        soften(g, lane, softness);
        find_arms(g, lane, n);
        find_masses(g, lane, pairs, n);
        const Vector spin = sub(pairs.spin_b, pairs.spin_a);
        const V common = add(dot(n, sub(pairs.velocity_b, pairs.velocity_a)),
                             dot(load(g.offset, lane), pairs.spin_b));
        for (int i = 0; i < g.max_points; ++i)
            hn::Store(add(common, dot(load(g.points[i].arm, lane), spin)), d,
                      g.points[i].approach + lane);
    });
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(finish_kernel);

void finish_groups(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                   std::span<const SolverMass> masses, const ContactSoftness& softness) {
    HWY_DYNAMIC_DISPATCH(finish_kernel)
    (groups.data(), groups.size(), bodies.data(), masses.data(), softness);
}

} // namespace fovea
#endif
