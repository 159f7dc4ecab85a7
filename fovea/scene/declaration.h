// The factory table of the scene language (Stokes 2.4): which declarations exist, which parameters
// each of them takes, and what it makes of them.
//
//   text --> parser --> Arguments, checked against the parameters' rows --> build --> Scene
//
// A declaration is data: rows of parameters (kind, need, constraint, default) and a function that
// adds to the scene. The parser knows none of them, so a new one needs a new row and nothing else.
// The table is a plain value: copy the standard one, add to it, hand it to parse_scene.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/vec3.h"
#include "fovea/scene/lexer.h"

namespace fovea {

class SceneBuilder;

/// A value in the text: one number, three numbers, or a word or string.
struct Value {
    enum class Kind { scalar, vector, text };

    Kind kind = Kind::scalar;
    Vec3 numbers; ///< a scalar is in x
    std::string_view text;
    SourcePlace place;
};

/// As it would be written: "2.5", "0,1,0", "red".
std::string to_text(const Value& value);

/// What a value must satisfy, with the words that complete "it must ...".
struct Constraint {
    bool (*holds)(const Value&);
    std::string_view words;
};

/// Constraints used by the standard declarations.
extern const Constraint k_any, k_positive, k_not_negative, k_not_zero, k_all_positive, k_fraction,
    k_not_empty;

struct Parameter {
    enum class Need { required, optional };

    std::string name;
    Value::Kind kind = Value::Kind::scalar;
    Need need = Need::optional;
    Constraint constraint = k_any;
    Vec3 fallback{};        ///< the value if none is given; a scalar's in x
    bool repeated = false;  ///< may be given several times
    bool extension = false; ///< not in the original language: strict mode refuses it
};

struct Declaration;

/// The values given to one declaration. Those that are missing read as their default.
class Arguments {
  public:
    explicit Arguments(const Declaration& declaration);

    bool has(std::string_view parameter) const;
    float scalar(std::string_view parameter) const;
    Vec3 vector(std::string_view parameter) const;
    std::string_view text(std::string_view parameter) const;
    /// Every value of a repeated parameter, in order.
    std::vector<Vec3> vectors(std::string_view parameter) const;
    /// Where the value stands; only for parameters that have been given.
    SourcePlace place(std::string_view parameter) const;

    /// The value first given to the parameter of that row, or null.
    const Value* first(std::size_t row) const;
    void add(std::size_t row, const Value& value);

  private:
    std::size_t row_of(std::string_view parameter) const;

    struct Given {
        std::size_t row;
        Value value;
    };
    const Declaration* declaration_;
    std::vector<Given> given_;
    std::vector<std::size_t> first_; ///< per row: into given_; past its end if not given
};

struct Declaration {
    using Function = std::function<void(const Arguments&, SceneBuilder&)>;

    std::vector<Parameter> parameters;
    /// Adds to the scene. Called with arguments that have passed every check; may still find
    /// faults that take work to find, such as a mesh file that cannot be read.
    Function build;
    /// Reports faults that the rows cannot express, such as a name taken already. Called even if
    /// others have been found, so some required arguments may be missing. May be empty.
    Function check = {};
    bool once = false;      ///< a scene may have only one, as its gravity
    bool refers = false;    ///< names bodies that may be declared later: built after all others
    bool extension = false; ///< not in the original language: strict mode refuses it

    /// Row of the parameter of that name, or `parameters.size()`.
    std::size_t find(std::string_view parameter) const;
};

/// By name. Ordered, so that lists of known names read the same everywhere.
using DeclarationTable = std::map<std::string, Declaration, std::less<>>;

/// Everything that docs/scene-language.md describes.
DeclarationTable standard_declarations();

} // namespace fovea
