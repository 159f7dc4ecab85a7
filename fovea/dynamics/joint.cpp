#include "fovea/dynamics/joint.h"

#include <cmath>
#include <string>

#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

constexpr float k_pi = 3.14159265f;
enum class Unit { metres, radians };

/// Gathers the first fault among several checks.
struct Checker {
    const char* joint;
    Result<void> result{};

    void require(bool holds, const std::string& what, const char* words, float value) {
        if (result && !holds)
            result = failure(std::string("the ") + joint + " joint's " + what + " must " + words +
                             ", but is " + number_text(double(value)));
    }
    void finite(const std::string& what, float value) {
        require(std::isfinite(value), what, "be finite", value);
    }
    void not_negative(const std::string& what, float value) {
        require(value >= 0, what, "not be negative", value);
    }
    void strength(const std::string& what, float value) { not_negative(what, value); }
    void spring(const std::string& what, const JointSpring& spring) {
        finite(what + " hertz", spring.hertz);
        not_negative(what + " hertz", spring.hertz);
        finite(what + " damping ratio", spring.damping_ratio);
        not_negative(what + " damping ratio", spring.damping_ratio);
    }
    void motor(const std::string& what, const JointMotor& motor) {
        finite(what + " motor speed", motor.speed);
        strength(what + " motor strength", motor.strength);
    }
    void drive(const std::string& what, const JointDrive& drive, Unit unit) {
        const auto [lower, upper] = drive.limits;
        require(!std::isnan(lower), what + " lower limit", "be a number", lower);
        require(!std::isnan(upper), what + " upper limit", "be a number", upper);
        require(lower <= upper, what + " lower limit",
                ("not exceed the upper one of " + number_text(double(upper))).c_str(), lower);
        require(!(lower == upper && std::isinf(lower)), what + " limits", "not both be infinite",
                lower);
        if (unit == Unit::radians) {
            require(std::isinf(lower) || std::abs(lower) <= k_pi, what + " lower limit",
                    "lie within -pi and pi", lower);
            require(std::isinf(upper) || std::abs(upper) <= k_pi, what + " upper limit",
                    "lie within -pi and pi", upper);
        }
        motor(what, drive.motor);
        spring(what + " spring's", drive.spring);
        finite(what + " target", drive.target);
    }

    void check(const BallJoint& ball) { strength("friction", ball.friction); }
    void check(const HingeJoint& hinge) { drive("turn", hinge.turn, Unit::radians); }
    void check(const SliderJoint& slider) { drive("slide", slider.slide, Unit::metres); }
    void check(const FixedJoint& fixed) {
        spring("linear spring's", fixed.linear);
        spring("angular spring's", fixed.angular);
    }
    void check(const DistanceJoint& distance) {
        drive("length", distance.length, Unit::metres);
        require(distance.length.limits.upper >= 0, "longest length", "not be negative",
                distance.length.limits.upper);
    }
    void check(const ConeTwistJoint& cone) {
        require(cone.cone > 0 && cone.cone <= k_pi, "cone", "be greater than 0 and at most pi",
                cone.cone);
        drive("twist", cone.twist, Unit::radians);
        spring("spring's", cone.spring);
        strength("friction", cone.friction);
    }
    void check(const WheelJoint& wheel) {
        drive("suspension", wheel.suspension, Unit::metres);
        drive("steering", wheel.steering, Unit::radians);
        motor("spin", wheel.spin);
    }
};

} // namespace

const char* name_of(const JointType& type) {
    static constexpr const char* k_names[] = {"ball",     "hinge",      "slider", "fixed",
                                              "distance", "cone-twist", "wheel"};
    return k_names[type.index()];
}

Result<void> check_joint_type(const JointType& type) {
    Checker checker{name_of(type)};
    std::visit([&](const auto& joint) { checker.check(joint); }, type);
    return checker.result;
}

} // namespace fovea
