// The connectivity partition: connected patches, whatever shape the mesh has taken.
#include <algorithm>
#include <array>

#include "fovea/volume/mesh_partition.h"

namespace fovea {

FaceNeighbours face_neighbours(std::span<const TriangleMesh::Triangle> triangles) {
    struct Edge {
        std::uint64_t ends;
        std::uint32_t face;
        auto operator<=>(const Edge&) const = default;
    };
    std::vector<Edge> edges;
    edges.reserve(3 * triangles.size());
    for (std::uint32_t face = 0; face < triangles.size(); ++face) {
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t a = triangles[face][i], b = triangles[face][(i + 1) % 3];
            edges.push_back({std::min(a, b) << 32 | std::max(a, b), face});
        }
    }
    std::sort(edges.begin(), edges.end());

    // Faces around one edge are chained: enough to connect them all, however many there are.
    const auto joined = [&](std::size_t i) {
        return edges[i].ends == edges[i + 1].ends && edges[i].face != edges[i + 1].face;
    };
    FaceNeighbours result;
    result.begin.assign(triangles.size() + 1, 0);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (joined(i)) ++result.begin[edges[i].face + 1], ++result.begin[edges[i + 1].face + 1];
    }
    for (std::size_t i = 1; i < result.begin.size(); ++i) result.begin[i] += result.begin[i - 1];
    result.faces.resize(result.begin.back());
    std::vector<std::uint32_t> cursor(result.begin.begin(), result.begin.end() - 1);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (!joined(i)) continue;
        result.faces[cursor[edges[i].face]++] = edges[i + 1].face;
        result.faces[cursor[edges[i + 1].face]++] = edges[i].face;
    }
    return result;
}

/// Breadth first from `seed` over faces marked `inside`, which become `mark`; the last one reached
/// is among the farthest from the seed. The faces reached stay in queue_.
std::uint32_t MeshPartitioner::flood(std::uint32_t seed, std::uint32_t inside, std::uint32_t mark) {
    queue_.assign(1, seed);
    mark_[seed] = mark;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        for (const std::uint32_t next : neighbours_.of(queue_[head])) {
            if (mark_[next] == inside) mark_[next] = mark, queue_.push_back(next);
        }
    }
    return queue_.back();
}

void MeshPartitioner::split_components(std::span<std::uint32_t> faces, std::uint32_t components,
                                       std::vector<std::uint32_t>& ends) {
    // part_ numbers the components; the largest go first, each to the emptiest part.
    std::vector<std::uint32_t> size(components, 0), by_size(components), target(components);
    for (const std::uint32_t face : faces) ++size[part_[face]];
    for (std::uint32_t i = 0; i < components; ++i) by_size[i] = i;
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
    std::array<std::size_t, 8> load{};
    for (const std::uint32_t component : by_size) {
        const auto emptiest = std::min_element(load.begin(), load.begin() + branching_);
        *emptiest += size[component];
        target[component] = std::uint32_t(emptiest - load.begin());
    }
    for (const std::uint32_t face : faces) part_[face] = target[part_[face]];
    order_by_part(faces, ends);
}

void MeshPartitioner::split_patches(std::span<std::uint32_t> faces,
                                    std::vector<std::uint32_t>& ends) {
    const std::uint32_t inside = next_mark_++;
    for (const std::uint32_t face : faces) mark_[face] = inside;
    const std::uint32_t reached = next_mark_++;
    std::uint32_t components = 0, far = faces[0];
    for (const std::uint32_t face : faces) {
        if (mark_[face] != inside) continue;
        const std::uint32_t last = flood(face, inside, reached);
        if (components == 0) far = last;
        for (const std::uint32_t member : queue_) part_[member] = components;
        ++components;
    }
    if (components > 1) return split_components(faces, components, ends);

    // Seeds far apart: each is the face reached last by a flood from all seeds before it.
    std::vector<std::uint32_t> seeds = {far};
    std::uint32_t current = reached;
    while (seeds.size() < std::size_t(branching_)) {
        const std::uint32_t mark = next_mark_++;
        queue_ = seeds;
        for (const std::uint32_t seed : seeds) mark_[seed] = mark;
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            for (const std::uint32_t next : neighbours_.of(queue_[head])) {
                if (mark_[next] == current) mark_[next] = mark, queue_.push_back(next);
            }
        }
        current = mark;
        seeds.push_back(queue_.back());
    }

    // All patches grow by one face in turn, so they stay connected and nearly of one size.
    const std::uint32_t taken = next_mark_++;
    std::vector<std::vector<std::uint32_t>> patches(seeds.size());
    std::vector<std::size_t> head(seeds.size(), 0);
    for (std::uint32_t i = 0; i < seeds.size(); ++i) {
        patches[i].push_back(seeds[i]);
        mark_[seeds[i]] = taken;
        part_[seeds[i]] = i;
    }
    std::size_t left = faces.size() - seeds.size();
    std::vector<std::size_t> edge(seeds.size(), 0); // next neighbour of the face at head
    while (left > 0) {
        for (std::uint32_t i = 0; i < seeds.size() && left > 0; ++i) {
            bool grown = false;
            while (!grown && head[i] < patches[i].size()) {
                const auto around = neighbours_.of(patches[i][head[i]]);
                if (edge[i] == around.size()) {
                    ++head[i], edge[i] = 0;
                    continue;
                }
                const std::uint32_t next = around[edge[i]++];
                if (mark_[next] != current) continue;
                mark_[next] = taken;
                part_[next] = i;
                patches[i].push_back(next);
                --left, grown = true;
            }
        }
    }
    order_by_part(faces, ends);
}

} // namespace fovea
