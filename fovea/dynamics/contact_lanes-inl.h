// Eight contacts side by side, as the solver's kernels see them; compiled once for each instruction
// set (hence no #pragma once).
#if defined(FOVEA_DYNAMICS_CONTACT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_DYNAMICS_CONTACT_LANES_INL_H
#undef FOVEA_DYNAMICS_CONTACT_LANES_INL_H
#else
#define FOVEA_DYNAMICS_CONTACT_LANES_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "fovea/dynamics/contact_group.h"

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
HWY_INLINE void store(const Vector& v, ContactGroup::Lanes* p, std::size_t lane) {
    hn::Store(v.x, d, p[0] + lane);
    hn::Store(v.y, d, p[1] + lane);
    hn::Store(v.z, d, p[2] + lane);
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

/// The impulse across the patch so far.
HWY_INLINE V pressure(const ContactGroup& g, std::size_t lane) {
    V total = hn::Zero(d);
    for (int i = 0; i < g.max_points; ++i) total = add(total, load(g.points[i].impulse + lane));
    return total;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
