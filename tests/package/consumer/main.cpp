// A project that knows Fovea only as an installed package.
#include <cstdio>

#include <fovea/scene/generate.h>
#include <fovea/scene/parse.h>
#include <fovea/scene/populate.h>
#include <fovea/world/world.h>

int main() {
    fovea::World world({.gravity = {0, -9.8f, 0}});
    const auto ball = world.add_shape(fovea::Sphere{0.5f});
    const auto body = world.add_body({.shape = *ball, .position = {0, 10, 0}, .mass = 1});
    for (int i = 0; i < 100; ++i) world.step(0.01f);
    std::printf("a ball fell to %.3f m\n", double(world.transform(*body).position.y));

    const auto text = fovea::generate_scene("pool", {});
    if (!text) return 1;
    const auto parsed = fovea::parse_scene(*text, {});
    auto populated = fovea::populate(parsed.scene, {});
    if (!populated) return 1;
    const auto report = populated->world.step(0.01f);
    std::printf("%u bodies, %llu pairs\n", populated->world.body_count(),
                static_cast<unsigned long long>(report.pairs));
    return world.transform(*body).position.y < 6 ? 0 : 1;
}
