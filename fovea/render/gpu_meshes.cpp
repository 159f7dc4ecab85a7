#include "fovea/render/gpu_meshes.h"

#include <cstddef>

namespace fovea {

namespace {

const void* offset_pointer(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes); // as the OpenGL interface wants offsets
}

struct Attribute {
    GLuint location;
    GLint components;
    std::size_t offset;
};

// Locations as in k_instance_placement.
constexpr Attribute k_vertex_attributes[] = {
    {0, 3, offsetof(ShadedVertex, position)},
    {1, 3, offsetof(ShadedVertex, normal)},
};
constexpr Attribute k_instance_attributes[] = {
    {2, 3, offsetof(Instance, position)},
    {3, 4, offsetof(Instance, orientation_vector)},
    {4, 3, offsetof(Instance, scale)},
    {5, 4, offsetof(Instance, colour)},
};

} // namespace

GpuMeshes::GpuMeshes(std::size_t family_count)
    : meshes_(family_count)
    , instances_(make_buffer()) {}

void GpuMeshes::upload(const InstanceList& list) {
    glBindBuffer(GL_ARRAY_BUFFER, instances_.name());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(list.instances.size() * sizeof(Instance)),
                 list.instances.data(), GL_STREAM_DRAW);
}

GpuMeshes::Mesh GpuMeshes::make_mesh(const ShadedMesh& shaded) const {
    Mesh mesh{make_vertex_array(), make_buffer(), make_buffer(), GLsizei(shaded.indices.size())};
    glBindVertexArray(mesh.layout.name());
    glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices.name());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(shaded.vertices.size() * sizeof(ShadedVertex)),
                 shaded.vertices.data(), GL_STATIC_DRAW);
    for (const Attribute& attribute : k_vertex_attributes) {
        glEnableVertexAttribArray(attribute.location);
        glVertexAttribPointer(attribute.location, attribute.components, GL_FLOAT, GL_FALSE,
                              sizeof(ShadedVertex), offset_pointer(attribute.offset));
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices.name());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(shaded.indices.size() * sizeof(std::uint32_t)),
                 shaded.indices.data(), GL_STATIC_DRAW);
    for (const Attribute& attribute : k_instance_attributes) {
        glEnableVertexAttribArray(attribute.location);
        glVertexAttribDivisor(attribute.location, 1);
    }
    return mesh;
}

void GpuMeshes::draw(const DrawPlan& plan, const InstanceRun& run) {
    Mesh& mesh = meshes_[run.family][std::size_t(run.level)];
    if (!mesh.layout.name()) mesh = make_mesh(plan.families[run.family].mesh(run.level));
    glBindVertexArray(mesh.layout.name());
    // OpenGL 3.3 has no base instance, so the run's start goes into the attribute offsets.
    glBindBuffer(GL_ARRAY_BUFFER, instances_.name());
    for (const Attribute& attribute : k_instance_attributes)
        glVertexAttribPointer(attribute.location, attribute.components, GL_FLOAT, GL_FALSE,
                              sizeof(Instance),
                              offset_pointer(run.first * sizeof(Instance) + attribute.offset));
    glDrawElementsInstanced(GL_TRIANGLES, mesh.index_count, GL_UNSIGNED_INT, nullptr,
                            GLsizei(run.count));
}

} // namespace fovea
