// Walks through text line by line and word by word, without copying and without the locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace fovea {

class TextCursor {
  public:
    explicit TextCursor(std::string_view text)
        : text_(text) {}

    bool at_end() const { return text_.empty(); }
    std::string_view rest() const { return text_; }

    /// The text up to the next line end, which is consumed.
    std::string_view line() {
        const auto end = text_.find('\n');
        std::string_view result = text_.substr(0, end);
        text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
        if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
        return result;
    }

    /// The next word, on this line or a later one; empty at the end.
    std::string_view word() {
        const auto begin = text_.find_first_not_of(k_blanks);
        if (begin == std::string_view::npos) return text_ = {};
        text_.remove_prefix(begin);
        const std::string_view result = text_.substr(0, text_.find_first_of(k_blanks));
        text_.remove_prefix(result.size());
        return result;
    }

    /// The next word as a number; nothing if it is none or does not fit.
    template <class Number>
    std::optional<Number> number() {
        return parse<Number>(word());
    }

    template <class Number>
    static std::optional<Number> parse(std::string_view word) {
        Number value{};
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
        return value;
    }

  private:
    static constexpr std::string_view k_blanks = " \t\r\n\v\f";

    std::string_view text_;
};

} // namespace fovea
