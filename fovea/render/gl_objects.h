// OpenGL objects that delete themselves, and programs built from shader text.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include <epoxy/gl.h>

#include "fovea/base/result.h"
#include "fovea/render/mat4.h"

namespace fovea {

/// Sole owner of one OpenGL object. The context that made it must be current when it goes.
template <void (*Delete)(GLuint)>
class GlObject {
  public:
    GlObject() = default;
    explicit GlObject(GLuint name)
        : name_(name) {}
    GlObject(GlObject&& other) noexcept
        : name_(std::exchange(other.name_, 0)) {}
    GlObject& operator=(GlObject&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    ~GlObject() {
        if (name_) Delete(name_);
    }
    GLuint name() const { return name_; }

  private:
    GLuint name_ = 0;
};

inline void delete_buffer(GLuint name) {
    glDeleteBuffers(1, &name);
}
inline void delete_vertex_array(GLuint name) {
    glDeleteVertexArrays(1, &name);
}
inline void delete_texture(GLuint name) {
    glDeleteTextures(1, &name);
}
inline void delete_framebuffer(GLuint name) {
    glDeleteFramebuffers(1, &name);
}
inline void delete_program(GLuint name) {
    glDeleteProgram(name);
}
inline void delete_shader(GLuint name) {
    glDeleteShader(name);
}

using GlBuffer = GlObject<delete_buffer>;
using GlVertexArray = GlObject<delete_vertex_array>;
using GlTexture = GlObject<delete_texture>;
using GlFramebuffer = GlObject<delete_framebuffer>;
using GlProgram = GlObject<delete_program>;
using GlShader = GlObject<delete_shader>;

GlBuffer make_buffer();
GlVertexArray make_vertex_array();
GlTexture make_texture();
GlFramebuffer make_framebuffer();

/// A program from the parts of its vertex and of its fragment shader, which are put together in
/// order after the version line. Fails with the compiler's words, under the given name.
Result<GlProgram> make_program(std::string_view name,
                               std::initializer_list<std::string_view> vertex_parts,
                               std::initializer_list<std::string_view> fragment_parts);

/// Sets uniforms of the program in use.
void set_uniform(const GlProgram& program, const char* uniform, int value);
void set_uniform(const GlProgram& program, const char* uniform, float value);
void set_uniform(const GlProgram& program, const char* uniform, const Vec3& value);
void set_uniform(const GlProgram& program, const char* uniform, const Mat4& value);

/// Binds `texture` to the numbered unit and points the sampler of the program in use there.
void set_texture(const GlProgram& program, const char* sampler, int unit, GLenum target,
                 const GlTexture& texture);

} // namespace fovea
