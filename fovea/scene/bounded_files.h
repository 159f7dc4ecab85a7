// The files that a mesh importer may see: one in memory and, if allowed, regular files on disk,
// all together no larger than a limit. A mesh file can refer to any other, so without this it
// could make the importer read a device for ever.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>

#include "fovea/base/result.h"

namespace fovea {

/// The whole of a regular file of at most `max_bytes`.
Result<std::vector<std::byte>> read_regular_file(const std::filesystem::path& path,
                                                 std::size_t max_bytes);

/// The base class is assimp's plug for file access.
class BoundedFiles final : public Assimp::IOSystem {
  public:
    /// `bytes` appear as the file `name` and must outlive this.
    BoundedFiles(std::string name, std::span<const std::byte> bytes, bool disk,
                 std::size_t max_bytes)
        : name_(std::move(name))
        , bytes_(bytes)
        , disk_(disk)
        , allowance_(max_bytes) {}

    bool Exists(const char* name) const override;
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* name, const char* mode) override;
    void Close(Assimp::IOStream* stream) override { delete stream; }

  private:
    std::string name_;
    std::span<const std::byte> bytes_;
    bool disk_;
    std::size_t allowance_; ///< bytes that further files may still have
};

} // namespace fovea
