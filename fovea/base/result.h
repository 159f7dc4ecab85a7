// Errors as values: what can fail returns a Result.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace fovea {

/// What went wrong, in words fit for a user: names the thing and the value at fault.
struct Error {
    std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string message) {
    return tl::unexpected<Error>(Error{std::move(message)});
}

} // namespace fovea
