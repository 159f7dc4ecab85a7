// Prints declarations of the scene language.
//
//   writer.begin("sphere").put("radius", 0.5).put("centre", centre).end();
//     -->  sphere { radius 0.5 centre 0,1,0 }
#pragma once

#include <string>
#include <string_view>

#include "fovea/base/vec3.h"

namespace fovea {

/// A number with at most six decimals, without exponent, trailing zeros or negative zero.
std::string fixed_point(double number);

class SceneWriter {
  public:
    explicit SceneWriter(bool source_language)
        : source_language_(source_language) {}

    SceneWriter& begin(std::string_view declaration);
    SceneWriter& put(std::string_view parameter, double value);
    SceneWriter& put(std::string_view parameter, const Vec3d& value);
    SceneWriter& put(std::string_view parameter, std::string_view word);
    SceneWriter& end();
    void comment(std::string_view line);

    // Extensions: nothing is printed if only the original language is wanted.
    SceneWriter& name(std::string_view word);
    void camera(const Vec3d& position, const Vec3d& target);
    void gravity(const Vec3d& acceleration);

    /// A wall through `point` (n . x = n . point) whose material is behind it.
    SceneWriter& begin_wall(const Vec3d& unit_normal, const Vec3d& point);
    SceneWriter& begin_sphere(double radius, double mass, const Vec3d& centre);
    SceneWriter& begin_cylinder(double radius, double height, double mass, const Vec3d& centre,
                                const Vec3d& axis);

    std::string take() { return std::move(text_); }

  private:
    bool source_language_;
    std::string text_;
};

} // namespace fovea
