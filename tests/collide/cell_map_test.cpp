#include <doctest/doctest.h>

#include <map>

#include "fovea/base/random.h"
#include "fovea/collide/cell_map.h"

using namespace fovea;

TEST_CASE("a cell map agrees with an ordered map through insertions and erasures") {
    Random random(3);
    CellMap cells;
    std::map<std::uint64_t, std::uint32_t> reference;
    for (int i = 0; i < 100000; ++i) {
        // Few distinct keys, so that probes collide and erased slots are reused.
        const std::uint64_t key = std::uint64_t(random.below(300)) << (random.below(3) * 21);
        const auto found = reference.find(key);
        REQUIRE(cells.find(key) == (found == reference.end() ? CellMap::k_none : found->second));
        if (found == reference.end()) {
            cells.insert(key, std::uint32_t(i));
            reference[key] = std::uint32_t(i);
        } else if (random.below(2) == 0) {
            cells.erase(key);
            reference.erase(found);
        }
    }
    cells.clear();
    for (const auto& [key, region] : reference) CHECK(cells.find(key) == CellMap::k_none);
}
