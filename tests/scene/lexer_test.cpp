// Tokens, their places, comments and strange bytes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fovea/scene/lexer.h"

using namespace fovea;
using Kind = Token::Kind;

namespace {

std::vector<Token> lex(std::string_view text) {
    Lexer lexer(text);
    std::vector<Token> tokens;
    while (tokens.empty() || tokens.back().kind != Kind::end) tokens.push_back(lexer.next());
    tokens.pop_back();
    return tokens;
}

std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> result;
    for (const Token& token : lex(text)) result.emplace_back(token.text);
    return result;
}

using Strings = std::vector<std::string>;

} // namespace

TEST_CASE("numbers are taken as long as possible, signs and stray points apart") {
    CHECK(texts("10 -3.5 +7 007") == Strings{"10", "-", "3.5", "+7", "007"});
    CHECK(texts("1e5 1E-5 2.5e+3") == Strings{"1e5", "1E-5", "2.5e+3"});
    // Without a digit in the exponent, the letter starts a name.
    CHECK(texts("1e 1e+ 2mass") == Strings{"1", "e", "1", "e", "+", "2", "mass"});
    CHECK(texts("5. .5 1.2.3") == Strings{"5", ".", ".", "5", "1.2", ".", "3"});
    CHECK(lex("+").front().kind == Kind::unknown);
}

TEST_CASE("names are letters and digits without underscore, case kept") {
    CHECK(texts("toOrig a1b2 a_b") == Strings{"toOrig", "a1b2", "a", "_", "b"});
    CHECK(lex("a_b")[1].kind == Kind::unknown);
}

TEST_CASE("both comments run to the end of the line, from anywhere") {
    CHECK(texts("a // b {\nc # d } // e\n#\n//") == Strings{"a", "c"});
    CHECK(texts("a#b\rc") == Strings{"a", "c"});
    CHECK(lex("a / b")[1].kind == Kind::unknown);
    CHECK(texts("\"a # b // c\"") == Strings{"a # b // c"});
}

TEST_CASE("strings stay on their line") {
    const auto closed = lex("\"two words\" x");
    REQUIRE(closed.size() == 2);
    CHECK(closed[0].kind == Kind::string);
    CHECK(closed[0].text == "two words");
    CHECK(closed[1].place == SourcePlace{1, 13});
    const auto open = lex("\"never }\nx");
    REQUIRE(open.size() == 4);
    CHECK(open[0].kind == Kind::unclosed_string);
    CHECK(open[2].is('}'));
    CHECK(lex("\"\"")[0].text.empty());
}

TEST_CASE("lines end with LF, CR or CR LF, and columns count characters") {
    for (const char* text : {"a\n  b", "a\r  b", "a\r\n  b"}) {
        const auto tokens = lex(text);
        REQUIRE(tokens.size() == 2);
        CHECK(tokens[0].place == SourcePlace{1, 1});
        CHECK(tokens[1].place == SourcePlace{2, 3});
    }
    // Two-byte and four-byte characters are one column each.
    CHECK(lex("\"\xc3\xa4\xf0\x9f\x8e\xb1\" x")[1].place == SourcePlace{1, 6});
    CHECK(lex("\xef\xbb\xbfx")[0].place == SourcePlace{1, 1});
    CHECK(lex("\tx")[0].place == SourcePlace{1, 2});
}

TEST_CASE("any byte at all becomes some token, and lexing ends") {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string text(3, char(byte));
        std::size_t covered = 0;
        for (const Token& token : lex(text)) covered += token.text.size();
        CHECK(covered <= 3);
    }
    CHECK(lex(std::string_view("\0", 1)).front().kind == Kind::unknown);
    CHECK(lex("\x80\x80\x80\x80\x80 x").back().place.column >= 1);
}
