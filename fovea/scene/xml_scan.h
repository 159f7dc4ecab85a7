// A scanner for the tags of an XML text: enough to find and replace elements in place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/result.h"

namespace fovea {

struct XmlTag {
    std::string name;
    bool closing = false;           ///< </name>
    bool empty = false;             ///< <name/>
    std::size_t begin = 0, end = 0; ///< place in the text, from '<' to after '>'
    std::size_t line = 1;
    std::vector<std::pair<std::string, std::string>> attributes;

    /// The value of an attribute, or `otherwise`.
    std::string attribute(std::string_view key, std::string_view otherwise = "") const {
        for (const auto& [name_, value] : attributes) {
            if (name_ == key) return value;
        }
        return std::string(otherwise);
    }
};

/// All tags of `text` in order; comments, declarations and CDATA are passed over. Refuses tags that
/// do not end, naming the line. Entities are left as they are.
Result<std::vector<XmlTag>> scan_tags(std::string_view text);

} // namespace fovea
