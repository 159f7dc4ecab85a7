#include "fovea/scene/bounded_files.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace fovea {

namespace {

/// Read-only stream over bytes, which it owns if they came from disk.
class MemoryStream final : public Assimp::IOStream {
  public:
    explicit MemoryStream(std::span<const std::byte> bytes)
        : bytes_(bytes) {}
    explicit MemoryStream(std::vector<std::byte> owned)
        : owned_(std::move(owned))
        , bytes_(owned_) {}

    std::size_t Read(void* to, std::size_t size, std::size_t count) override {
        if (size == 0) return 0;
        const std::size_t whole = std::min(count, (bytes_.size() - at_) / size);
        if (whole > 0) std::memcpy(to, bytes_.data() + at_, whole * size);
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        // Offsets from the end count backwards, as assimp's own memory stream has it.
        const std::size_t base = origin == aiOrigin_CUR ? at_ : 0;
        if (offset > bytes_.size() - base) return aiReturn_FAILURE;
        at_ = origin == aiOrigin_END ? bytes_.size() - offset : base + offset;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return at_; }
    std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

  private:
    std::vector<std::byte> owned_;
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

} // namespace

Result<std::vector<std::byte>> read_regular_file(const std::filesystem::path& path,
                                                 std::size_t max_bytes) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) return failure("no such file");
    if (error) return failure(error.message());
    if (!std::filesystem::is_regular_file(status)) return failure("not a regular file");
    const auto size = std::filesystem::file_size(path, error);
    if (error) return failure(error.message());
    if (size > max_bytes)
        return failure(fmt::format("has {} bytes, more than the {} allowed", size, max_bytes));
    std::ifstream stream(path, std::ios::binary);
    std::vector<std::byte> bytes(size);
    if (!stream || !stream.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(size)))
        return failure("cannot be read");
    return bytes;
}

bool BoundedFiles::Exists(const char* name) const {
    std::error_code error;
    return name == name_ || (disk_ && std::filesystem::is_regular_file(name, error));
}

Assimp::IOStream* BoundedFiles::Open(const char* name, const char* mode) {
    if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos) return nullptr;
    if (name == name_) return new MemoryStream(bytes_);
    if (!disk_) return nullptr;
    auto bytes = read_regular_file(name, allowance_);
    if (!bytes) return nullptr;
    allowance_ -= bytes->size();
    return new MemoryStream(std::move(*bytes));
}

} // namespace fovea
