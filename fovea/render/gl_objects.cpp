#include "fovea/render/gl_objects.h"

#include <string>
#include <vector>

namespace fovea {

namespace {

Result<GlShader> compile(std::string_view program, GLenum stage,
                         std::initializer_list<std::string_view> parts) {
    std::string text = "#version 330 core\n";
    for (const std::string_view part : parts) text += part;
    GlShader shader(glCreateShader(stage));
    const char* source = text.c_str();
    glShaderSource(shader.name(), 1, &source, nullptr);
    glCompileShader(shader.name());
    GLint compiled = 0;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
    if (compiled) return shader;
    GLint size = 0;
    glGetShaderiv(shader.name(), GL_INFO_LOG_LENGTH, &size);
    std::string log(std::size_t(size), '\0');
    glGetShaderInfoLog(shader.name(), size, nullptr, log.data());
    return failure("shader '" + std::string(program) + "' does not compile: " + log);
}

GLint location(const GlProgram& program, const char* uniform) {
    return glGetUniformLocation(program.name(), uniform);
}

template <class Object, class Generate>
Object generate(Generate generate_names) {
    GLuint name = 0;
    generate_names(1, &name);
    return Object(name);
}

} // namespace

GlBuffer make_buffer() {
    return generate<GlBuffer>(glGenBuffers);
}
GlVertexArray make_vertex_array() {
    return generate<GlVertexArray>(glGenVertexArrays);
}
GlTexture make_texture() {
    return generate<GlTexture>(glGenTextures);
}
GlFramebuffer make_framebuffer() {
    return generate<GlFramebuffer>(glGenFramebuffers);
}

Result<GlProgram> make_program(std::string_view name,
                               std::initializer_list<std::string_view> vertex_parts,
                               std::initializer_list<std::string_view> fragment_parts) {
    const Result<GlShader> vertex = compile(name, GL_VERTEX_SHADER, vertex_parts);
    if (!vertex) return tl::unexpected(vertex.error());
    const Result<GlShader> fragment = compile(name, GL_FRAGMENT_SHADER, fragment_parts);
    if (!fragment) return tl::unexpected(fragment.error());
    GlProgram program(glCreateProgram());
    glAttachShader(program.name(), vertex->name());
    glAttachShader(program.name(), fragment->name());
    glLinkProgram(program.name());
    GLint linked = 0;
    glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
    if (linked) return program;
    GLint size = 0;
    glGetProgramiv(program.name(), GL_INFO_LOG_LENGTH, &size);
    std::string log(std::size_t(size), '\0');
    glGetProgramInfoLog(program.name(), size, nullptr, log.data());
    return failure("shader '" + std::string(name) + "' does not link: " + log);
}

void set_uniform(const GlProgram& program, const char* uniform, int value) {
    glUniform1i(location(program, uniform), value);
}
void set_uniform(const GlProgram& program, const char* uniform, float value) {
    glUniform1f(location(program, uniform), value);
}
void set_uniform(const GlProgram& program, const char* uniform, const Vec3& value) {
    glUniform3f(location(program, uniform), value.x, value.y, value.z);
}
void set_uniform(const GlProgram& program, const char* uniform, const Mat4& value) {
    glUniformMatrix4fv(location(program, uniform), 1, GL_FALSE, value.m.data());
}

void set_texture(const GlProgram& program, const char* sampler, int unit, GLenum target,
                 const GlTexture& texture) {
    glActiveTexture(GL_TEXTURE0 + GLenum(unit));
    glBindTexture(target, texture.name());
    set_uniform(program, sampler, unit);
}

} // namespace fovea
