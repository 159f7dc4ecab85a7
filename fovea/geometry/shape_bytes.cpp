#include "fovea/geometry/shape_bytes.h"

#include <algorithm>
#include <array>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/hull_assembly.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

template <class Bytes>
void fields(Bytes& bytes, PolygonFace& face) {
    bytes(face.outline, face.normal, face.offset);
}
template <class Bytes>
void fields(Bytes& bytes, TriangleMesh::Triangle& triangle) {
    bytes(triangle[0], triangle[1], triangle[2]);
}

namespace {

template <class Bytes>
void fields_of(Bytes& bytes, Sphere& sphere) {
    bytes(sphere.radius);
}
template <class Bytes>
void fields_of(Bytes& bytes, HalfSpace& half_space) {
    bytes(half_space.normal, half_space.offset);
}
template <class Bytes>
void fields_of(Bytes& bytes, Box& box) {
    bytes(box.half_extents);
}
template <class Bytes>
void fields_of(Bytes& bytes, Cylinder& cylinder) {
    bytes(cylinder.radius, cylinder.half_height);
}
template <class Bytes>
void fields_of(Bytes& bytes, Capsule& capsule) {
    bytes(capsule.radius, capsule.half_height);
}
template <class Bytes>
void fields_of(Bytes& bytes, Cone& cone) {
    bytes(cone.radius, cone.half_height);
}

void fields_of(ByteWriter& bytes, Hull& hull) {
    std::vector<PolygonFace> faces;
    for (const ConvexHull::Face& face : hull.data->faces) {
        const auto first = hull.data->face_vertices.begin() + face.first;
        faces.push_back({{first, first + face.count}, face.normal, face.offset});
    }
    bytes(hull.data->vertices, faces);
}
/// Edges and lanes follow from the faces, as they did when the hull was made.
void fields_of(ByteReader& bytes, Hull& hull) {
    std::vector<Vec3> vertices;
    std::vector<PolygonFace> faces;
    bytes(vertices, faces);
    for (const PolygonFace& face : faces)
        for (const std::uint32_t vertex : face.outline)
            if (vertex >= vertices.size()) return bytes.fail();
    auto data = std::make_shared<ConvexHull>(assembled_hull(vertices, faces));
    if (!fits_together(*data)) return bytes.fail();
    hull.data = std::move(data);
}

template <class Bytes>
void mesh_fields(Bytes& bytes, std::shared_ptr<const TriangleMesh>& mesh) {
    if constexpr (Bytes::k_reads) {
        auto data = std::make_shared<TriangleMesh>();
        bytes(data->vertices, data->triangles);
        mesh = std::move(data);
    } else {
        bytes(mesh->vertices, mesh->triangles);
    }
}
template <class Bytes>
void fields_of(Bytes& bytes, MeshSurface& mesh) {
    mesh_fields(bytes, mesh.data);
}
/// The tree follows from the recipe.
template <class Bytes>
void fields_of(Bytes& bytes, SolidMesh& mesh) {
    mesh_fields(bytes, mesh.data);
    bytes.choice(mesh.spheres.method, k_sphere_methods);
    bytes(mesh.spheres.levels, mesh.spheres.branching);
}

template <class Bytes>
void fields_of(Bytes& bytes, DeformingMesh& mesh) {
    mesh_fields(bytes, mesh.data);
    bool morphs = mesh.targets != nullptr;
    bytes(morphs);
    if (!morphs) return;
    if constexpr (Bytes::k_reads) {
        auto targets = std::make_shared<MorphTargets>();
        bytes(targets->vertices);
        mesh.targets = std::move(targets);
    } else {
        bytes(mesh.targets->vertices);
    }
}

template <class Bytes>
void fields_of(Bytes& bytes, HeightSurface& surface) {
    if constexpr (Bytes::k_reads) {
        auto data = std::make_shared<HeightField>();
        bytes(data->columns, data->rows, data->spacing, data->heights);
        surface.data = std::move(data);
    } else {
        const HeightField& data = *surface.data;
        bytes(data.columns, data.rows, data.spacing, data.heights);
    }
}

void fields_of(ByteWriter& bytes, CompoundShape& compound) {
    bytes(std::uint64_t(compound.data->parts.size()));
    for (const Compound::Part& part : compound.data->parts) bytes(part.shape, part.placement);
}
void fields_of(ByteReader& bytes, CompoundShape& compound);

template <std::size_t Index>
void read_alternative(ByteReader& bytes, Shape& shape) {
    std::variant_alternative_t<Index, Shape> value{};
    fields_of(bytes, value);
    if (bytes.ok()) shape = std::move(value);
}

template <std::size_t... Indices>
void read_type(ByteReader& bytes, Shape& shape, ShapeType type, std::index_sequence<Indices...>) {
    ((type == ShapeType(Indices) ? read_alternative<Indices>(bytes, shape) : void()), ...);
}

void read_type(ByteReader& bytes, Shape& shape, ShapeType type) {
    read_type(bytes, shape, type, std::make_index_sequence<k_shape_types>());
}

void fields_of(ByteReader& bytes, CompoundShape& compound) {
    auto data = std::make_shared<Compound>();
    std::uint64_t count = 0;
    bytes(count);
    while (data->parts.size() < count && bytes.ok()) {
        Compound::Part& part = data->parts.emplace_back();
        ShapeType type = ShapeType::sphere;
        bytes.choice(type, k_shape_types);
        // Refused here already, or compounds could nest as deep as the stack.
        if (!is_convex_solid(type)) return bytes.fail();
        read_type(bytes, part.shape, type);
        bytes(part.placement);
    }
    compound.data = std::move(data);
}

} // namespace

void fields(ByteWriter& bytes, Shape& shape) {
    bytes.choice(type_of(shape), k_shape_types);
    std::visit([&](auto& alternative) { fields_of(bytes, alternative); }, shape);
}

void fields(ByteReader& bytes, Shape& shape) {
    ShapeType type = ShapeType::sphere;
    bytes.choice(type, k_shape_types);
    read_type(bytes, shape, type);
}

} // namespace fovea
