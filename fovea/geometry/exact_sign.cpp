#include "fovea/geometry/exact_sign.h"

#include <array>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

/// sum + error = a + b exactly (Knuth).
struct TwoTerms {
    double sum, error;
};

TwoTerms exact_sum(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return {sum, (a - a_part) + (b - b_part)};
}

/// Halves of a double with 26 bits each, whose products are exact (Dekker).
TwoTerms split(double a) {
    const double scaled = 134217729.0 * a; // 2^27 + 1
    const double high = scaled - (scaled - a);
    return {high, a - high};
}

TwoTerms exact_product(double a, double b) {
    const double product = a * b;
    const TwoTerms x = split(a), y = split(b);
    const double error =
        x.error * y.error - (((product - x.sum * y.sum) - x.error * y.sum) - x.sum * y.error);
    return {product, error};
}

/// A number held exactly as a sum of doubles that do not overlap, smallest first. The determinant
/// of a 3x3 matrix of two-term differences needs at most 192 of them.
class Expansion {
  public:
    Expansion() = default;
    static Expansion difference(double a, double b) {
        const TwoTerms d = exact_sum(a, -b);
        Expansion e;
        e.push(d.error), e.push(d.sum);
        return e;
    }

    void add(double value) {
        // Shewchuk's Grow-Expansion; zeros are dropped.
        int kept = 0;
        for (int i = 0; i < count_; ++i) {
            const TwoTerms t = exact_sum(value, terms_[i]);
            value = t.sum;
            if (t.error != 0) terms_[kept++] = t.error;
        }
        count_ = kept;
        push(value);
    }
    void add(const Expansion& e, double sign = 1) {
        for (int i = 0; i < e.count_; ++i) add(sign * e.terms_[i]);
    }
    Expansion times(const Expansion& e) const {
        Expansion product;
        for (int i = 0; i < count_; ++i) {
            for (int j = 0; j < e.count_; ++j) {
                const TwoTerms t = exact_product(terms_[i], e.terms_[j]);
                product.add(t.error), product.add(t.sum);
            }
        }
        return product;
    }

    /// The last term outweighs all others together.
    int sign() const { return count_ == 0 ? 0 : terms_[count_ - 1] > 0 ? 1 : -1; }

  private:
    void push(double value) {
        if (value == 0) return;
        FOVEA_ASSERT(count_ < int(terms_.size()));
        terms_[count_++] = value;
    }

    std::array<double, 192> terms_;
    int count_ = 0;
};

/// a d - b c
Expansion cross_terms(const Expansion& a, const Expansion& b, const Expansion& c,
                      const Expansion& d) {
    Expansion result = a.times(d);
    result.add(b.times(c), -1);
    return result;
}

int exact_volume_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const auto differences = [&](const Vec3& p) {
        return std::array{Expansion::difference(p.x, d.x), Expansion::difference(p.y, d.y),
                          Expansion::difference(p.z, d.z)};
    };
    const auto ad = differences(a), bd = differences(b), cd = differences(c);
    Expansion sum = ad[2].times(cross_terms(bd[0], bd[1], cd[0], cd[1]));
    sum.add(bd[2].times(cross_terms(cd[0], cd[1], ad[0], ad[1])));
    sum.add(cd[2].times(cross_terms(ad[0], ad[1], bd[0], bd[1])));
    return sum.sign();
}

} // namespace

int volume_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const int sign = volume_determinant(a, b, c, d).certain_sign();
    return sign != 0 ? sign : exact_volume_sign(a, b, c, d);
}

int area_sign(const Point2& a, const Point2& b, const Point2& c) {
    const double left = (double(a.x) - c.x) * (double(b.y) - c.y);
    const double right = (double(a.y) - c.y) * (double(b.x) - c.x);
    // Shewchuk's bound (3 + 16 e) e.
    const double error = 3.3306690738754716e-16 * (std::abs(left) + std::abs(right));
    if (left - right > error) return 1;
    if (right - left > error) return -1;
    return cross_terms(Expansion::difference(a.x, c.x), Expansion::difference(a.y, c.y),
                       Expansion::difference(b.x, c.x), Expansion::difference(b.y, c.y))
        .sign();
}

} // namespace fovea
