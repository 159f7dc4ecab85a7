#include "output_file.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace fovea::app {

namespace fs = std::filesystem;

namespace {

tl::unexpected<Error> cannot_write(const fs::path& path, const char* why) {
    return failure(fmt::format("cannot write {}: {}", path.string(), why));
}

} // namespace

Result<OutputFile> OutputFile::create(const fs::path& name) {
    const fs::path path = name == "-" ? "/dev/stdout" : name;
    OutputFile output;
    output.path_ = path;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return cannot_write(path, "it is a directory");
    const fs::file_status status = fs::symlink_status(path, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) {
        output.temporary_ = path;
        output.temporary_ += ".partial";
    }
    const fs::path& opened = output.temporary_.empty() ? path : output.temporary_;
    output.file_.reset(std::fopen(opened.c_str(), "wb"));
    if (!output.file_) {
        output.temporary_.clear();
        return cannot_write(path, std::strerror(errno));
    }
    return output;
}

OutputFile::~OutputFile() {
    if (!file_ || temporary_.empty()) return;
    file_.reset();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file_.get());
}

Result<void> OutputFile::flush() {
    if (std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0) return {};
    return cannot_write(path_, std::strerror(errno));
}

Result<void> OutputFile::finish() {
    if (auto flushed = flush(); !flushed) return flushed;
    if (temporary_.empty()) return {};
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) return cannot_write(path_, error.message().c_str());
    temporary_.clear();
    return {};
}

fs::path named_twice(std::span<const fs::path> paths) {
    std::error_code ignored;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (paths[i].empty() || paths[i] == "-" || fs::is_character_file(paths[i], ignored))
            continue;
        for (std::size_t j = 0; j < i; ++j)
            if (fs::equivalent(paths[i], paths[j], ignored) ||
                fs::weakly_canonical(paths[i], ignored) == fs::weakly_canonical(paths[j], ignored))
                return paths[i];
    }
    return {};
}

Result<void> write_file(const fs::path& path, std::string_view text) {
    auto file = OutputFile::create(path);
    if (!file) return tl::unexpected(file.error());
    file->write(text);
    return file->finish();
}

} // namespace fovea::app
