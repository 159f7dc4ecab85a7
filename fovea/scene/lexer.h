// Cuts scene text into tokens (Stokes 2.1, with strings and exponents as extensions).
//
//   name          a letter, then letters or digits; case counts
//   number        digits [ "." digits ] [ exponent ], perhaps after a "+"; "-" is a token of its
//   own string        "..." on one line, without escapes punctuation   { } ; : - , .
//
// Whitespace separates; comments run from // or # to the end of the line. A token is a view into
// the text, so lexing allocates nothing. Lines and columns count from 1; a column is one character
// of UTF-8, and CR, LF and CR LF each end a line.
#pragma once

#include <cstddef>
#include <string_view>

namespace fovea {

struct SourcePlace {
    std::size_t line = 1;
    std::size_t column = 1;

    auto operator<=>(const SourcePlace&) const = default;
};

struct Token {
    enum class Kind { name, number, string, punctuation, unknown, unclosed_string, end };

    Kind kind = Kind::end;
    std::string_view text; ///< as written; without the quotes if it is a string
    SourcePlace place;

    bool is(char punctuation) const {
        return kind == Kind::punctuation && text.front() == punctuation;
    }
};

class Lexer {
  public:
    explicit Lexer(std::string_view text);

    /// The next token; after the last one, `end` for ever.
    Token next();

  private:
    void skip_blanks();
    void end_line();
    bool digit_at(std::size_t i) const;
    std::size_t number_end() const;
    Token take(Token::Kind kind, std::size_t length);
    Token take_string();

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t line_start_ = 0;
    std::size_t continuation_bytes_ = 0; ///< on this line before at_; they are no characters
};

} // namespace fovea
