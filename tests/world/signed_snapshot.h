// Altered snapshots that look sound: with the checksum that belongs to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "fovea/base/hash.h"

namespace fovea::test {

constexpr std::size_t k_snapshot_head = 20; ///< mark, version, size
constexpr std::size_t k_snapshot_tail = 8;  ///< checksum

/// Writes the checksum of the content.
inline void sign_snapshot(std::vector<std::byte>& bytes) {
    Hasher hasher;
    const std::size_t size = bytes.size() - k_snapshot_head - k_snapshot_tail;
    const std::byte* content = bytes.data() + k_snapshot_head;
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, content + i, std::min<std::size_t>(8, size - i));
        hasher.add(word);
    }
    hasher.add(std::uint64_t(size));
    const std::uint64_t sum = hasher.value();
    std::memcpy(bytes.data() + bytes.size() - k_snapshot_tail, &sum, k_snapshot_tail);
}

} // namespace fovea::test
