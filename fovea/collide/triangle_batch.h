// Pairs of triangles gathered into lanes, so that most are decided many at a time.
//
// A SIMD pass in single precision evaluates the determinants of triangle_overlap.cpp with bounds on
// their errors and decides the pairs where every sign is certain; the rest are decided exactly, one
// by one. Another finds the pairs that are near each other, to rounding.
#pragma once

#include <bit>
#include <cstdint>

#include "fovea/geometry/triangle_overlap.h"

namespace fovea {

class TriangleBatch {
  public:
    static constexpr std::uint32_t k_capacity = 32;

    std::uint32_t size() const { return size_; }
    bool full() const { return size_ == k_capacity; }
    void clear() { size_ = 0; }

    void add(const TriangleCorners& a, const TriangleCorners& b, std::uint32_t leaf_a,
             std::uint32_t leaf_b) {
        for (int i = 0; i < 3; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                coordinates_[3 * i + axis][size_] = a[i][axis];
                coordinates_[9 + 3 * i + axis][size_] = b[i][axis];
            }
        }
        leaves_a_[size_] = leaf_a;
        leaves_b_[size_] = leaf_b;
        ++size_;
    }
    std::uint32_t leaf_a(std::uint32_t i) const { return leaves_a_[i]; }
    std::uint32_t leaf_b(std::uint32_t i) const { return leaves_b_[i]; }

    /// Calls `meet(leaf_a, leaf_b)` for the pairs that overlap, in the order added, until it
    /// returns false. Returns how many pairs needed the exact test.
    template <class Meet>
    std::uint32_t for_overlapping(Meet&& meet) const {
        const Decision decision = decide();
        std::uint32_t tested = 0;
        for (std::uint32_t rest = decision.meet | decision.unsure; rest != 0; rest &= rest - 1) {
            const auto i = std::uint32_t(std::countr_zero(rest));
            if ((decision.unsure >> i & 1) != 0) {
                ++tested;
                if (!triangles_overlap(corners(0, i), corners(9, i))) continue;
            }
            if (!meet(leaves_a_[i], leaves_b_[i])) break;
        }
        return tested;
    }

    /// A bit for each pair of which neither plane has the other triangle beyond `limit`: most that
    /// are farther apart are not among them.
    std::uint32_t between_planes(float limit) const;
    /// A bit for each pair whose borders, or the corners of one and the face of the other, are no
    /// farther apart than `limit`: all that are near and do not overlap.
    std::uint32_t within(float limit) const;
    /// Adds number `i` of another batch.
    void add(const TriangleBatch& other, std::uint32_t i) {
        for (int row = 0; row < 18; ++row) coordinates_[row][size_] = other.coordinates_[row][i];
        leaves_a_[size_] = other.leaves_a_[i];
        leaves_b_[size_] = other.leaves_b_[i];
        ++size_;
    }

    /// A bit per pair; a pair in neither set is apart.
    struct Decision {
        std::uint32_t meet = 0, unsure = 0;
    };

  private:
    TriangleCorners corners(int first_row, std::uint32_t i) const {
        TriangleCorners t;
        for (int corner = 0; corner < 3; ++corner) {
            const int row = first_row + 3 * corner;
            t[corner] = {coordinates_[row][i], coordinates_[row + 1][i], coordinates_[row + 2][i]};
        }
        return t;
    }
    Decision decide() const;

    std::uint32_t size_ = 0;
    alignas(64) float coordinates_[18][k_capacity] = {};
    std::uint32_t leaves_a_[k_capacity], leaves_b_[k_capacity];
};

} // namespace fovea
