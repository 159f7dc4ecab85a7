// Values to bytes and back. One list of a type's fields serves both directions:
//
//   template <class Bytes>
//   void fields(Bytes& bytes, Spring& spring) { bytes(spring.a, spring.b, spring.stiffness); }
//
//   ByteWriter writer;   writer(spring);           little-endian, without padding
//   ByteReader reader(bytes);  reader(spring);     checks what it can: see fail()
//
// What comes from outside may be anything: the reader refuses lengths beyond the end, numbers that
// are none and choices that do not exist. The rest is up to whoever reads.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "fovea/base/ids.h"
#include "fovea/base/transform.h"

namespace fovea {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
  public:
    static constexpr bool k_reads = false;

    std::vector<std::byte> bytes;

    template <class... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }
    /// An enumeration with values 0 to count - 1.
    template <class Enum>
    void choice(const Enum& value, std::uint32_t) {
        put(std::uint32_t(value));
    }
    /// Bytes as they are, without their number.
    void append(std::span<const std::byte> more) {
        bytes.insert(bytes.end(), more.begin(), more.end());
    }

  private:
    template <class T>
    void put(const T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            put(std::uint8_t(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            append(std::as_bytes(std::span(&value, 1)));
        } else {
            fields(*this, const_cast<T&>(value)); // which only reads it here
        }
    }
};

class ByteReader {
  public:
    static constexpr bool k_reads = true;

    explicit ByteReader(std::span<const std::byte> bytes)
        : left_(bytes) {}

    template <class... Values>
    void operator()(Values&... values) {
        (get(values), ...);
    }
    template <class Enum>
    void choice(Enum& value, std::uint32_t count) {
        std::uint32_t number = 0;
        get(number);
        if (number >= count) return fail();
        value = Enum(number);
    }

    /// From here on nothing more is read: all values keep what they have.
    void fail() {
        ok_ = false;
        left_ = {};
    }
    bool ok() const { return ok_; }
    bool at_end() const { return ok_ && left_.empty(); }
    std::size_t left() const { return left_.size(); }
    /// The next `count` bytes as they are.
    std::span<const std::byte> take(std::size_t count) {
        if (count > left_.size()) return fail(), std::span<const std::byte>();
        const auto taken = left_.first(count);
        left_ = left_.subspan(count);
        return taken;
    }

  private:
    template <class T>
    void get(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t flag = 0;
            get(flag);
            if (flag > 1) return fail();
            value = flag != 0;
        } else if constexpr (std::is_arithmetic_v<T>) {
            const auto taken = take(sizeof(T));
            if (taken.empty()) return;
            T read;
            std::memcpy(&read, taken.data(), sizeof(T));
            if constexpr (std::is_floating_point_v<T>)
                if (std::isnan(read)) return fail();
            value = read;
        } else {
            fields(*this, value);
        }
    }

    std::span<const std::byte> left_;
    bool ok_ = true;
};

template <class Bytes, class T>
void fields(Bytes& bytes, std::vector<T>& values) {
    std::uint64_t count = values.size();
    bytes(count);
    if constexpr (Bytes::k_reads) {
        // Every element takes a byte at least, so a wrong number cannot ask for much memory.
        if (count > bytes.left()) return bytes.fail();
        values.resize(count);
    }
    for (T& value : values) bytes(value);
}

template <class Bytes>
void fields(Bytes& bytes, Vec3& v) {
    bytes(v.x, v.y, v.z);
}
template <class Bytes>
void fields(Bytes& bytes, Quat& q) {
    bytes(q.w, q.x, q.y, q.z);
}
template <class Bytes>
void fields(Bytes& bytes, Mat3& m) {
    bytes(m.x, m.y, m.z);
}
template <class Bytes>
void fields(Bytes& bytes, Transform& t) {
    bytes(t.position, t.orientation);
}
template <class Bytes, class Tag>
void fields(Bytes& bytes, Id<Tag>& id) {
    bytes(id.slot, id.generation);
}

} // namespace fovea
