// The solver's inner loops, written once for all instruction sets.
#include "fovea/dynamics/contact_group.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/dynamics/contact_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes: a group in one bite, or in two of four.
using D = hn::CappedTag<float, k_lanes>;
using Quad = hn::CappedTag<float, 4>;
using V = hn::Vec<D>;
constexpr D d;

struct Vector {
    V x, y, z;
};

HWY_INLINE V load(const float* p) {
    return hn::Load(d, p);
}
HWY_INLINE Vector load(const ContactGroup::Lanes* p, std::size_t lane) {
    return {load(p[0] + lane), load(p[1] + lane), load(p[2] + lane)};
}
HWY_INLINE V add(V a, V b) {
    return hn::Add(a, b);
}
HWY_INLINE V sub(V a, V b) {
    return hn::Sub(a, b);
}
HWY_INLINE V mul(V a, V b) {
    return hn::Mul(a, b);
}
HWY_INLINE Vector add(const Vector& a, const Vector& b) {
    return {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}
HWY_INLINE Vector sub(const Vector& a, const Vector& b) {
    return {sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)};
}
HWY_INLINE Vector mul(const Vector& a, V s) {
    return {mul(a.x, s), mul(a.y, s), mul(a.z, s)};
}
HWY_INLINE V dot(const Vector& a, const Vector& b) {
    return add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));
}
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
    return {sub(mul(a.y, b.z), mul(a.z, b.y)), sub(mul(a.z, b.x), mul(a.x, b.z)),
            sub(mul(a.x, b.y), mul(a.y, b.x))};
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
struct Symmetric {
    V m[6];
};
HWY_INLINE Symmetric load_symmetric(const ContactGroup::Lanes* p, std::size_t lane) {
    Symmetric s;
    for (int i = 0; i < 6; ++i) s.m[i] = load(p[i] + lane);
    return s;
}
HWY_INLINE Vector mul(const Symmetric& s, const Vector& v) {
    return {add(add(mul(s.m[0], v.x), mul(s.m[3], v.y)), mul(s.m[4], v.z)),
            add(add(mul(s.m[3], v.x), mul(s.m[1], v.y)), mul(s.m[5], v.z)),
            add(add(mul(s.m[4], v.x), mul(s.m[5], v.y)), mul(s.m[2], v.z))};
}

#if HWY_TARGET == HWY_SCALAR

/// One lane: three numbers in a row.
HWY_INLINE Vector read_quads(const float* const* quads, int offset) {
    const float* p = quads[0] + offset;
    return {hn::Load(d, p), hn::Load(d, p + 1), hn::Load(d, p + 2)};
}
HWY_INLINE void write_quads(const Vector& v, float* const* quads, int offset) {
    if (!quads[0]) return;
    float* p = quads[0] + offset;
    hn::Store(v.x, d, p), hn::Store(v.y, d, p + 1), hn::Store(v.z, d, p + 2);
}

#else

/// Four rows of four, transposed within each 128-bit block.
HWY_INLINE void transpose(V& a, V& b, V& c, V& e) {
    const hn::Repartition<std::uint64_t, D> d64;
    const auto wide = [&](V v) HWY_ATTR { return hn::BitCast(d64, v); };
    const V ab_low = hn::InterleaveLower(d, a, b), ab_high = hn::InterleaveUpper(d, a, b);
    const V ce_low = hn::InterleaveLower(d, c, e), ce_high = hn::InterleaveUpper(d, c, e);
    a = hn::BitCast(d, hn::InterleaveLower(d64, wide(ab_low), wide(ce_low)));
    b = hn::BitCast(d, hn::InterleaveUpper(d64, wide(ab_low), wide(ce_low)));
    c = hn::BitCast(d, hn::InterleaveLower(d64, wide(ab_high), wide(ce_high)));
    e = hn::BitCast(d, hn::InterleaveUpper(d64, wide(ab_high), wide(ce_high)));
}

/// Row i of a transposition: the quads of lanes i and i + 4 (where there are so many).
HWY_INLINE V load_quads(const float* const* quads, int i, int offset) {
#if HWY_MAX_BYTES >= 32
    const Quad q;
    return hn::Combine(d, hn::Load(q, quads[i + 4] + offset), hn::Load(q, quads[i] + offset));
#else
    return hn::Load(d, quads[i] + offset);
#endif
}
HWY_INLINE void store_quads(V v, float* const* quads, int i, int offset) {
#if HWY_MAX_BYTES >= 32
    const Quad q;
    if (quads[i]) hn::Store(hn::LowerHalf(q, v), q, quads[i] + offset);
    if (quads[i + 4]) hn::Store(hn::UpperHalf(q, v), q, quads[i + 4] + offset);
#else
    if (quads[i]) hn::Store(v, d, quads[i] + offset);
#endif
}

HWY_INLINE Vector read_quads(const float* const* quads, int offset) {
    V a = load_quads(quads, 0, offset), b = load_quads(quads, 1, offset);
    V c = load_quads(quads, 2, offset), e = load_quads(quads, 3, offset);
    transpose(a, b, c, e);
    return {a, b, c};
}
HWY_INLINE void write_quads(const Vector& v, float* const* quads, int offset) {
    V a = v.x, b = v.y, c = v.z, e = hn::Zero(d);
    transpose(a, b, c, e);
    store_quads(a, quads, 0, offset);
    store_quads(b, quads, 1, offset);
    store_quads(c, quads, 2, offset);
    store_quads(e, quads, 3, offset);
}

#endif

/// The bodies of the lanes: where to read them from and, if they can move, where to write to.
class Rows {
  public:
    HWY_INLINE Rows(const std::uint32_t* rows, SolverBody* bodies) {
        static constexpr SolverBody k_at_rest{};
        for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
            write_[i] = rows[i] == k_immovable ? nullptr : &bodies[rows[i]].velocity.x;
            read_[i] = write_[i] ? write_[i] : &k_at_rest.velocity.x;
        }
    }
    /// Quad 0: velocity, 1: spin, 2: moved, 3: turned.
    HWY_INLINE Vector read(int quad) const { return read_quads(read_, 4 * quad); }
    HWY_INLINE void write(int quad, const Vector& v) const { write_quads(v, write_, 4 * quad); }

  private:
    const float* read_[k_lanes];
    float* write_[k_lanes];
};

/// The pairs of bodies in the lanes of a group, with what impulses do to them.
struct Pairs {
    Rows rows_a, rows_b;
    Vector velocity_a, spin_a, velocity_b, spin_b;
    V inverse_mass_a, inverse_mass_b;
    Symmetric inertia_a, inertia_b;

    HWY_INLINE Pairs(const ContactGroup& g, std::size_t lane, SolverBody* bodies)
        : rows_a(g.a + lane, bodies)
        , rows_b(g.b + lane, bodies)
        , velocity_a(rows_a.read(0))
        , spin_a(rows_a.read(1))
        , velocity_b(rows_b.read(0))
        , spin_b(rows_b.read(1))
        , inverse_mass_a(load(g.inverse_mass_a + lane))
        , inverse_mass_b(load(g.inverse_mass_b + lane))
        , inertia_a(load_symmetric(g.inertia_a, lane))
        , inertia_b(load_symmetric(g.inertia_b, lane)) {}

    HWY_INLINE void apply_linear(const Vector& impulse) {
        velocity_a = sub(velocity_a, mul(impulse, inverse_mass_a));
        velocity_b = add(velocity_b, mul(impulse, inverse_mass_b));
    }
    HWY_INLINE void apply_angular(const Vector& on_a, const Vector& on_b) {
        spin_a = sub(spin_a, mul(inertia_a, on_a));
        spin_b = add(spin_b, mul(inertia_b, on_b));
    }
    HWY_INLINE void write() const {
        rows_a.write(0, velocity_a);
        rows_a.write(1, spin_a);
        rows_b.write(0, velocity_b);
        rows_b.write(1, spin_b);
    }
};

template <class Visit>
HWY_INLINE void for_lanes(std::size_t groups, const Visit& visit) {
    for (std::size_t i = 0; i < groups; ++i)
        for (std::size_t lane = 0; lane < k_lanes; lane += hn::Lanes(d)) visit(i, lane);
}

HWY_INLINE V reciprocal(V flag, V k) {
    const V one = hn::Set(d, 1.0f);
    return hn::Div(flag, hn::IfThenElse(hn::Gt(k, hn::Zero(d)), k, one));
}

void finish_kernel(ContactGroup* groups, std::size_t count, SolverBody* bodies) {
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        ContactGroup& g = groups[index];
        const Pairs pairs(g, lane, bodies);
        const Vector n = load(g.normal, lane), offset = load(g.offset, lane);
        const V inverse_mass = add(pairs.inverse_mass_a, pairs.inverse_mass_b);
        const auto compliance = [&](const Vector& arm_a, const Vector& arm_b) HWY_ATTR {
            return add(dot(arm_a, mul(pairs.inertia_a, arm_a)),
                       dot(arm_b, mul(pairs.inertia_b, arm_b)));
        };
        for (int i = 0; i < g.max_points; ++i) {
            ContactGroup::Point& p = g.points[i];
            const Vector arm_a = load(p.arm, lane), arm_b = add(arm_a, offset);
            const V k = add(inverse_mass, compliance(arm_a, arm_b));
            hn::Store(reciprocal(load(p.mass + lane), k), d, p.mass + lane);
            const V approach = add(dot(n, sub(pairs.velocity_b, pairs.velocity_a)),
                                   sub(dot(arm_b, pairs.spin_b), dot(arm_a, pairs.spin_a)));
            hn::Store(approach, d, p.approach + lane);
        }
        const Vector t = load(g.tangent, lane), u = cross(n, t);
        const Vector centre_a = load(g.centre, lane), centre_b = add(centre_a, load(g.apart, lane));
        const Vector arm_ta = cross(centre_a, t), arm_tb = cross(centre_b, t);
        const Vector arm_ua = cross(centre_a, u), arm_ub = cross(centre_b, u);
        const V tt = add(inverse_mass, compliance(arm_ta, arm_tb));
        const V uu = add(inverse_mass, compliance(arm_ua, arm_ub));
        const V tu = add(dot(arm_ta, mul(pairs.inertia_a, arm_ua)),
                         dot(arm_tb, mul(pairs.inertia_b, arm_ub)));
        const V one = hn::Set(d, 1.0f);
        const V scale = reciprocal(one, sub(mul(tt, uu), mul(tu, tu)));
        hn::Store(mul(uu, scale), d, g.tangent_mass[0] + lane);
        hn::Store(mul(tt, scale), d, g.tangent_mass[1] + lane);
        hn::Store(hn::Neg(mul(tu, scale)), d, g.tangent_mass[2] + lane);
        hn::Store(reciprocal(one, compliance(n, n)), d, g.twist_mass + lane);
    });
}

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

/// The impulse across the patch so far.
HWY_INLINE V pressure(const ContactGroup& g, std::size_t lane) {
    V total = hn::Zero(d);
    for (int i = 0; i < g.max_points; ++i) total = add(total, load(g.points[i].impulse + lane));
    return total;
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
    hn::Store(after.x, d, g.rolling_impulse[0] + lane);
    hn::Store(after.y, d, g.rolling_impulse[1] + lane);
    hn::Store(after.z, d, g.rolling_impulse[2] + lane);
    const Vector change = sub(after, before);
    pairs.apply_angular(change, change);
}

HWY_INLINE void resist_motion(ContactGroup& g, std::size_t lane, Pairs& pairs, const Vector& n) {
    const V total = pressure(g, lane);
    rub(g, lane, pairs, n, total);
    if (g.any_rolling) resist_rolling(g, lane, pairs, total);
}

template <bool push>
HWY_INLINE void solve(ContactGroup* groups, std::size_t count, SolverBody* bodies,
                      const SubStep& step) {
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    const V inverse_h = hn::Set(d, 1 / step.h), max_push = hn::Set(d, -step.max_push);
    const V slop = hn::Set(d, step.slop);
    const V recovery = hn::Set(d, step.recovery);
    for_lanes(count, [&](std::size_t index, std::size_t lane) HWY_ATTR {
        ContactGroup& g = groups[index];
        Pairs pairs(g, lane, bodies);
        const Vector n = load(g.normal, lane), offset = load(g.offset, lane);

        if (push) resist_motion(g, lane, pairs, n);

        const Vector turned_a = pairs.rows_a.read(3), turned_b = pairs.rows_b.read(3);
        const V closed = dot(n, sub(pairs.rows_b.read(2), pairs.rows_a.read(2)));
        const V bias_rate = load(g.bias_rate + lane);
        const V soft_mass = push ? load(g.mass_scale + lane) : one;
        const V support = load(g.support + lane);
        const V soft_impulse = push ? load(g.impulse_scale + lane) : zero;
        // There and back: with one visit the first point would bear more than its share, and a
        // tower would lean.
        for (int visit = 0; visit < 2 * g.max_points; ++visit) {
            const int i = visit < g.max_points ? visit : 2 * g.max_points - 1 - visit;
            ContactGroup::Point& p = g.points[i];
            const Vector arm_a = load(p.arm, lane), arm_b = add(arm_a, offset);
            const V separation = add(add(load(p.separation + lane), closed),
                                     sub(dot(arm_b, turned_b), dot(arm_a, turned_a)));
            // Apart: may close just that gap in this sub-step. Overlapping: pushed softly.
            const auto apart = hn::Gt(separation, zero);
            const V depth = add(separation, slop);
            const V pushed = push ? hn::Max(mul(bias_rate, depth), max_push) : zero;
            const V bias = hn::IfThenElse(apart, mul(separation, inverse_h), pushed);
            const V mass_scale = hn::IfThenElse(apart, one, soft_mass);
            const V impulse_scale = hn::IfThenElse(apart, zero, soft_impulse);
            const V approach = add(dot(n, sub(pairs.velocity_b, pairs.velocity_a)),
                                   sub(dot(arm_b, pairs.spin_b), dot(arm_a, pairs.spin_a)));
            const V before = load(p.impulse + lane);
            const V mass = load(p.mass + lane);
            const V excess = hn::IfThenElseZero(hn::Gt(mass, zero), sub(before, support));
            const V wanted =
                add(mul(mul(mass, mass_scale), add(approach, bias)), mul(impulse_scale, excess));
            const V after = hn::Max(sub(before, wanted), zero);
            hn::Store(after, d, p.impulse + lane);
            hn::Store(hn::Max(load(p.peak + lane), after), d, p.peak + lane);
            const V change = sub(after, before);
            pairs.apply_linear(mul(n, change));
            pairs.apply_angular(mul(arm_a, change), mul(arm_b, change));
        }
        if (!push) {
            resist_motion(g, lane, pairs, n);
            const V share = mul(pressure(g, lane), load(g.share + lane));
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

HWY_EXPORT(finish_kernel);
HWY_EXPORT(warm_start_kernel);
HWY_EXPORT(solve_kernel);
HWY_EXPORT(restitution_kernel);

void finish_groups(std::span<ContactGroup> groups, std::span<SolverBody> bodies) {
    HWY_DYNAMIC_DISPATCH(finish_kernel)(groups.data(), groups.size(), bodies.data());
}
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
