#include "fovea/world/response_plan.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

// Of one unit each, about two nanoseconds: measured with bench/engine on stacks and heaps.
constexpr std::uint64_t k_body_units = 60, k_body_sub_step_units = 14;
constexpr std::uint64_t k_patch_units = 130, k_patch_sub_step_units = 14;
constexpr std::uint64_t k_point_sub_step_units = 7;
constexpr std::uint64_t k_restitution_units = 6; ///< per patch and pass
/// What of k_body_units and k_patch_units comes after the last sub-step.
constexpr std::uint64_t k_body_store_units = 15, k_patch_store_units = 20;
constexpr std::uint64_t k_joint_units = 200, k_joint_sub_step_units = 250;
constexpr std::uint64_t k_spring_sub_step_units = 30;
constexpr std::uint64_t k_visit_units = 30; ///< of a contact by the impulse response

/// What is left when each pair keeps at most `contacts` points; as if they were spread evenly.
ResponseLoad thinned(ResponseLoad load, int contacts) {
    if (contacts == 0) return load;
    load.points = std::min(load.points, load.pairs * std::uint64_t(contacts));
    load.patches = std::min(load.patches, load.points);
    return load;
}

} // namespace

std::uint64_t response_units(const ResponseLoad& all, const ResponsePlan& plan) {
    const ResponseLoad load = thinned(all, plan.contacts);
    const auto sub_steps = std::uint64_t(plan.sub_steps);
    return load.bodies * (k_body_units + sub_steps * k_body_sub_step_units) +
           load.patches * (k_patch_units + sub_steps * k_patch_sub_step_units +
                           std::uint64_t(plan.iterations) * k_restitution_units) +
           load.points * sub_steps * k_point_sub_step_units +
           load.joints * (k_joint_units + sub_steps * k_joint_sub_step_units) +
           load.springs * sub_steps * k_spring_sub_step_units;
}

std::uint64_t last_units(const ResponseLoad& all, const ResponsePlan& plan) {
    const ResponseLoad load = thinned(all, plan.contacts);
    return load.bodies * (k_body_sub_step_units + k_body_store_units) +
           load.patches * (k_patch_sub_step_units + k_patch_store_units +
                           std::uint64_t(plan.iterations) * k_restitution_units) +
           load.points * k_point_sub_step_units + load.joints * k_joint_sub_step_units +
           load.springs * k_spring_sub_step_units;
}

std::uint64_t blow_units(const ResponseLoad& all, const ResponsePlan& plan) {
    const ResponseLoad load = thinned(all, plan.contacts);
    return load.bodies * k_body_units +
           load.points * std::uint64_t(plan.iterations) * k_visit_units;
}

ResponsePlan least_plan(const ResponsePlan& full) {
    return {1, std::min(full.sub_steps, 1), std::min(full.iterations, 1)};
}

ResponsePlan affordable_plan(const ResponseLoad& load, const ResponsePlan& full, double units,
                             ResponseUnits units_of) {
    const auto fits = [&](const ResponsePlan& plan) {
        return double(units_of(load, plan)) <= units;
    };
    ResponsePlan plan = full;
    if (fits(plan)) return plan;
    for (plan.contacts = 4; plan.contacts > 1; --plan.contacts)
        if (fits(plan)) return plan;
    while (!fits(plan) && plan.sub_steps > 1) --plan.sub_steps;
    while (!fits(plan) && plan.iterations > 1) --plan.iterations;
    return plan;
}

namespace {

/// Patches whose normals make at most 18 degrees bear a body together.
constexpr float k_same_way = 0.95f;

/// A lone contact bears its pair where all patches that look its way have the point nearest to the
/// line through the lighter body's centre of mass, along the normal: on a corner, on one of several
/// parts, or merely beside the centre, a body would tip over, in the next step the other way, and
/// sink or creep.
ContactPatch::Point middle_of(std::span<const ContactPatch> pair, const ContactPatch& lone,
                              ContactPatch::Point deepest, const Bodies& bodies) {
    const auto for_points = [&](const auto& visit) {
        for (const ContactPatch& patch : pair)
            if (dot(patch.normal, lone.normal) >= k_same_way)
                for (int i = 0; i < patch.count; ++i) visit(patch.points[i]);
    };
    Vec3 sum;
    int count = 0;
    deepest.impulse = 0;
    for_points([&](const ContactPatch::Point& p) {
        sum += p.point, ++count;
        deepest.impulse += p.impulse;
    });
    deepest.point = sum * (1 / float(count));
    const std::uint32_t lighter =
        bodies.inverse_mass[lone.a] > bodies.inverse_mass[lone.b] ? lone.a : lone.b;
    const Vec3 centre = bodies.position[lighter];
    // Towards whichever point leads there, as far as it does (Frank and Wolfe).
    for (int turn = 0; turn < 16; ++turn) {
        Vec3 way = centre - deepest.point;
        way -= lone.normal * dot(way, lone.normal);
        Vec3 to;
        float most = 0;
        for_points([&](const ContactPatch::Point& p) {
            const float gain = dot(p.point - deepest.point, way);
            if (gain > most) most = gain, to = p.point - deepest.point;
        });
        if (!(most > 1e-4f * length_squared(way))) break;
        deepest.point += to * std::min(most / length_squared(to), 1.0f);
    }
    return deepest;
}

} // namespace

std::span<ContactPatch> ThinnedContacts::thin(const Bodies& bodies,
                                              std::span<const ContactPatch> patches, int contacts) {
    patches_.clear();
    origins_.clear();
    for (std::size_t begin = 0, end = 0; begin < patches.size(); begin = end) {
        const auto same_pair = [&](const ContactPatch& p) {
            return p.a == patches[begin].a && p.b == patches[begin].b;
        };
        while (end < patches.size() && same_pair(patches[end])) ++end;
        // The deepest points of the pair, one after the other.
        kept_.assign((end - begin) * k_manifold_points, 0);
        for (int n = 0; n < contacts; ++n) {
            std::size_t deepest = kept_.size();
            float depth = std::numeric_limits<float>::max();
            for (std::size_t i = 0; i < kept_.size(); ++i) {
                const ContactPatch& patch = patches[begin + i / k_manifold_points];
                const std::size_t point = i % k_manifold_points;
                if (int(point) >= patch.count || kept_[i]) continue;
                if (patch.points[point].separation < depth)
                    depth = patch.points[point].separation, deepest = i;
            }
            if (deepest < kept_.size()) kept_[deepest] = 1;
        }
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (!kept_[i]) continue;
            const std::size_t from = begin + i / k_manifold_points, point = i % k_manifold_points;
            if (origins_.empty() || origins_.back().patch != from) {
                patches_.push_back(patches[from]);
                patches_.back().count = 0;
                origins_.push_back({std::uint32_t(from), {}});
            }
            ContactPatch& to = patches_.back();
            origins_.back().points[to.count] = std::uint8_t(point);
            to.points[to.count++] = patches[from].points[point];
            if (contacts == 1)
                to.points[0] =
                    middle_of(patches.subspan(begin, end - begin), to, to.points[0], bodies);
        }
    }
    return patches_;
}

void ThinnedContacts::hand_back(std::span<ContactPatch> patches) const {
    for (ContactPatch& patch : patches) {
        for (int i = 0; i < patch.count; ++i) patch.points[i].impulse = 0;
        patch.friction_impulse = patch.rolling_impulse = {};
        patch.twist_impulse = patch.support = 0;
        patch.lasting = false;
    }
    for (std::size_t i = 0; i < patches_.size(); ++i) {
        const ContactPatch& from = patches_[i];
        ContactPatch& to = patches[origins_[i].patch];
        for (int k = 0; k < from.count; ++k)
            to.points[origins_[i].points[k]].impulse = from.points[k].impulse;
        to.friction_impulse = from.friction_impulse;
        to.twist_impulse = from.twist_impulse;
        to.support = from.support;
        to.rolling_impulse = from.rolling_impulse;
        to.lasting = from.lasting;
    }
}

std::size_t thin_contacts(std::span<Contact> contacts, int per_pair) {
    std::size_t kept = 0;
    for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
        const Contact first = contacts[begin];
        while (end < contacts.size() && contacts[end].a == first.a && contacts[end].b == first.b)
            ++end;
        // Of more than a pair may keep, one after the other gives way to a deeper one.
        const std::size_t from = kept;
        for (std::size_t i = begin; i < end; ++i) {
            if (kept - from < std::size_t(per_pair)) {
                contacts[kept++] = contacts[i];
                continue;
            }
            const auto shallowest = std::max_element(
                contacts.begin() + std::ptrdiff_t(from), contacts.begin() + std::ptrdiff_t(kept),
                [](const Contact& p, const Contact& q) { return p.separation < q.separation; });
            if (contacts[i].separation < shallowest->separation) *shallowest = contacts[i];
        }
    }
    return kept;
}

} // namespace fovea
