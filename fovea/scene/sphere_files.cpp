#include "fovea/scene/sphere_files.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/sphere_colours.h"

namespace fovea {

namespace {

constexpr std::size_t k_most_slots = std::size_t(1) << 24;

std::size_t slots_of(std::size_t levels, std::size_t degree) {
    std::size_t sum = 0, width = 1;
    for (std::size_t l = 0; l < levels && sum <= k_most_slots; ++l, width *= degree) sum += width;
    return sum;
}

/// Numbers separated by white space, with the line they stand on.
class NumberReader {
  public:
    explicit NumberReader(std::string_view text)
        : at_(text.data())
        , end_(text.data() + text.size()) {}

    std::size_t line() const { return line_; }

    template <class T>
    bool next(T& value) {
        for (; at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n'); ++at_) {
            line_ += *at_ == '\n';
        }
        const auto [rest, error] = std::from_chars(at_, end_, value);
        if (error != std::errc()) return false;
        at_ = rest;
        return true;
    }

  private:
    const char* at_;
    const char* end_;
    std::size_t line_ = 1;
};

} // namespace

Result<std::string> to_sph(const SphereTree& tree) {
    const std::size_t degree = std::max<std::size_t>(1, tree.branching());
    const std::size_t levels = std::size_t(tree.levels());
    if (slots_of(levels, degree) > k_most_slots) {
        return failure(fmt::format(".sph needs a slot for every node of a complete tree; {} levels "
                                   "of degree {} have more than {}",
                                   levels, degree, k_most_slots));
    }
    std::string text = fmt::format("{} {}\n", levels, degree);
    constexpr std::uint32_t k_empty = 0xffffffffu;
    std::vector<std::uint32_t> slots = {0};
    for (std::size_t l = 0; l < levels; ++l) {
        std::vector<std::uint32_t> below;
        for (const std::uint32_t node : slots) {
            if (node == k_empty) {
                text += "0 0 0 -1 0\n";
            } else {
                const Vec3 c = tree.centre(node);
                text += fmt::format("{} {} {} {} {}\n", c.x, c.y, c.z, tree.radius(node),
                                    tree.content(node).occupancy);
            }
            if (l + 1 == levels) continue;
            const SphereTree::Range children =
                node == k_empty ? SphereTree::Range{0, 0} : tree.children(node);
            for (std::uint32_t k = 0; k < degree; ++k) {
                below.push_back(k < children.count ? children.first + k : k_empty);
            }
        }
        slots = std::move(below);
    }
    return text;
}

Result<SphereTree> from_sph(std::string_view text) {
    NumberReader reader(text);
    std::size_t levels = 0, degree = 0;
    if (!reader.next(levels) || !reader.next(degree) || levels < 1 || degree < 1) {
        return failure(".sph line 1: expected \"levels degree\", both positive");
    }
    if (levels > 64 || slots_of(levels, degree) > k_most_slots) {
        return failure(fmt::format(".sph line 1: {} levels of degree {} are more than {} slots",
                                   levels, degree, k_most_slots));
    }
    std::vector<SphereLevel> out;
    std::vector<float> importance;
    constexpr std::uint32_t k_empty = 0xffffffffu;
    std::vector<std::uint32_t> above; ///< which sphere of the level each slot holds
    std::size_t width = 1;
    for (std::size_t l = 0; l < levels; ++l, width *= degree) {
        SphereLevel level;
        std::vector<std::uint32_t> here(width, k_empty);
        for (std::size_t slot = 0; slot < width; ++slot) {
            Vec3 c;
            float radius, weight;
            for (float* value : {&c.x, &c.y, &c.z, &radius, &weight}) {
                if (!reader.next(*value)) {
                    return failure(fmt::format(".sph line {}: expected \"x y z radius importance\"",
                                               reader.line()));
                }
            }
            if (radius < 0) continue;
            if (!std::isfinite(weight)) {
                return failure(fmt::format(".sph line {}: importance {} is not finite",
                                           reader.line(), weight));
            }
            if (l > 0 && above[slot / degree] == k_empty) {
                return failure(
                    fmt::format(".sph line {}: a sphere below an empty slot", reader.line()));
            }
            here[slot] = std::uint32_t(level.centres.size());
            level.centres.push_back(c);
            level.radii.push_back(radius);
            if (l > 0) level.parents.push_back(above[slot / degree]);
            importance.push_back(weight);
        }
        if (!level.centres.empty()) out.push_back(std::move(level));
        above = std::move(here);
    }
    auto tree = SphereTree::from_levels(out);
    if (!tree) return tree;
    for (std::uint32_t node = 0; node < tree->size(); ++node) {
        NodeContent content;
        content.occupancy = importance[node];
        tree->set_content(node, content);
    }
    return tree;
}

std::string level_as_ply(const SphereTree& tree, int level) {
    const TriangleMesh ball = make_icosphere(1, 2);
    const SphereTree::Range range = tree.level(level);
    const std::vector<Vec3> colours = branch_colours(tree);
    std::string text = fmt::format(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\n"
        "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        range.count * ball.vertices.size(), range.count * ball.triangles.size());
    for (std::uint32_t i = 0; i < range.count; ++i) {
        const Vec3 colour = colours[range.first + i] * 255;
        for (const Vec3& v : ball.vertices) {
            const Vec3 p = tree.centre(range.first + i) + v * tree.radius(range.first + i);
            text += fmt::format("{} {} {} {} {} {}\n", p.x, p.y, p.z, int(colour.x), int(colour.y),
                                int(colour.z));
        }
    }
    for (std::uint32_t i = 0; i < range.count; ++i) {
        const std::size_t base = i * ball.vertices.size();
        for (const auto& [a, b, c] : ball.triangles) {
            text += fmt::format("3 {} {} {}\n", base + a, base + b, base + c);
        }
    }
    return text;
}

} // namespace fovea
