#include "fovea/world/figure.h"

#include <cmath>

namespace fovea {

namespace {

Error at_bone(std::size_t bone, const Error& error) {
    return {"bone " + std::to_string(bone) + ": " + error.message};
}

Result<void> check_bones(std::span<const Bone> bones) {
    if (bones.empty()) return failure("a figure needs at least one bone");
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const Bone& bone = bones[i];
        const auto refuse = [&](const std::string& what) {
            return tl::unexpected(at_bone(i, Error{what}));
        };
        if (i == 0 && bone.parent != Bone::k_no_parent)
            return refuse("the first bone has no parent");
        if (i > 0 && bone.parent >= i)
            return refuse("its parent must be an earlier bone, but is " +
                          std::to_string(bone.parent));
        if (!is_finite(bone.from) || !is_finite(bone.to) || !is_finite(bone.anchor))
            return refuse("its ends and its joint must be finite");
        if (!(bone.mass > 0)) return refuse("its mass must be positive");
        if (!(bone.least_angle >= 0 && bone.least_angle <= 3.1415927f))
            return refuse("its least angle must lie within 0 and pi, but is " +
                          std::to_string(bone.least_angle));
    }
    return {};
}

/// A frame whose y axis leads from one end to the other, in the middle.
Transform frame_of(const Bone& bone) {
    const Vec3 along = bone.to - bone.from;
    const Quat turn = length(along) > 0 ? rotation_between({0, 1, 0}, normalized(along)) : Quat();
    return {(bone.from + bone.to) * 0.5f, turn};
}

/// The end that is further from the joint.
Vec3 far_end(const Bone& bone, const Vec3& joint) {
    const bool from = length_squared(bone.from - joint) > length_squared(bone.to - joint);
    return from ? bone.from : bone.to;
}

} // namespace

Result<Figure> Figure::add(World& world, std::span<const Bone> bones, const Transform& at) {
    if (const auto valid = check_bones(bones); !valid) return tl::unexpected(valid.error());
    Figure figure;
    std::vector<ShapeId> shapes;
    const auto give_up = [&](std::size_t bone, const Error& error) {
        for (const BodyId body : figure.bodies_) (void)world.remove_body(body);
        for (const ShapeId shape : shapes) (void)world.remove_shape(shape);
        return tl::unexpected(at_bone(bone, error));
    };
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const Bone& bone = bones[i];
        const Transform rest = frame_of(bone);
        const float half = 0.5f * length(bone.to - bone.from);
        const auto shape = half > 0 ? world.add_shape(Capsule{bone.radius, half})
                                    : world.add_shape(Sphere{bone.radius});
        if (!shape) return give_up(i, shape.error());
        shapes.push_back(*shape);
        const Transform placed = at * rest;
        const auto body = world.add_body({.shape = *shape,
                                          .position = placed.position,
                                          .orientation = placed.orientation,
                                          .mass = bone.mass,
                                          .material = bone.material});
        if (!body) return give_up(i, body.error());
        figure.bodies_.push_back(*body);
        figure.parents_.push_back(bone.parent);
        figure.rest_.push_back(rest);
        figure.anchors_.push_back(i == 0 ? Vec3() : bone.anchor);
        figure.half_.push_back(half);
        figure.radius_.push_back(bone.radius);
        Hinge hinge;
        if (i > 0) {
            const auto joint =
                world.add_joint(world.joint_at(figure.bodies_[bone.parent], *body, at * bone.anchor,
                                               rotate(at.orientation, bone.axis), bone.joint));
            if (!joint) return give_up(i, joint.error());
            figure.joints_.push_back(*joint);
            const Transform& parent = figure.rest_[bone.parent];
            hinge = {inverse(rest) * bone.anchor, inverse(rest) * far_end(bone, bone.anchor),
                     inverse(parent) * bone.anchor,
                     inverse(parent) * far_end(bones[bone.parent], bone.anchor),
                     bone.least_angle > 0 ? std::cos(bone.least_angle) : 2};
        }
        figure.hinges_.push_back(hinge);
    }
    figure.look(world);
    figure.bounds_ = FigureBounds(figure.segments_);
    return figure;
}

Result<void> Figure::pose(World& world, const Transform& at, std::span<const Quat> turns) const {
    if (turns.size() != bodies_.size())
        return failure("a figure of " + std::to_string(bodies_.size()) + " bones was given " +
                       std::to_string(turns.size()) + " turns");
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!world.contains(bodies_[i]))
            return failure("bone " + std::to_string(i) + " is no longer in the world");
        if (const float size = norm_squared(turns[i]); !(size > 0) || !std::isfinite(size))
            return failure("the turn of bone " + std::to_string(i) + " is no rotation");
    }
    std::vector<Transform> carried(bodies_.size()); // rest to pose, in the figure's frame
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Quat turn = normalized(turns[i]);
        const Transform about(anchors_[i] - rotate(turn, anchors_[i]), turn);
        carried[i] = i == 0 ? about : carried[parents_[i]] * about;
        const auto placed = world.set_transform(bodies_[i], at * carried[i] * rest_[i]);
        if (!placed) return tl::unexpected(at_bone(i, placed.error()));
    }
    return {};
}

bool Figure::look(const World& world) {
    for (const BodyId body : bodies_)
        if (!world.contains(body)) return false;
    placed_.clear();
    segments_.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        placed_.push_back(world.transform(bodies_[i]));
        const NodeVolume segment{.type = half_[i] > 0 ? VolumeType::segment : VolumeType::point,
                                 .centre = {},
                                 .u = {0, half_[i], 0},
                                 .v = {},
                                 .radius = radius_[i]};
        segments_.push_back(placed(segment, Transformd(placed_[i])));
    }
    if (bounds_.size() == segments_.size()) bounds_.refit(segments_);
    find_folded();
    return true;
}

void Figure::find_folded() {
    folded_.clear();
    for (std::size_t i = 1; i < hinges_.size(); ++i) {
        const Hinge& hinge = hinges_[i];
        const Vec3 own = rotate(placed_[i].orientation, hinge.own_end - hinge.own_joint);
        const Vec3 parents =
            rotate(placed_[parents_[i]].orientation, hinge.parents_end - hinge.parents_joint);
        if (dot(own, parents) > hinge.most_cosine * length(own) * length(parents))
            folded_.push_back(std::uint32_t(i));
    }
}

} // namespace fovea
