// The set that tells whether a pair of elements was there before.
#include <doctest/doctest.h>

#include <set>

#include "fovea/base/random.h"
#include "fovea/collide/key_set.h"

using namespace fovea;

TEST_CASE("a key is new once in every use, whatever earlier uses left") {
    KeySet keys;
    Random random(7);
    for (const std::size_t most : {10u, 1000u, 3u, 1000u, 40u, 5000u}) {
        keys.reset(most);
        std::set<std::uint64_t> known;
        for (std::size_t i = 0; i < most; ++i) {
            // Few enough to come again, and alike in their low bits.
            const std::uint64_t key = std::uint64_t(random.below(std::uint32_t(most))) << 32;
            CHECK(keys.insert(key) == known.insert(key).second);
        }
    }
}

TEST_CASE("any key will do") {
    KeySet keys;
    keys.reset(3);
    for (const std::uint64_t key : {std::uint64_t(0), ~std::uint64_t(0), std::uint64_t(1) << 63}) {
        CHECK(keys.insert(key));
        CHECK_FALSE(keys.insert(key));
    }
}
