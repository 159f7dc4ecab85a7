#include "fovea/scene/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

std::string_view name_of(Value::Kind kind) {
    switch (kind) {
    case Value::Kind::scalar:
        return "one number";
    case Value::Kind::vector:
        return "three numbers";
    case Value::Kind::text:
        break;
    }
    return "a word or a string";
}

/// As "the number 12", for "... was expected, but here is ...".
std::string name_of(const Token& token) {
    switch (token.kind) {
    case Token::Kind::name:
        return fmt::format("the name '{}'", readable(token.text));
    case Token::Kind::number:
        return fmt::format("the number {}", readable(token.text));
    case Token::Kind::string:
        return fmt::format("the string \"{}\"", readable(token.text));
    case Token::Kind::unclosed_string:
        return "a string that is not closed on its line";
    case Token::Kind::unknown:
        return fmt::format("'{}', which is not part of the language", readable(token.text));
    case Token::Kind::end:
        return "the end of the text";
    case Token::Kind::punctuation:
        break;
    }
    return fmt::format("'{}'", token.text);
}

std::string names_in(const DeclarationTable& table) {
    std::string names;
    for (const auto& [name, declaration] : table) names += (names.empty() ? "" : ", ") + name;
    return names;
}

std::string names_in(const std::vector<Parameter>& parameters) {
    std::string names;
    for (const Parameter& parameter : parameters)
        names += (names.empty() ? "" : ", ") + parameter.name;
    return names;
}

class Parser {
  public:
    Parser(std::string_view text, const ParseSettings& settings, const DeclarationTable& table)
        : settings_(settings)
        , table_(table)
        , lexer_(text)
        , builder_(settings.max_bodies, settings.max_faults, MeshLibrary(settings.meshes))
        , token_(lexer_.next())
        , ahead_(lexer_.next()) {}

    ParsedScene run();

  private:
    using Entry = DeclarationTable::value_type;
    struct Postponed {
        const Entry* entry;
        Arguments arguments;
        Diagnostic report;
    };

    void advance();
    /// Finds fault with the current token and skips past the next '}' or ';'.
    void syntax_error(std::string_view expected);
    void declaration();
    bool parameter_list(const Entry* entry, Arguments* arguments);
    bool parameter(const Entry* entry, Arguments* arguments);
    bool value(std::string_view parameter, Value& value, bool& usable);
    float number(std::string_view parameter, bool negative, bool& usable);
    bool word_is_value() const;
    void accept_value(const Entry& entry, Arguments& arguments, const Token& name,
                      const Value& value, bool usable);
    void check_present(const Declaration& declaration, const Arguments& arguments);
    void finish(const Entry& entry, const Arguments& arguments);
    void finish_postponed();
    void reject();
    void keep_report();

    const ParseSettings& settings_;
    const DeclarationTable& table_;
    Lexer lexer_;
    SceneBuilder builder_;
    Token token_, ahead_;
    ParsedScene result_;
    std::map<const Entry*, SourcePlace> accepted_once_;
    std::vector<Postponed> postponed_;
};

void Parser::advance() {
    token_ = ahead_;
    ahead_ = lexer_.next();
}

void Parser::syntax_error(std::string_view expected) {
    builder_.fault(token_.place,
                   fmt::format("{} was expected, but here is {}", expected, name_of(token_)));
    while (token_.kind != Token::Kind::end) {
        const bool resume = token_.is('}') || token_.is(';');
        advance();
        if (resume) break;
    }
}

ParsedScene Parser::run() {
    while (token_.kind != Token::Kind::end) {
        builder_.begin(token_.kind == Token::Kind::name ? token_.text : "", token_.place);
        if (token_.kind == Token::Kind::name)
            declaration();
        else {
            syntax_error("a declaration");
            ++result_.stray;
            keep_report();
        }
    }
    finish_postponed();
    result_.scene = std::move(builder_.scene());
    return std::move(result_);
}

void Parser::reject() {
    ++result_.rejected;
    keep_report();
}

void Parser::keep_report() {
    if (result_.diagnostics.size() < settings_.max_diagnostics)
        result_.diagnostics.push_back(builder_.take_report());
}

void Parser::declaration() {
    const auto found = table_.find(token_.text);
    const Entry* entry = found == table_.end() ? nullptr : &*found;
    if (!entry)
        builder_.fault(fmt::format("no such declaration; there are {}", names_in(table_)));
    else if (settings_.strict && entry->second.extension)
        builder_.fault(
            fmt::format("'{}' is an extension: the original language has none", entry->first));
    advance();

    std::optional<Arguments> arguments;
    if (entry) arguments.emplace(entry->second);
    if (!parameter_list(entry, arguments ? &*arguments : nullptr) || !entry) return reject();
    check_present(entry->second, *arguments);
    if (!entry->second.refers) return finish(*entry, *arguments);
    if (postponed_.size() < settings_.max_springs) {
        postponed_.push_back({entry, std::move(*arguments), builder_.take_report()});
    } else {
        builder_.fault(fmt::format("the scene is full: it has {} springs and joints already",
                                   settings_.max_springs));
        reject();
    }
}

bool Parser::parameter_list(const Entry* entry, Arguments* arguments) {
    if (token_.is(';')) {
        advance();
        return true;
    }
    if (!token_.is('{')) {
        syntax_error("'{' or ';'");
        return false;
    }
    advance();
    while (!token_.is('}'))
        if (!parameter(entry, arguments)) return false;
    advance();
    return true;
}

bool Parser::parameter(const Entry* entry, Arguments* arguments) {
    const Token name = token_;
    if (name.kind != Token::Kind::name) {
        syntax_error("a parameter or '}'");
        return false;
    }
    advance();
    if (token_.is(':')) advance();
    Value given;
    bool usable = true;
    if (!value(name.text, given, usable)) return false;
    if (entry) accept_value(*entry, *arguments, name, given, usable);
    return true;
}

/// A word is the value of the parameter before it, unless it is followed by a value of its own:
/// in "radius mass 1" the radius lacks a value, and the mass has one.
bool Parser::word_is_value() const {
    return token_.kind == Token::Kind::name && ahead_.kind != Token::Kind::number &&
           ahead_.kind != Token::Kind::string && !ahead_.is('-') && !ahead_.is(':');
}

bool Parser::value(std::string_view parameter, Value& value, bool& usable) {
    value.place = token_.place;
    if (token_.kind == Token::Kind::string || word_is_value()) {
        value.kind = Value::Kind::text;
        value.text = token_.text;
        advance();
        return true;
    }
    std::size_t components = 0;
    for (;; advance()) {
        bool negative = false;
        for (; token_.is('-'); advance()) negative = !negative;
        if (token_.kind != Token::Kind::number) {
            syntax_error(fmt::format("a value for '{}'", readable(parameter)));
            return false;
        }
        const float component = number(parameter, negative, usable);
        if (components < 3) value.numbers[int(components)] = component;
        ++components;
        advance();
        if (!token_.is(',')) break;
    }
    value.kind = components == 1 ? Value::Kind::scalar : Value::Kind::vector;
    if (components != 1 && components != 3) {
        builder_.fault(value.place, fmt::format("'{}' has {} components; a value has one or three",
                                                readable(parameter), components));
        usable = false;
    }
    return true;
}

float Parser::number(std::string_view parameter, bool negative, bool& usable) {
    std::string_view text = token_.text;
    if (text.front() == '+') text.remove_prefix(1);
    const auto refuse = [&](std::string_view why) {
        builder_.fault(token_.place, fmt::format("'{}' is {}{}; {}", readable(parameter),
                                                 negative ? "-" : "", readable(text), why));
        usable = false;
        return 0.0f;
    };
    const std::size_t exponent = text.find_first_of("eE");
    if (settings_.strict && exponent != std::string_view::npos)
        return refuse("exponents are an extension: the original language has none");
    float number = 0;
    const auto outcome = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool meant_zero =
        text.substr(0, exponent).find_first_of("123456789") == std::string_view::npos;
    if (meant_zero) return 0;
    if (outcome.ec != std::errc() || !std::isfinite(number) || number == 0)
        return refuse("that does not fit a 32-bit floating point number");
    return negative ? -number : number;
}

/// An unusable value has been reported; it still counts as given.
void Parser::accept_value(const Entry& entry, Arguments& arguments, const Token& name,
                          const Value& value, bool usable) {
    const Declaration& declaration = entry.second;
    const std::size_t row = declaration.find(name.text);
    if (row == declaration.parameters.size())
        return builder_.fault(
            name.place, fmt::format("'{}'{} is not a parameter of {}; there are {}",
                                    readable(name.text), usable ? " (" + to_text(value) + ")" : "",
                                    entry.first, names_in(declaration.parameters)));
    const Parameter& parameter = declaration.parameters[row];
    if (settings_.strict && parameter.extension)
        builder_.fault(
            name.place,
            fmt::format("'{}' is an extension: the original language has none", parameter.name));
    const Value* first = arguments.first(row);
    if (first && !parameter.repeated)
        builder_.fault(name.place,
                       fmt::format("'{}' is given a second time; the first is at {}:{}",
                                   parameter.name, first->place.line, first->place.column));
    else
        arguments.add(row, value);
    if (!usable) return;
    if (value.kind != parameter.kind)
        builder_.fault(value.place, fmt::format("'{}' is {}; it must be {}", parameter.name,
                                                to_text(value), name_of(parameter.kind)));
    else if (!parameter.constraint.holds(value))
        builder_.fault(value.place, fmt::format("'{}' is {}; it must {}", parameter.name,
                                                to_text(value), parameter.constraint.words));
}

void Parser::check_present(const Declaration& declaration, const Arguments& arguments) {
    for (std::size_t row = 0; row < declaration.parameters.size(); ++row)
        if (declaration.parameters[row].need == Parameter::Need::required && !arguments.first(row))
            builder_.fault(fmt::format("'{}' is missing", declaration.parameters[row].name));
}

void Parser::finish(const Entry& entry, const Arguments& arguments) {
    const Declaration& declaration = entry.second;
    if (const auto first = accepted_once_.find(&entry); first != accepted_once_.end())
        builder_.fault(fmt::format("a scene has only one; there is one at {}:{} already",
                                   first->second.line, first->second.column));
    if (declaration.check) declaration.check(arguments, builder_);
    if (builder_.faultless()) declaration.build(arguments, builder_);
    if (!builder_.faultless()) return reject();
    ++result_.accepted;
    if (declaration.once) accepted_once_.emplace(&entry, builder_.place());
}

void Parser::finish_postponed() {
    for (Postponed& postponed : postponed_) {
        builder_.resume(std::move(postponed.report));
        finish(*postponed.entry, postponed.arguments);
    }
    std::stable_sort(result_.diagnostics.begin(), result_.diagnostics.end(),
                     [](const auto& a, const auto& b) { return a.place < b.place; });
}

} // namespace

ParsedScene parse_scene(std::string_view text, const ParseSettings& settings,
                        const DeclarationTable& table) {
    ParsedScene parsed = Parser(text, settings, table).run();
    parsed.file = "scene";
    return parsed;
}

std::string summary(const ParsedScene& parsed) {
    std::string text =
        fmt::format("{}: {} declaration{} accepted, {} rejected", parsed.file, parsed.accepted,
                    parsed.accepted == 1 ? "" : "s", parsed.rejected);
    if (parsed.stray > 0)
        fmt::format_to(std::back_inserter(text), ", {} syntax error{} between declarations",
                       parsed.stray, parsed.stray == 1 ? "" : "s");
    return text;
}

std::string describe(const ParsedScene& parsed) {
    std::string text;
    for (const Diagnostic& diagnostic : parsed.diagnostics)
        text += describe(diagnostic, parsed.file) + '\n';
    if (const std::size_t kept = parsed.diagnostics.size(); kept < parsed.reports())
        fmt::format_to(std::back_inserter(text), "... and {} more\n", parsed.reports() - kept);
    return text + summary(parsed) + '\n';
}

} // namespace fovea
