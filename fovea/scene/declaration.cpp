#include "fovea/scene/declaration.h"

#include <limits>

#include <fmt/format.h>

#include "fovea/base/assert.h"
#include "fovea/scene/diagnostic.h"

namespace fovea {

namespace {

constexpr std::size_t k_none = std::numeric_limits<std::size_t>::max();

bool is_fraction(float x) {
    return x >= 0 && x <= 1;
}

} // namespace

constinit const Constraint k_any{[](const Value&) { return true; }, ""};
constinit const Constraint k_positive{[](const Value& v) { return v.numbers.x > 0; },
                                      "be greater than 0"};
constinit const Constraint k_not_negative{[](const Value& v) { return v.numbers.x >= 0; },
                                          "be at least 0"};
constinit const Constraint k_not_zero{[](const Value& v) { return v.numbers != Vec3(); },
                                      "not be the zero vector"};
constinit const Constraint k_all_positive{
    [](const Value& v) { return v.numbers.x > 0 && v.numbers.y > 0 && v.numbers.z > 0; },
    "have every component greater than 0"};
constinit const Constraint k_fraction{[](const Value& v) {
                                          return is_fraction(v.numbers.x) &&
                                                 is_fraction(v.numbers.y) &&
                                                 is_fraction(v.numbers.z);
                                      },
                                      "have every component between 0 and 1"};
constinit const Constraint k_not_empty{[](const Value& v) { return !v.text.empty(); },
                                       "not be empty"};

std::string to_text(const Value& value) {
    switch (value.kind) {
    case Value::Kind::scalar:
        return fmt::format("{}", value.numbers.x);
    case Value::Kind::vector:
        return fmt::format("{},{},{}", value.numbers.x, value.numbers.y, value.numbers.z);
    case Value::Kind::text:
        break;
    }
    return fmt::format("\"{}\"", readable(value.text));
}

std::size_t Declaration::find(std::string_view parameter) const {
    std::size_t row = 0;
    while (row < parameters.size() && parameters[row].name != parameter) ++row;
    return row;
}

Arguments::Arguments(const Declaration& declaration)
    : declaration_(&declaration)
    , first_(declaration.parameters.size(), k_none) {}

std::size_t Arguments::row_of(std::string_view parameter) const {
    const std::size_t row = declaration_->find(parameter);
    FOVEA_ASSERT(row < first_.size());
    return row;
}

const Value* Arguments::first(std::size_t row) const {
    return first_[row] == k_none ? nullptr : &given_[first_[row]].value;
}

void Arguments::add(std::size_t row, const Value& value) {
    if (first_[row] == k_none) first_[row] = given_.size();
    given_.push_back({row, value});
}

bool Arguments::has(std::string_view parameter) const {
    return first(row_of(parameter)) != nullptr;
}

Vec3 Arguments::vector(std::string_view parameter) const {
    const std::size_t row = row_of(parameter);
    const Value* value = first(row);
    return value ? value->numbers : declaration_->parameters[row].fallback;
}

float Arguments::scalar(std::string_view parameter) const {
    return vector(parameter).x;
}

std::string_view Arguments::text(std::string_view parameter) const {
    const Value* value = first(row_of(parameter));
    return value ? value->text : std::string_view();
}

std::vector<Vec3> Arguments::vectors(std::string_view parameter) const {
    const std::size_t row = row_of(parameter);
    std::vector<Vec3> result;
    for (const Given& given : given_)
        if (given.row == row) result.push_back(given.value.numbers);
    return result;
}

SourcePlace Arguments::place(std::string_view parameter) const {
    const Value* value = first(row_of(parameter));
    FOVEA_ASSERT(value);
    return value->place;
}

} // namespace fovea
