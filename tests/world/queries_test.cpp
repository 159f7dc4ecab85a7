// Queries of mixed worlds against a look at every part of every body, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "fovea/base/random.h"
#include "fovea/base/simd.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/ray_cast.h"
#include "fovea/geometry/shape_cast.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/world/world.h"
#include "tests/oracles/allocation_counter.h"

using namespace fovea;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_rounds = 2; ///< sanitizers are slow
#else
constexpr int k_rounds = 12;
#endif
constexpr std::size_t k_requests = 100; ///< per kind and round

Quat random_turn(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian() + 1e-3)));
}

Shape random_hull(Random& random) {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.emplace_back(random.direction() * 0.5);
    return Hull{std::make_shared<const ConvexHull>(make_convex_hull(points).value())};
}

Shape terrain(Random& random) {
    TriangleMesh mesh;
    constexpr std::uint32_t k_side = 17;
    for (std::uint32_t z = 0; z < k_side; ++z)
        for (std::uint32_t x = 0; x < k_side; ++x)
            mesh.vertices.emplace_back(float(x) - 8, float(random.uniform(-1, 1)), float(z) - 8);
    for (std::uint32_t z = 0; z + 1 < k_side; ++z)
        for (std::uint32_t x = 0; x + 1 < k_side; ++x) {
            const std::uint32_t at = z * k_side + x;
            mesh.triangles.push_back({at, at + k_side, at + k_side + 1});
            mesh.triangles.push_back({at, at + k_side + 1, at + 1});
        }
    return MeshSurface{std::make_shared<const TriangleMesh>(std::move(mesh))};
}

Shape hills(Random& random) {
    HeightField field{9, 10, 0.8f, {}};
    for (int i = 0; i < 90; ++i) field.heights.push_back(float(random.uniform(-0.5, 0.5)));
    return HeightSurface{std::make_shared<const HeightField>(std::move(field))};
}

/// A gas of all shapes above a terrain and hills, with two half-spaces.
struct Scene {
    World world;
    std::vector<Shape> shapes; ///< by shape number
    std::vector<ShapeId> ids;
    std::vector<BodyId> bodies;
    std::vector<std::size_t> shape_of; ///< of each body
    std::vector<CollisionFilter> filters;
    std::vector<bool> sensors;

    explicit Scene(std::uint64_t seed, int count = 300, int threads = 1)
        : world({.gravity = {}, .response = Response::impulse, .threads = threads}) {
        Random random(seed);
        Compound compound;
        const std::vector<Shape> solids{Sphere{0.4f},         Box{{0.5f, 0.3f, 0.2f}},
                                        Cylinder{0.3f, 0.4f}, Capsule{0.2f, 0.4f},
                                        Cone{0.4f, 0.4f},     random_hull(random)};
        for (const Shape& s : solids)
            compound.parts.push_back(
                {s, Transform(Vec3(random.direction() * 0.8), random_turn(random))});
        shapes = solids;
        shapes.push_back(CompoundShape{std::make_shared<const Compound>(std::move(compound))});
        const std::size_t movable = shapes.size();
        shapes.push_back(terrain(random));
        shapes.push_back(HalfSpace{{0, 1, 0}, -6});
        shapes.push_back(HalfSpace{Vec3(-0.6f, 0.8f, 0), -9});
        shapes.push_back(hills(random));
        for (const Shape& s : shapes) ids.push_back(*world.add_shape(s));
        for (std::size_t s = movable; s < shapes.size(); ++s)
            add(s, Transform(Vec3(0.1f, -2, 0.3f), s == movable ? random_turn(random) : Quat()), 0);
        for (int i = 0; i < count; ++i) add_random(random, movable);
    }

    void add_random(Random& random, std::size_t movable) {
        const std::size_t s = random.below(std::uint32_t(movable));
        add(s, Transform(Vec3(random.direction() * (8 * random.uniform())), random_turn(random)),
            random.below(8) ? 1.0f : 0.0f, Vec3(random.direction()), 1u << random.below(3));
    }

    void add(std::size_t shape, const Transform& at, float mass, const Vec3& velocity = {},
             std::uint32_t category = 1) {
        const CollisionFilter filter{category, category == 4 ? 2u : 0xffffffffu};
        const bool sensor = bodies.size() % 11 == 10;
        bodies.push_back(*world.add_body({.shape = ids[shape],
                                          .position = at.position,
                                          .orientation = at.orientation,
                                          .velocity = velocity,
                                          .angular_velocity = velocity,
                                          .mass = mass,
                                          .filter = filter,
                                          .sensor = sensor}));
        shape_of.push_back(shape);
        filters.push_back(filter);
        sensors.push_back(sensor);
    }

    void remove(std::size_t i) {
        REQUIRE(world.remove_body(bodies[i]));
        bodies.erase(bodies.begin() + std::ptrdiff_t(i));
        shape_of.erase(shape_of.begin() + std::ptrdiff_t(i));
        filters.erase(filters.begin() + std::ptrdiff_t(i));
        sensors.erase(sensors.begin() + std::ptrdiff_t(i));
    }
};

struct Found {
    float measure;
    std::uint32_t part;
    Vec3 point, normal;
};

/// The least measure, of equals the lower part.
struct Least {
    std::optional<Found> best;

    void offer(const Found& f) {
        if (!best || f.measure < best->measure ||
            (f.measure == best->measure && f.part < best->part))
            best = f;
    }
};

/// Calls `solid(part, shape, placement)` or `triangle(part, corners)` for every part.
template <class OnSolid, class OnTriangle>
void every_part(const Shape& shape, const Transform& at, OnSolid&& solid, OnTriangle&& triangle) {
    if (const auto* surface = std::get_if<MeshSurface>(&shape)) {
        for (std::uint32_t i = 0; i < surface->data->triangles.size(); ++i)
            triangle(i, corners(*surface->data, i));
    } else if (const auto* ground = std::get_if<HeightSurface>(&shape)) {
        const TriangleMesh mesh = to_mesh(*ground->data);
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) triangle(i, corners(mesh, i));
    } else if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
        for (std::uint32_t i = 0; i < compound->data->parts.size(); ++i)
            solid(i, compound->data->parts[i].shape, at * compound->data->parts[i].placement);
    } else {
        solid(0, shape, at);
    }
}

std::array<Vec3, 3> placed(std::array<Vec3, 3> t, const Transform& at) {
    for (Vec3& c : t) c = at * c;
    return t;
}

/// The way that a direction and a length stand for.
Vec3 way_of(const Vec3& direction, float length) {
    return Vec3(normalized_or(Vec3d(direction), Vec3d()) * double(length));
}

std::optional<Found> measure(const RayCast& r, const Scene&, const Shape& shape,
                             const Transform& at) {
    Least least;
    const Ray ray{r.origin, way_of(r.direction, r.length)};
    every_part(
        shape, at,
        [&](std::uint32_t i, const Shape& part, const Transform& there) {
            if (const auto h = cast_ray(ray, part, there))
                least.offer({h->fraction, i, h->point, h->normal});
        },
        [&](std::uint32_t i, const std::array<Vec3, 3>& t) {
            const LocalRay local = to_local(ray, at);
            if (const auto h = cast_ray(local, t)) {
                const RayHit w = to_world(ray, at, *h);
                least.offer({w.fraction, i, w.point, w.normal});
            }
        });
    return least.best;
}

std::optional<Found> measure_sweep(const Shape& mover, const Transform& start, const Vec3& way,
                                   const Shape& shape, const Transform& at) {
    Least least;
    every_part(
        mover, start,
        [&](std::uint32_t, const Shape& moving, const Transform& from) {
            const auto offer = [&](std::uint32_t i, const std::optional<ShapeCastHit>& h) {
                if (h) least.offer({h->fraction, i, h->point, h->normal});
            };
            every_part(
                shape, at,
                [&](std::uint32_t i, const Shape& part, const Transform& there) {
                    offer(i, cast_shape(moving, from, way, part, there));
                },
                [&](std::uint32_t i, const std::array<Vec3, 3>& t) {
                    offer(i, cast_shape(moving, from, way, placed(t, at)));
                });
        },
        [](auto...) {});
    return least.best;
}

std::optional<Found> measure(const SphereCast& r, const Scene&, const Shape& shape,
                             const Transform& at) {
    return measure_sweep(Sphere{r.radius}, Transform(r.centre), way_of(r.direction, r.length),
                         shape, at);
}

std::optional<Found> measure(const ShapeCast& r, const Scene& scene, const Shape& shape,
                             const Transform& at) {
    return measure_sweep(scene.shapes[r.shape.slot],
                         {r.start.position, normalized(r.start.orientation)},
                         way_of(r.direction, r.length), shape, at);
}

std::optional<Found> measure(const ShapeOverlap& r, const Scene& scene, const Shape& shape,
                             const Transform& at) {
    Least least;
    every_part(
        scene.shapes[r.shape.slot], {r.at.position, normalized(r.at.orientation)},
        [&](std::uint32_t, const Shape& probe, const Transform& from) {
            const auto offer = [&](std::uint32_t i, const Proximity& p) {
                if (p.separation < 0) least.offer({p.separation, i, p.point_b, -p.normal});
            };
            every_part(
                shape, at,
                [&](std::uint32_t i, const Shape& part, const Transform& there) {
                    offer(i, proximity(probe, from, part, there));
                },
                [&](std::uint32_t i, const std::array<Vec3, 3>& t) {
                    offer(i, proximity(probe, from, placed(t, at)));
                });
        },
        [](auto...) {});
    return least.best;
}

std::optional<Found> measure(const ClosestPoint& r, const Scene&, const Shape& shape,
                             const Transform& at) {
    Least least;
    const auto offer = [&](std::uint32_t i, const Proximity& p) {
        if (p.separation <= r.distance) least.offer({p.separation, i, p.point_b, -p.normal});
    };
    every_part(
        shape, at,
        [&](std::uint32_t i, const Shape& part, const Transform& there) {
            offer(i, proximity(Sphere{0}, Transform(r.point), part, there));
        },
        [&](std::uint32_t i, const std::array<Vec3, 3>& t) {
            offer(i, proximity(Sphere{0}, Transform(r.point), placed(t, at)));
        });
    return least.best;
}

template <class Request>
float scale_of(const Request& r) {
    if constexpr (requires { r.length; })
        return r.length;
    else
        return 1;
}

/// The answer from a look at every body, in the order that Find::all promises.
template <class Request>
std::vector<QueryHit> look_everywhere(const Scene& scene, const Request& r) {
    struct Entry {
        Found found;
        BodyId body;
    };
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (!(r.filter.collision.mask & scene.filters[i].categories)) continue;
        if (!(r.filter.collision.categories & scene.filters[i].mask)) continue;
        if (scene.sensors[i] && !r.filter.sensors) continue;
        if (r.filter.ignore == scene.bodies[i]) continue;
        if (r.filter.accept && !r.filter.accept(scene.bodies[i])) continue;
        const auto found = measure(r, scene, scene.shapes[scene.shape_of[i]],
                                   scene.world.transform(scene.bodies[i]));
        if (found) entries.push_back({*found, scene.bodies[i]});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.found.measure != b.found.measure ? a.found.measure < b.found.measure
                                                  : a.body.slot < b.body.slot;
    });
    std::vector<QueryHit> hits;
    for (const Entry& e : entries) {
        hits.push_back({e.body, e.found.part, e.found.measure * scale_of(r), e.found.point,
                        e.found.normal, false});
    }
    return hits;
}

bool same_place(const QueryHit& a, const QueryHit& b) {
    return a.body == b.body && a.part == b.part && a.distance == b.distance && a.point == b.point &&
           a.normal == b.normal;
}

template <class Request>
Request random_request(const Scene& scene, Random& random) {
    Request r;
    const auto place = [&] { return Vec3(random.direction() * (12 * random.uniform())); };
    if constexpr (requires { r.direction; }) {
        r.direction = Vec3(random.direction() * random.uniform(0.1, 10));
        if (random.below(8) == 0) r.direction = {0, -1, 0};
        r.length = float(std::exp2(random.uniform(-1, 5)));
    }
    // From so far away that single precision hardly sees the bodies.
    const bool far = random.below(10) == 0;
    const ShapeId shape = scene.ids[random.below(7)];
    if constexpr (std::same_as<Request, RayCast>) {
        r.origin = place();
        if (far) {
            const Vec3 start(random.direction() * std::exp2(random.uniform(8, 22)));
            r.direction = r.origin - start, r.origin = start, r.length = 2 * length(start);
        }
    }
    if constexpr (std::same_as<Request, SphereCast>) {
        r.centre = place(), r.radius = float(random.uniform(0.05, 0.5));
        if (far) {
            const Vec3 start(random.direction() * std::exp2(random.uniform(6, 14)));
            r.direction = r.centre - start, r.centre = start, r.length = 2 * length(start);
        }
    }
    if constexpr (std::same_as<Request, ShapeCast>)
        r.shape = shape, r.start = {place(), random_turn(random)};
    if constexpr (std::same_as<Request, ShapeOverlap>)
        r.shape = shape, r.at = {place(), random_turn(random)};
    if constexpr (std::same_as<Request, ClosestPoint>)
        r.point = place(), r.distance = float(random.uniform(0, 4));
    const auto bodies = std::uint32_t(scene.bodies.size());
    switch (random.below(6)) {
    case 0:
        r.filter.collision.mask = random.below(8);
        break;
    case 1:
        r.filter.collision.categories = random.below(8);
        break;
    case 2:
        r.filter.ignore = scene.bodies[random.below(bodies)];
        break;
    case 3:
        r.filter.accept = [](BodyId body) { return body.slot % 3 != 0; };
        break;
    case 4:
        r.filter.sensors = true;
        break;
    default:
        break;
    }
    r.find = Find(random.below(3));
    return r;
}

template <class Request>
void check_requests(const Scene& scene, Random& random, std::size_t& hits_found) {
    const Queries queries = scene.world.queries();
    std::vector<Request> requests;
    for (std::size_t i = 0; i < k_requests; ++i)
        requests.push_back(random_request<Request>(scene, random));
    QueryResults batch;
    REQUIRE(queries.find(std::span<const Request>(requests), batch));
    REQUIRE(batch.size() == k_requests);
    std::vector<QueryHit> hits;
    for (std::size_t i = 0; i < k_requests; ++i) {
        CAPTURE(i);
        const Request& r = requests[i];
        const std::vector<QueryHit> wanted = look_everywhere(scene, r);
        REQUIRE(queries.find(r, hits));
        const auto first = queries.find(r);
        REQUIRE(first);
        hits_found += hits.size();
        if (r.find == Find::all) {
            REQUIRE(hits.size() == wanted.size());
            for (std::size_t k = 0; k < hits.size(); ++k) REQUIRE(same_place(hits[k], wanted[k]));
        } else {
            REQUIRE(hits.size() == (wanted.empty() ? 0 : 1));
            if (r.find == Find::closest && !wanted.empty()) REQUIRE(same_place(hits[0], wanted[0]));
            if (r.find == Find::any && !wanted.empty())
                REQUIRE(std::any_of(wanted.begin(), wanted.end(),
                                    [&](const QueryHit& w) { return same_place(w, hits[0]); }));
        }
        REQUIRE(first->has_value() == !wanted.empty());
        if (!wanted.empty()) REQUIRE(**first == hits[0]);
        REQUIRE(std::ranges::equal(batch.of(i), hits));
    }
}

void check_all(const Scene& scene, Random& random, std::size_t& hits) {
    check_requests<RayCast>(scene, random, hits);
    check_requests<SphereCast>(scene, random, hits);
    check_requests<ShapeCast>(scene, random, hits);
    check_requests<ShapeOverlap>(scene, random, hits);
    check_requests<ClosestPoint>(scene, random, hits);
}

} // namespace

TEST_CASE("queries find what a look at every body finds, alone and in batches") {
    Scene scene(1);
    Random random(2);
    std::size_t hits = 0;
    for (int round = 0; round < k_rounds; ++round) {
        CAPTURE(round);
        check_all(scene, random, hits);
        // Moved a little, so that the tree is refitted, or changed, so that it is built anew.
        for (int i = 0; i < 3; ++i) scene.world.step(0.05f);
        if (round % 4 == 1) scene.remove(3 + random.below(50));
        if (round % 4 == 2) scene.add_random(random, 7);
        if (round % 4 == 3)
            REQUIRE(scene.world.set_transform(
                scene.bodies[0], Transform(Vec3(0, float(-round), 0), random_turn(random))));
    }
    CHECK(hits > std::size_t(k_rounds) * k_requests);
}

TEST_CASE("queries give the same bits on every instruction set and for any number of threads") {
    std::vector<QueryHit> wanted;
    const auto run = [&](int threads) {
        Scene scene(3, 1000, threads);
        Random random(4);
        std::vector<QueryHit> hits;
        QueryResults results;
        for (int round = 0; round < 3; ++round) {
            scene.world.step(0.05f);
            const auto ask = [&]<class Request>(const Request&) {
                std::vector<Request> requests;
                for (int i = 0; i < 200; ++i)
                    requests.push_back(random_request<Request>(scene, random));
                REQUIRE(scene.world.queries().find(std::span<const Request>(requests), results));
                hits.insert(hits.end(), results.hits.begin(), results.hits.end());
            };
            ask(RayCast{}), ask(SphereCast{}), ask(ShapeCast{});
            ask(ShapeOverlap{}), ask(ClosestPoint{});
        }
        if (wanted.empty()) wanted = hits;
        CHECK(wanted.size() > 500);
        CHECK((hits == wanted));
    };
    for (const int threads : {1, 2, 3, 4}) run(threads);
    for (const SimdTarget& target : simd_targets()) {
        CAPTURE(target.name);
        use_simd_target(target);
        run(2);
    }
    use_best_simd_target();
}

TEST_CASE("no heap allocation in warmed-up queries") {
    Scene scene(5);
    Random random(6);
    const auto requests = [&]<class Request>(const Request&) {
        std::vector<Request> made;
        for (int i = 0; i < 64; ++i) made.push_back(random_request<Request>(scene, random));
        return made;
    };
    const auto rays = requests(RayCast{});
    const auto spheres = requests(SphereCast{});
    const auto sweeps = requests(ShapeCast{});
    const auto overlaps = requests(ShapeOverlap{});
    const auto points = requests(ClosestPoint{});
    std::vector<QueryHit> hits;
    QueryResults results[5];
    const auto ask = [&] {
        const long before = test::allocations();
        // Moving a body out of the way and back refits the tree.
        REQUIRE(scene.world.set_transform(scene.bodies[9], Transform({0, 50, 0})));
        REQUIRE(scene.world.queries().find(rays[0], hits));
        REQUIRE(scene.world.set_transform(scene.bodies[9], Transform({0, 1, 0})));
        const Queries queries = scene.world.queries();
        for (const RayCast& r : rays) REQUIRE(queries.find(r, hits));
        for (const ShapeCast& r : sweeps) REQUIRE(queries.find(r));
        REQUIRE(queries.find(std::span(rays), results[0]));
        REQUIRE(queries.find(std::span(spheres), results[1]));
        REQUIRE(queries.find(std::span(sweeps), results[2]));
        REQUIRE(queries.find(std::span(overlaps), results[3]));
        REQUIRE(queries.find(std::span(points), results[4]));
        return test::allocations() - before;
    };
    ask(), ask();
    CHECK(ask() == 0);
    CHECK(!results[0].hits.empty());
}
