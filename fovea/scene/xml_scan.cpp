#include "fovea/scene/xml_scan.h"

#include <algorithm>

#include <fmt/format.h>

namespace fovea {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The name and attributes between '<' and '>'.
Result<void> read_tag(std::string_view inside, XmlTag& tag) {
    std::size_t at = 0;
    const auto skip = [&] {
        while (at < inside.size() && is_space(inside[at])) ++at;
    };
    const auto word = [&] {
        const std::size_t from = at;
        while (at < inside.size() && !is_space(inside[at]) && inside[at] != '=') ++at;
        return std::string(inside.substr(from, at - from));
    };
    tag.name = word();
    if (tag.name.empty()) return failure(fmt::format("line {}: a tag without a name", tag.line));
    for (skip(); at < inside.size(); skip()) {
        const std::string key = word();
        skip();
        if (key.empty() || at == inside.size() || inside[at] != '=') {
            return failure(fmt::format("line {}: <{}>: attribute \"{}\" has no value", tag.line,
                                       tag.name, key));
        }
        ++at;
        skip();
        const char quote = at < inside.size() ? inside[at] : '\0';
        const std::size_t end =
            quote == '"' || quote == '\'' ? inside.find(quote, at + 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            return failure(fmt::format("line {}: <{}>: the value of \"{}\" is not quoted", tag.line,
                                       tag.name, key));
        }
        tag.attributes.emplace_back(key, inside.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return {};
}

/// The '>' that ends a tag begun at `from`, outside of quotes.
std::size_t tag_end(std::string_view text, std::size_t from) {
    char quote = '\0';
    for (std::size_t i = from; i < text.size(); ++i) {
        if (quote != '\0') {
            if (text[i] == quote) quote = '\0';
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        } else if (text[i] == '>') {
            return i;
        }
    }
    return std::string_view::npos;
}

} // namespace

Result<std::vector<XmlTag>> scan_tags(std::string_view text) {
    std::vector<XmlTag> tags;
    std::size_t line = 1, counted = 0;
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
        line += std::size_t(std::count(text.begin() + counted, text.begin() + at, '\n'));
        counted = at;
        const auto starts = [&](std::string_view what) {
            return text.substr(at, what.size()) == what;
        };
        const auto pass_over = [&](std::string_view last) {
            const std::size_t end = text.find(last, at);
            at = end == std::string_view::npos ? end : end + last.size();
            return end != std::string_view::npos;
        };
        if (starts("<!--") || starts("<?") || starts("<!")) {
            const bool ended = starts("<!--")        ? pass_over("-->")
                               : starts("<?")        ? pass_over("?>")
                               : starts("<![CDATA[") ? pass_over("]]>")
                                                     : pass_over(">");
            if (!ended) return failure(fmt::format("line {}: a comment does not end", line));
            continue;
        }
        const std::size_t end = tag_end(text, at);
        if (end == std::string_view::npos) {
            return failure(fmt::format("line {}: a tag does not end", line));
        }
        XmlTag tag;
        tag.begin = at;
        tag.end = end + 1;
        tag.line = line;
        std::string_view inside = text.substr(at + 1, end - at - 1);
        tag.closing = !inside.empty() && inside.front() == '/';
        if (tag.closing) inside.remove_prefix(1);
        tag.empty = !inside.empty() && inside.back() == '/';
        if (tag.empty) inside.remove_suffix(1);
        if (auto read = read_tag(inside, tag); !read) return tl::unexpected(read.error());
        tags.push_back(std::move(tag));
        at = end + 1;
    }
    return tags;
}

} // namespace fovea
