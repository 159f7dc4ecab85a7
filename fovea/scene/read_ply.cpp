// PLY (Turk 1994): a text header that lists elements and their properties, then their data.
//
//   element vertex 8            8 records of the properties that follow
//   property float x
//   element face 6
//   property list uchar int vertex_indices       a count, then as many indices
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "fovea/scene/diagnostic.h"
#include "fovea/scene/mesh_readers.h"
#include "fovea/scene/text_cursor.h"

namespace fovea {

namespace {

enum class Coding { text, little_endian, big_endian };

struct NumberType {
    std::size_t size = 0; ///< bytes; 0: unknown
    enum { signed_integer, unsigned_integer, real } kind = real;
};

struct Property {
    NumberType type;
    NumberType count; ///< of a list; size 0: no list
    std::string name;
};

struct Element {
    std::string name;
    std::uint64_t count;
    std::vector<Property> properties;
};

NumberType number_type(std::string_view name) {
    struct Row {
        std::string_view name, other_name;
        NumberType type;
    };
    constexpr Row k_types[] = {
        {"char", "int8", {1, NumberType::signed_integer}},
        {"uchar", "uint8", {1, NumberType::unsigned_integer}},
        {"short", "int16", {2, NumberType::signed_integer}},
        {"ushort", "uint16", {2, NumberType::unsigned_integer}},
        {"int", "int32", {4, NumberType::signed_integer}},
        {"uint", "uint32", {4, NumberType::unsigned_integer}},
        {"float", "float32", {4, NumberType::real}},
        {"double", "float64", {8, NumberType::real}},
    };
    for (const Row& row : k_types)
        if (row.name == name || row.other_name == name) return row.type;
    return {};
}

/// Draws numbers from the data behind the header.
class Data {
  public:
    Data(std::string_view bytes, Coding coding)
        : text_(bytes)
        , bytes_(bytes)
        , coding_(coding) {}

    std::optional<double> next(NumberType type) {
        if (coding_ == Coding::text) return text_.number<double>();
        if (bytes_.size() < type.size) return std::nullopt;
        std::array<unsigned char, 8> raw{};
        std::memcpy(raw.data(), bytes_.data(), type.size);
        bytes_.remove_prefix(type.size);
        if (coding_ == Coding::big_endian) std::reverse(raw.begin(), raw.begin() + type.size);
        std::uint64_t bits = 0;
        for (std::size_t i = type.size; i-- > 0;) bits = bits << 8 | raw[i];
        if (type.kind == NumberType::unsigned_integer) return double(bits);
        if (type.kind == NumberType::signed_integer) {
            const int unused = 64 - 8 * int(type.size);
            return double(std::int64_t(bits << unused) >> unused);
        }
        return type.size == 8 ? as<double>(bits) : as<float>(std::uint32_t(bits));
    }

  private:
    template <class Real, class Bits>
    static double as(Bits bits) {
        Real value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    TextCursor text_;
    std::string_view bytes_;
    Coding coding_;
};

struct Header {
    Coding coding = Coding::text;
    std::vector<Element> elements;
};

Result<Header> read_header(TextCursor& text) {
    Header header;
    if (text.line() != "ply") return failure("not PLY: the first line is not 'ply'");
    while (!text.at_end()) {
        TextCursor words(text.line());
        const auto what = words.word(), first = words.word();
        if (what == "end_header") return header;
        if (what == "format") {
            if (first == "binary_little_endian")
                header.coding = Coding::little_endian;
            else if (first == "binary_big_endian")
                header.coding = Coding::big_endian;
            else if (first != "ascii")
                return failure(fmt::format("format '{}' is unknown", readable(first)));
        } else if (what == "element") {
            const auto count = words.number<std::uint64_t>();
            if (!count) return failure(fmt::format("element '{}' has no number", readable(first)));
            header.elements.push_back({std::string(first), *count, {}});
        } else if (what == "property") {
            if (header.elements.empty()) return failure("a property comes before any element");
            Property property;
            if (first == "list") {
                property.count = number_type(words.word());
                if (property.count.size == 0 || property.count.kind == NumberType::real)
                    return failure("a list is counted by an unknown type");
                property.type = number_type(words.word());
            } else {
                property.type = number_type(first);
            }
            property.name = words.word();
            if (property.type.size == 0)
                return failure(
                    fmt::format("property '{}' has an unknown type", readable(property.name)));
            header.elements.back().properties.push_back(property);
        }
    }
    return failure("the header does not end");
}

tl::unexpected<Error> cut_short(const Element& element) {
    return failure(fmt::format("the data of element '{}' are cut short or no numbers",
                               readable(element.name)));
}

/// Reads one record. Coordinates go to `vertex`, the corners of a face to `corners`.
bool read_record(const Element& element, Data& data, Vec3& vertex, std::vector<double>& corners) {
    for (const Property& property : element.properties) {
        const bool is_list = property.count.size > 0;
        const auto value = data.next(is_list ? property.count : property.type);
        if (!value) return false;
        if (!is_list) {
            if (property.name == "x") vertex.x = float(*value);
            if (property.name == "y") vertex.y = float(*value);
            if (property.name == "z") vertex.z = float(*value);
            continue;
        }
        const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
        for (double i = 0; i < *value; ++i) {
            const auto item = data.next(property.type);
            if (!item) return false;
            if (is_face) corners.push_back(*item);
        }
    }
    return true;
}

} // namespace

Result<TriangleMesh> read_ply(std::string_view bytes) {
    TextCursor text(bytes);
    const Result<Header> header = read_header(text);
    if (!header) return tl::unexpected(header.error());
    Data data(text.rest(), header->coding);
    TriangleMesh mesh;
    std::vector<double> corners;
    for (const Element& element : header->elements) {
        // Without properties a record takes no bytes, and any number of them could be claimed.
        if (element.properties.empty()) continue;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            Vec3 vertex;
            corners.clear();
            if (!read_record(element, data, vertex, corners)) return cut_short(element);
            if (element.name == "vertex") mesh.vertices.push_back(vertex);
            if (element.name != "face") continue;
            for (double corner : corners)
                if (!(corner >= 0) || corner >= double(mesh.vertices.size()))
                    return failure(fmt::format("face {} refers to vertex {} of {}", i, corner,
                                               mesh.vertices.size()));
            for (std::size_t k = 2; k < corners.size(); ++k)
                mesh.triangles.push_back({std::uint32_t(corners[0]), std::uint32_t(corners[k - 1]),
                                          std::uint32_t(corners[k])});
        }
    }
    return mesh;
}

} // namespace fovea
