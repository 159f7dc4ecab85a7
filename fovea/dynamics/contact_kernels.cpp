// The solver's inner loops, written once for all instruction sets.
#include "fovea/dynamics/contact_group.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/dynamics/contact_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include "fovea/dynamics/contact_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

void warm_start_kernel(const ContactGroup* groups, std::size_t count, SolverBody* bodies) {
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        const ContactGroup& g = groups[index];
        Pairs pairs(g, lane, bodies);
        const Vector n = load(g.normal, lane), offset = load(g.offset, lane);
        V total = hn::Zero(d);
        Vector on_a{total, total, total};
        for (int i = 0; i < g.max_points; ++i) {
            const V impulse = load(g.points[i].impulse + lane);
            on_a = add(on_a, mul(load(g.points[i].arm, lane), impulse));
            total = add(total, impulse);
        }
        Vector on_b = add(on_a, mul(offset, total));
        const Vector t = load(g.tangent, lane), u = cross(n, t);
        const Vector sideways = add(mul(t, load(g.tangent_impulse[0] + lane)),
                                    mul(u, load(g.tangent_impulse[1] + lane)));
        const Vector centre_a = load(g.centre, lane), centre_b = add(centre_a, load(g.apart, lane));
        Vector turning = mul(n, load(g.twist_impulse + lane));
        if (g.any_rolling) turning = add(turning, load(g.rolling_impulse, lane));
        on_a = add(on_a, add(cross(centre_a, sideways), turning));
        on_b = add(on_b, add(cross(centre_b, sideways), turning));
        pairs.apply_linear(add(mul(n, total), sideways));
        pairs.apply_angular(on_a, on_b);
        pairs.write();
    });
}

/// Friction at the centre of the patch, limited to friction times the force across it.
HWY_INLINE void rub(ContactGroup& g, std::size_t lane, Pairs& pairs, const Vector& n, V total) {
    const V zero = hn::Zero(d);
    const Vector t = load(g.tangent, lane), u = cross(n, t);
    const Vector centre_a = load(g.centre, lane), centre_b = add(centre_a, load(g.apart, lane));
    const Vector slip = sub(add(pairs.velocity_b, cross(pairs.spin_b, centre_b)),
                            add(pairs.velocity_a, cross(pairs.spin_a, centre_a)));
    const V slip_t = sub(dot(slip, t), load(g.tangent_speed[0] + lane));
    const V slip_u = sub(dot(slip, u), load(g.tangent_speed[1] + lane));
    const V xx = load(g.tangent_mass[0] + lane), yy = load(g.tangent_mass[1] + lane);
    const V xy = load(g.tangent_mass[2] + lane);
    const V old_t = load(g.tangent_impulse[0] + lane), old_u = load(g.tangent_impulse[1] + lane);
    V new_t = sub(old_t, add(mul(xx, slip_t), mul(xy, slip_u)));
    V new_u = sub(old_u, add(mul(xy, slip_t), mul(yy, slip_u)));
    const V limit = mul(load(g.friction + lane), total);
    const V squared = add(mul(new_t, new_t), mul(new_u, new_u));
    const auto slides = hn::Gt(squared, mul(limit, limit));
    const V shrink = hn::IfThenElse(slides, hn::Div(limit, hn::Sqrt(squared)), hn::Set(d, 1.0f));
    new_t = hn::IfThenElse(slides, mul(new_t, shrink), new_t);
    new_u = hn::IfThenElse(slides, mul(new_u, shrink), new_u);
    hn::Store(new_t, d, g.tangent_impulse[0] + lane);
    hn::Store(new_u, d, g.tangent_impulse[1] + lane);
    const Vector sideways = add(mul(t, sub(new_t, old_t)), mul(u, sub(new_u, old_u)));
    pairs.apply_linear(sideways);
    pairs.apply_angular(cross(centre_a, sideways), cross(centre_b, sideways));

    // Twist about the normal, with the points' distances from the centre as lever arms.
    V twist_limit = zero;
    for (int i = 0; i < g.max_points; ++i)
        twist_limit =
            add(twist_limit, mul(load(g.points[i].impulse + lane), load(g.points[i].lever + lane)));
    twist_limit = mul(twist_limit, load(g.friction + lane));
    const V twist = dot(n, sub(pairs.spin_b, pairs.spin_a));
    const V old_twist = load(g.twist_impulse + lane);
    V new_twist = sub(old_twist, mul(load(g.twist_mass + lane), twist));
    new_twist = hn::Min(hn::Max(new_twist, hn::Neg(twist_limit)), twist_limit);
    hn::Store(new_twist, d, g.twist_impulse + lane);
    const Vector turning = mul(n, sub(new_twist, old_twist));
    pairs.apply_angular(turning, turning);
}

/// Resistance to rolling: a couple against the relative spin, limited to the rolling lever arm
/// times the force across the patch.
HWY_INLINE void resist_rolling(ContactGroup& g, std::size_t lane, Pairs& pairs, V total) {
    V m[6];
    for (int i = 0; i < 6; ++i) m[i] = add(pairs.inertia_a.m[i], pairs.inertia_b.m[i]);
    // Inverse of the symmetric 3x3 matrix by cofactors.
    const Symmetric cofactors{
        {sub(mul(m[1], m[2]), mul(m[5], m[5])), sub(mul(m[0], m[2]), mul(m[4], m[4])),
         sub(mul(m[0], m[1]), mul(m[3], m[3])), sub(mul(m[4], m[5]), mul(m[3], m[2])),
         sub(mul(m[3], m[5]), mul(m[4], m[1])), sub(mul(m[3], m[4]), mul(m[0], m[5]))}};
    const V determinant =
        add(add(mul(m[0], cofactors.m[0]), mul(m[3], cofactors.m[3])), mul(m[4], cofactors.m[4]));
    const V scale = reciprocal(hn::Set(d, 1.0f), determinant);
    const Vector before = load(g.rolling_impulse, lane);
    const Vector wanted = sub(before, mul(mul(cofactors, sub(pairs.spin_b, pairs.spin_a)), scale));
    const V limit = mul(load(g.rolling + lane), total);
    const V squared = dot(wanted, wanted);
    const auto rolls = hn::Gt(squared, mul(limit, limit));
    const V shrink = hn::IfThenElse(rolls, hn::Div(limit, hn::Sqrt(squared)), hn::Set(d, 1.0f));
    const Vector after = mul(wanted, shrink);
    store(after, g.rolling_impulse, lane);
    const Vector change = sub(after, before);
    pairs.apply_angular(change, change);
}

HWY_INLINE void resist_motion(ContactGroup& g, std::size_t lane, Pairs& pairs, const Vector& n) {
    const V total = pressure(g, lane);
    rub(g, lane, pairs, n, total);
    if (g.any_rolling) resist_rolling(g, lane, pairs, total);
}

/// Constants of a sub-step.
struct Limits {
    V inverse_h, max_push, slop;
};

/// A point while its patch is visited.
struct PressedPoint {
    V approach; ///< with the bias: what an impulse is to bring to zero
    V mass, impulse;
    V kept, borne; ///< of a soft point: the share of its impulse that stays, and its support's
};

/// Finds the impulse of point i and tells all others.
template <bool push, int count, int i>
HWY_INLINE void visit_point(const ContactGroup& g, std::size_t lane, PressedPoint* points) {
    PressedPoint& p = points[i];
    const V kept = push ? add(mul(p.impulse, p.kept), p.borne) : p.impulse;
    const V after = hn::Max(sub(kept, mul(p.mass, p.approach)), hn::Zero(d));
    const V change = sub(after, p.impulse);
    p.impulse = after;
    for (int j = 0; j < count; ++j)
        points[j].approach = add(points[j].approach, mul(load(g.coupling[i][j] + lane), change));
}

/// The impulses along the normal of the points of a patch, all of the same number of points.
template <bool push, int count>
HWY_INLINE void press(ContactGroup& g, std::size_t lane, Pairs& pairs, const Vector& n,
                      const Limits& limits) {
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    const Vector turned_a = pairs.rows_a.read(3), turned_b = pairs.rows_b.read(3);
    const V closed = dot(n, sub(pairs.rows_b.read(2), pairs.rows_a.read(2)));
    const V bias_rate = load(g.bias_rate + lane);
    const V soft_mass = push ? load(g.mass_scale + lane) : one;
    const V support = load(g.support + lane);
    const V soft_impulse = push ? load(g.impulse_scale + lane) : zero;
    // In terms of what the patch's points have in common and of jA . (wB - wA) each.
    const Vector spin = sub(pairs.spin_b, pairs.spin_a), turned = sub(turned_b, turned_a);
    const Vector offset = load(g.offset, lane);
    const V common_closed = add(closed, dot(offset, turned_b));
    const V common_approach =
        add(dot(n, sub(pairs.velocity_b, pairs.velocity_a)), dot(offset, pairs.spin_b));
    PressedPoint points[count];
    for (int i = 0; i < count; ++i) {
        const ContactGroup::Point& from = g.points[i];
        PressedPoint& p = points[i];
        const Vector arm = load(from.arm, lane);
        const V separation =
            add(add(load(from.separation + lane), common_closed), dot(arm, turned));
        // Apart: may close just that gap in this sub-step. Overlapping: pushed softly.
        const auto apart = hn::Gt(separation, zero);
        const V pushed =
            push ? hn::Max(mul(bias_rate, add(separation, limits.slop)), limits.max_push) : zero;
        const V bias = hn::IfThenElse(apart, mul(separation, limits.inverse_h), pushed);
        p.approach = add(add(common_approach, dot(arm, spin)), bias);
        p.mass = load(from.mass + lane);
        p.impulse = load(from.impulse + lane);
        if (push) {
            const auto yields = hn::AndNot(apart, hn::Gt(p.mass, zero));
            p.mass = hn::IfThenElse(apart, p.mass, mul(p.mass, soft_mass));
            p.kept = hn::IfThenElse(yields, sub(one, soft_impulse), one);
            p.borne = hn::IfThenElseZero(yields, mul(soft_impulse, support));
        }
    }
    // There and back: with one visit the first point would bear more than its share, and a
    // tower would lean.
    visit_point<push, count, 0>(g, lane, points);
    if (count > 1) visit_point<push, count, 1 % count>(g, lane, points);
    if (count > 2) visit_point<push, count, 2 % count>(g, lane, points);
    if (count > 3) {
        visit_point<push, count, 3 % count>(g, lane, points);
        visit_point<push, count, 2 % count>(g, lane, points);
    }
    if (count > 2) visit_point<push, count, 1 % count>(g, lane, points);
    if (count > 1) visit_point<push, count, 0>(g, lane, points);
    V total = zero;
    Vector on_a{zero, zero, zero};
    for (int i = 0; i < count; ++i) {
        ContactGroup::Point& p = g.points[i];
        const V impulse = points[i].impulse, change = sub(impulse, load(p.impulse + lane));
        hn::Store(impulse, d, p.impulse + lane);
        on_a = add(on_a, mul(load(p.arm, lane), change));
        total = add(total, change);
        if (g.any_restitution) hn::Store(hn::Max(load(p.peak + lane), impulse), d, p.peak + lane);
    }
    pairs.apply_linear(mul(n, total));
    pairs.apply_angular(on_a, add(on_a, mul(offset, total)));
}

template <bool push>
HWY_INLINE void solve(ContactGroup* groups, std::size_t count, SolverBody* bodies,
                      const SubStep& step) {
    const Limits limits{hn::Set(d, 1 / step.h), hn::Set(d, -step.max_push), hn::Set(d, step.slop)};
    const V recovery = hn::Set(d, step.recovery);
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        ContactGroup& g = groups[index];
        Pairs pairs(g, lane, bodies);
        const Vector n = load(g.normal, lane);
        if (push) resist_motion(g, lane, pairs, n);

        switch (g.max_points) {
        case 1:
            press<push, 1>(g, lane, pairs, n, limits);
            break;
        case 2:
            press<push, 2>(g, lane, pairs, n, limits);
            break;
        case 3:
            press<push, 3>(g, lane, pairs, n, limits);
            break;
        default:
            press<push, 4>(g, lane, pairs, n, limits);
        }
        if (!push) {
            resist_motion(g, lane, pairs, n);
            const V share = mul(pressure(g, lane), load(g.share + lane));
            const V support = load(g.support + lane);
            hn::Store(add(support, mul(recovery, sub(share, support))), d, g.support + lane);
        }
        pairs.write();
    });
}

void solve_kernel(ContactGroup* groups, std::size_t count, SolverBody* bodies, const SubStep& step,
                  bool push) {
    if (push)
        solve<true>(groups, count, bodies, step);
    else
        solve<false>(groups, count, bodies, step);
}

void restitution_kernel(ContactGroup* groups, std::size_t count, SolverBody* bodies,
                        const SubStep& step) {
    const V zero = hn::Zero(d), slow = hn::Set(d, -step.restitution_threshold);
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        ContactGroup& g = groups[index];
        if (!g.any_restitution) return;
        Pairs pairs(g, lane, bodies);
        const Vector n = load(g.normal, lane), offset = load(g.offset, lane);
        const V restitution = load(g.restitution + lane);
        for (int i = 0; i < g.max_points; ++i) {
            ContactGroup::Point& p = g.points[i];
            const Vector arm_a = load(p.arm, lane), arm_b = add(arm_a, offset);
            const V approach = load(p.approach + lane);
            const auto rebounds =
                hn::And(hn::And(hn::Lt(approach, slow), hn::Gt(restitution, zero)),
                        hn::Gt(load(p.peak + lane), zero));
            const V now = add(dot(n, sub(pairs.velocity_b, pairs.velocity_a)),
                              sub(dot(arm_b, pairs.spin_b), dot(arm_a, pairs.spin_a)));
            const V before = load(p.impulse + lane);
            const V wanted = mul(load(p.mass + lane), add(now, mul(restitution, approach)));
            const V after = hn::IfThenElse(rebounds, hn::Max(sub(before, wanted), zero), before);
            hn::Store(after, d, p.impulse + lane);
            const V change = sub(after, before);
            pairs.apply_linear(mul(n, change));
            pairs.apply_angular(mul(arm_a, change), mul(arm_b, change));
        }
        pairs.write();
    });
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(warm_start_kernel);
HWY_EXPORT(solve_kernel);
HWY_EXPORT(restitution_kernel);

void warm_start(std::span<const ContactGroup> groups, std::span<SolverBody> bodies) {
    HWY_DYNAMIC_DISPATCH(warm_start_kernel)(groups.data(), groups.size(), bodies.data());
}
void solve_contacts(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                    const SubStep& step, bool push) {
    HWY_DYNAMIC_DISPATCH(solve_kernel)(groups.data(), groups.size(), bodies.data(), step, push);
}
void apply_restitution(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                       const SubStep& step) {
    HWY_DYNAMIC_DISPATCH(restitution_kernel)(groups.data(), groups.size(), bodies.data(), step);
}

} // namespace fovea
#endif
