// Which pairs count, and what is told of them after the step.
#include <algorithm>

#include "fovea/world/world.h"

namespace fovea {

void World::select_pairs() {
    sensor_pairs_.clear();
    chosen_ = selective();
    if (!chosen_) return; // the broad phase's pairs as they are
    chosen_pairs_.clear();
    auto apart = joints_.apart().begin(); // sorted, as the pairs are
    for (const ProxyPair pair : broad_->pairs()) {
        while (apart != joints_.apart().end() && *apart < pair) ++apart;
        if (apart != joints_.apart().end() && *apart == pair) continue;
        if (!collide(filters_[pair.a], filters_[pair.b])) continue;
        if (sensors_[pair.a] || sensors_[pair.b])
            sensor_pairs_.push_back(pair);
        else if (bodies_.movable(pair.a) || bodies_.movable(pair.b))
            chosen_pairs_.push_back(pair);
    }
}

void World::note_contacts() {
    touching_.clear();
    const auto touch = [&](std::uint32_t a, std::uint32_t b) {
        const BodyPair pair{id_of(a), id_of(b)};
        if (touching_.empty() || touching_.back() != pair) touching_.push_back(pair);
    };
    if (settings_.response == Response::impulse) {
        for (const Contact& contact : narrow_.contacts()) touch(contact.a, contact.b);
    } else {
        for (const ContactPatch& patch : contacts_.patches())
            for (int i = 0; i < patch.count; ++i)
                if (patch.points[i].separation <= 0 || patch.points[i].impulse > 0)
                    touch(patch.a, patch.b);
    }
    contact_changes_.update(touching_, events_.contact_began, events_.contact_ended);
}

void World::note_sensors() {
    touching_.clear();
    for (const auto [a, b] : sensor_pairs_) {
        meetings_.clear();
        find_contacts(shapes_[body_shape_[a]], placement_[a], shapes_[body_shape_[b]],
                      placement_[b], meetings_);
        if (meetings_.empty()) continue;
        touching_.push_back(sensors_[a] ? BodyPair{id_of(a), id_of(b)}
                                        : BodyPair{id_of(b), id_of(a)});
    }
    std::ranges::sort(touching_, comes_first);
    sensor_changes_.update(touching_, events_.sensor_entered, events_.sensor_left);
}

} // namespace fovea
