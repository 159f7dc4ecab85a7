#include "fovea/scene/lexer.h"

namespace fovea {

namespace {

// Not <cctype>: its answers depend on the locale.
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_continuation_byte(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view k_punctuation = "{};:-,.";

} // namespace

Lexer::Lexer(std::string_view text)
    : text_(text) {
    if (text_.starts_with(k_byte_order_mark)) text_.remove_prefix(k_byte_order_mark.size());
}

bool Lexer::digit_at(std::size_t i) const {
    return i < text_.size() && is_digit(text_[i]);
}

void Lexer::end_line() {
    at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
    line_start_ = at_;
    continuation_bytes_ = 0;
}

void Lexer::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n' || c == '\r') {
            end_line();
        } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
            ++at_;
        } else if (c == '#' || text_.substr(at_, 2) == "//") {
            while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
        } else {
            return;
        }
    }
}

std::size_t Lexer::number_end() const {
    std::size_t end = at_ + 1; // past the first digit or the plus
    while (digit_at(end)) ++end;
    if (end < text_.size() && text_[end] == '.' && digit_at(end + 1)) {
        ++end;
        while (digit_at(end)) ++end;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        std::size_t exponent = end + 1;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-'))
            ++exponent;
        if (digit_at(exponent)) {
            end = exponent;
            while (digit_at(end)) ++end;
        }
    }
    return end;
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
    const Token token{
        kind, text_.substr(at_, length), {line_, at_ - line_start_ - continuation_bytes_ + 1}};
    for (char c : token.text) continuation_bytes_ += is_continuation_byte(c);
    at_ += length;
    return token;
}

Token Lexer::take_string() {
    const std::size_t stop = text_.find_first_of("\"\r\n", at_ + 1);
    // Only the quote is taken, so that a '}' later on the line still ends the declaration.
    if (stop == std::string_view::npos || text_[stop] != '"')
        return take(Token::Kind::unclosed_string, 1);
    Token token = take(Token::Kind::string, stop + 1 - at_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
}

Token Lexer::next() {
    skip_blanks();
    if (at_ == text_.size()) return take(Token::Kind::end, 0);
    const char c = text_[at_];
    if (is_letter(c)) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        return take(Token::Kind::name, end - at_);
    }
    if (is_digit(c) || (c == '+' && digit_at(at_ + 1)))
        return take(Token::Kind::number, number_end() - at_);
    if (c == '"') return take_string();
    if (k_punctuation.find(c) != std::string_view::npos) return take(Token::Kind::punctuation, 1);
    std::size_t end = at_ + 1;
    while (end < text_.size() && end < at_ + 4 && is_continuation_byte(text_[end])) ++end;
    return take(Token::Kind::unknown, end - at_);
}

} // namespace fovea
