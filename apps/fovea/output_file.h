// Output files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "fovea/base/result.h"

namespace fovea::app {

/// Writes beside the wanted file and takes its name only when finish() has succeeded, so a failed
/// run leaves neither a half-written file nor a spoilt older one. What is not a plain file (pipes,
/// devices, links such as /dev/stdout) must not be replaced and is written directly. "-" is the
/// standard output.
class OutputFile {
  public:
    static Result<OutputFile> create(const std::filesystem::path& name);
    ~OutputFile();
    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) noexcept = delete;

    /// A failure to write is remembered and reported by flush() and finish().
    void write(std::string_view text);
    /// Passes on what was written, so that finish() is unlikely to fail: for outputs that are to
    /// appear together.
    Result<void> flush();
    Result<void> finish();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    OutputFile() = default;

    std::filesystem::path path_;
    std::filesystem::path temporary_; ///< empty when writing directly
    std::unique_ptr<std::FILE, Close> file_;
};

/// Of paths, empty ones aside: the first that names the same plain file as one before it, be it
/// through links. Devices may be shared, and so may "-". Empty if there is none.
std::filesystem::path named_twice(std::span<const std::filesystem::path> paths);

/// Writes the whole of `text` to `path`.
Result<void> write_file(const std::filesystem::path& path, std::string_view text);

} // namespace fovea::app
