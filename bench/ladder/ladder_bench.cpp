// Measures the descent of two ladders near contact, level by level and down to the triangles,
// beside FCL's collision of the meshes they came from, on the same poses in the same run.
//
//   fovea bench ladder [--meshes NAME,...] [--poses N] [--leaves N] [--bodies N] [--worlds N,...]
//                      [--steps N] [--json FILE]
//
// A pose is near contact if the second body, moved towards the first along a random line, is within
// a hundredth of the bodies' size of the place where the meshes first touch.
//
// The second part takes a crowd of these bodies, close enough to touch here and there, and brings
// all pairs whose roots overlap to one rung after the other: what a step would cost there. The
// third takes whole steps of worlds of such bodies.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "bench/command_line.h"
#include "bench/json_report.h"
#include "bench/ladder/mesh_peer.h"
#include "bench/ladder/world_steps.h"
#include "fovea/base/clock.h"
#include "fovea/base/random.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/contact/tree_contacts.h"
#include "fovea/geometry/procedural.h"

using namespace fovea;

namespace {

struct Body {
    std::string name;
    TriangleMesh mesh;
    Ladder ladder;
    std::uint32_t leaves = 0;
};

/// About 5,000 triangles and at most `leaves` leaf spheres.
Result<Body> make_body(const std::string& name, int leaves) {
    auto mesh = make_procedural(name, 4);
    if (!mesh) return failure(mesh.error().message);
    SphereTreeSettings settings;
    settings.method = SphereMethod::medial;
    settings.target_count = leaves;
    auto tree = SphereTree::build(*mesh, settings);
    if (!tree) return failure(tree.error().message);
    auto ladder = make_ladder(*tree, *mesh);
    if (!ladder) return failure(ladder.error().message);
    const std::uint32_t count = tree->level(tree->levels() - 1).count;
    return Body{name, std::move(*mesh), std::move(*ladder), count};
}

struct Pose {
    Transform a, b;
};

/// Without a peer the exact rung finds the place of first contact.
std::vector<Pose> poses_near_contact(int count, const std::function<bool(const Pose&)>& collides) {
    Random random(2026);
    std::vector<Pose> poses;
    while (int(poses.size()) < count) {
        const auto turn = [&] {
            return normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())));
        };
        Pose pose{{{}, turn()}, {{}, turn()}};
        const Vec3d direction = random.direction();
        const auto at = [&](double distance) {
            pose.b.position = Vec3(direction * distance);
            return pose;
        };
        double near = 0.2, far = 2.5;
        if (!collides(at(near))) continue;
        for (int i = 0; i < 24; ++i) {
            const double middle = 0.5 * (near + far);
            (collides(at(middle)) ? near : far) = middle;
        }
        poses.push_back(at(far + random.uniform(-0.01, 0.01)));
    }
    return poses;
}

struct Figures {
    std::string name;
    std::vector<double> microseconds; ///< by pose, by the clock
    double cpu_seconds = 0;           ///< of all
    std::size_t meets = 0;            ///< poses found to meet
    DescentCounters counters;

    double mean() const { return cpu_seconds * 1e6 / double(microseconds.size()); }
    double percentile(double part) const {
        std::vector<double> sorted = microseconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[std::min(sorted.size() - 1, std::size_t(part * double(sorted.size())))];
    }
    double ns_per_test() const {
        return counters.node_tests ? cpu_seconds * 1e9 / double(counters.node_tests) : 0;
    }
};

/// Runs a query over all poses: once to warm up, then timed.
Figures measure(const std::string& name, const std::vector<Pose>& poses,
                const std::function<bool(const Pose&)>& query, DescentScratch* scratch = nullptr) {
    Figures figures;
    figures.name = name;
    for (const Pose& pose : poses) query(pose);
    if (scratch) scratch->counters = {};
    const double before = process_cpu_seconds();
    for (const Pose& pose : poses) {
        Stopwatch watch;
        figures.meets += query(pose);
        figures.microseconds.push_back(watch.lap_ms() * 1e3);
    }
    figures.cpu_seconds = process_cpu_seconds() - before;
    if (scratch) figures.counters = scratch->counters;
    return figures;
}

class Runner {
  public:
    Runner(const Body& a, const Body& b, DescentSettings settings)
        : a_(a)
        , b_(b)
        , settings_(settings) {}

    DescentScratch scratch;
    std::uint64_t hits = 0;

    bool models_contacts = false;

    /// Down to the leaves, or to the triangles, and to contacts if asked for.
    bool operator()(const Pose& pose) {
        arena_.reset();
        WorkMeter work;
        PairDescent pair;
        LadderDescent descent({a_.ladder, pose.a}, {b_.ladder, pose.b}, settings_, scratch);
        descent.open(work, arena_, pair);
        descent.finish(work, arena_, pair);
        hits += pair.count;
        if (models_contacts) {
            PairManifolds manifolds;
            contacts_.model({a_.ladder, pose.a}, {b_.ladder, pose.b}, pair, {}, manifolds);
        }
        return pair.count > 0;
    }

  private:
    const Body &a_, &b_;
    DescentSettings settings_;
    Arena arena_;
    TreeContacts contacts_;
};

/// Pairs of a crowd, rung by rung.
nlohmann::json measure_crowd(const std::vector<Body>& kinds, int count) {
    Random random(7);
    struct Member {
        const Body& body;
        Transform at;
    };
    // A lattice with room for a body of a metre at nine tenths of its width, shaken.
    std::vector<Member> crowd;
    const int side = int(std::ceil(std::cbrt(double(count))));
    for (int i = 0; i < count; ++i) {
        const Vec3d cell(i % side, i / side % side, i / side / side);
        const Vec3d shaken = cell * 0.9 + random.direction() * random.uniform(0, 0.1);
        const Quat turn = normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())));
        crowd.push_back({kinds[random.below(std::uint32_t(kinds.size()))], {Vec3(shaken), turn}});
    }
    struct Pair {
        std::uint32_t a, b;
        PairDescent state;
    };
    std::vector<Pair> pairs;
    Arena arena;
    DescentScratch scratch;
    TreeContacts contacts;
    WorkMeter work;
    for (std::uint32_t a = 0; a < crowd.size(); ++a) {
        for (std::uint32_t b = a + 1; b < crowd.size(); ++b) {
            PairDescent state;
            LadderDescent({crowd[a].body.ladder, crowd[a].at}, {crowd[b].body.ladder, crowd[b].at},
                          {}, scratch)
                .open(work, arena, state);
            if (state.count > 0) pairs.push_back({a, b, {}});
        }
    }
    const auto for_pairs = [&](auto&& visit) {
        const double before = process_cpu_seconds();
        for (Pair& pair : pairs)
            visit(PlacedLadder{crowd[pair.a].body.ladder, crowd[pair.a].at},
                  PlacedLadder{crowd[pair.b].body.ladder, crowd[pair.b].at}, pair.state);
        return (process_cpu_seconds() - before) * 1e3;
    };
    fmt::print("\n{} bodies, {} pairs of roots that overlap; CPU ms, one thread, all pairs brought "
               "to a rung\n",
               count, pairs.size());
    fmt::print("  {:<6} {:>8} {:>10} {:>10} {:>10} {:>12} {:>10}\n", "rung", "pairs", "hits",
               "climb", "so far", "contacts", "node t.");
    nlohmann::json rows = nlohmann::json::array();
    double so_far = 0;
    // Twice: the first time warms up memory.
    for (const bool warm : {false, true}) {
        arena.reset();
        so_far = 0;
        scratch.counters = {};
        for (int rung = 0; rung < 12; ++rung) {
            const double climb =
                for_pairs([&](const PlacedLadder& a, const PlacedLadder& b, PairDescent& state) {
                    LadderDescent descent(a, b, {}, scratch);
                    if (rung == 0)
                        descent.open(work, arena, state);
                    else
                        descent.advance(work, arena, state);
                });
            const double model =
                for_pairs([&](const PlacedLadder& a, const PlacedLadder& b, PairDescent& state) {
                    PairManifolds manifolds;
                    contacts.model(a, b, state, {}, manifolds);
                });
            so_far += climb;
            std::uint64_t left = 0, hits = 0;
            bool finished = true, exact = false;
            for (const Pair& pair : pairs) {
                left += pair.state.count > 0;
                hits += pair.state.count;
                finished &= pair.state.finished;
                exact |= pair.state.exact;
            }
            if (warm) {
                fmt::print("  {:<6} {:>8} {:>10} {:>10.3f} {:>10.3f} {:>12.3f} {:>10}\n",
                           exact ? "exact" : std::to_string(rung), left, hits, climb, so_far, model,
                           scratch.counters.node_tests);
                rows.push_back({{"rung", rung},
                                {"exact", exact},
                                {"pairs", left},
                                {"hits", hits},
                                {"climb_ms", climb},
                                {"contacts_ms", model},
                                {"node_tests", scratch.counters.node_tests}});
            }
            if (finished) break;
        }
    }
    // The same once more, all the way to the leaves: nodes carried pair by pair, or turned body by
    // body, once a step.
    std::vector<TurnedNodes> nodes(crowd.size());
    std::vector<double> carried_ms, turned_ms;
    std::uint64_t carried_hits = 0, turned_hits = 0;
    const auto to_leaves = [&](const PlacedLadder& a, const PlacedLadder& b, PairDescent& state) {
        LadderDescent descent(a, b, {.exact = false}, scratch);
        descent.open(work, arena, state);
        descent.finish(work, arena, state);
        return state.count;
    };
    const auto moved = [&](auto&& run) {
        const std::uint64_t before = scratch.counters.transforms;
        run();
        return scratch.counters.transforms - before;
    };
    std::uint64_t carried_nodes = 0, turned_nodes = 0;
    for (int step = 0; step < 21; ++step) {
        arena.reset();
        carried_hits = turned_hits = 0;
        carried_nodes = moved([&] {
            carried_ms.push_back(
                for_pairs([&](auto&&... pair) { carried_hits += to_leaves(pair...); }));
        });
        arena.reset();
        turned_nodes = moved([&] {
            const double before = process_cpu_seconds();
            for (std::size_t i = 0; i < crowd.size(); ++i)
                nodes[i].place(crowd[i].body.ladder, crowd[i].at.orientation, false);
            for (Pair& pair : pairs) {
                const auto placed = [&](std::uint32_t i) {
                    return PlacedLadder{crowd[i].body.ladder, crowd[i].at, &nodes[i]};
                };
                turned_hits += to_leaves(placed(pair.a), placed(pair.b), pair.state);
            }
            turned_ms.push_back((process_cpu_seconds() - before) * 1e3);
        });
    }
    const auto median = [](std::vector<double>& values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    const double carried = median(carried_ms), turned = median(turned_ms);
    fmt::print("  to the leaves, median of 21: {:.3f} ms, {} nodes carried, {} hits; {:.3f} ms, {} "
               "nodes turned once a step, {} hits\n",
               carried, carried_nodes, carried_hits, turned, turned_nodes, turned_hits);
    return {{"bodies", count},
            {"pairs", pairs.size()},
            {"rungs", rows},
            {"carried_ms", carried},
            {"carried_nodes", carried_nodes},
            {"turned_ms", turned},
            {"turned_nodes", turned_nodes}};
}

nlohmann::json to_json(const Figures& f) {
    return {{"query", f.name},
            {"mean_us", f.mean()},
            {"p50_us", f.percentile(0.5)},
            {"p99_us", f.percentile(0.99)},
            {"max_us", f.percentile(1)},
            {"meets", f.meets},
            {"node_tests", f.counters.node_tests},
            {"triangle_tests", f.counters.triangle_tests},
            {"transforms", f.counters.transforms},
            {"ns_per_node_test", f.ns_per_test()}};
}

void print(const Figures& f, const Figures& base, std::size_t poses) {
    const double n = double(poses);
    fmt::print("  {:<28} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>7} {:>9.0f} {:>9.0f} {:>7.2f} "
               "{:>9.1f}\n",
               f.name, f.mean(), f.percentile(0.5), f.percentile(0.99), f.percentile(1), f.meets,
               double(f.counters.node_tests) / n, double(f.counters.triangle_tests) / n,
               f.ns_per_test(), base.mean() / f.mean());
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Descents of two ladders near contact, beside FCL's collision of their meshes");
    std::vector<std::string> meshes = {"torusknot", "lshape", "gear",     "spiky", "folded",
                                       "torus",     "jack",   "crescent", "bowl"};
    int count = 1000, leaves = 512, crowd = 250, steps = 300;
    std::vector<int> worlds = {50, 100, 250, 1000, 5000};
    std::string json_path;
    app.add_option("--meshes", meshes, "procedural meshes, each with itself")->delimiter(',');
    app.add_option("--poses", count, "poses for each")->check(CLI::PositiveNumber);
    app.add_option("--leaves", leaves, "leaf spheres at most")->check(CLI::Range(8, 32768));
    app.add_option("--bodies", crowd, "in the crowd; 0: none")->check(CLI::Range(0, 100000));
    app.add_option("--worlds", worlds, "bodies of worlds whose steps are taken; 0: none")
        ->delimiter(',')
        ->check(CLI::Range(0, 100000));
    app.add_option("--steps", steps, "of each world")->check(CLI::PositiveNumber);
    app.add_option("--json", json_path, "write what is printed to this file");
    if (const auto code = bench::read_command_line(app, argc, argv)) return *code;

    nlohmann::json report = nlohmann::json::array();
    std::vector<Body> bodies;
    fmt::print("one thread; microseconds a query: mean of CPU time, percentiles by the clock\n");
    for (const std::string& name : meshes) {
        auto made = make_body(name, leaves);
        if (!made) {
            fmt::print(stderr, "{}: {}\n", argv[0], made.error().message);
            return 2; // no such mesh
        }
        bodies.push_back(std::move(*made));
        const Body& body = bodies.back();
        const auto fcl = make_fcl_peer(body.mesh, body.mesh);
        Runner leaf(body, body, {.exact = false});
        Runner together(body, body, {.policy = DescentPolicy::together, .exact = false});
        Runner exact(body, body, {});
        const auto poses = poses_near_contact(count, [&](const Pose& pose) {
            return fcl ? fcl->collides(pose.a, pose.b) : exact(pose);
        });
        leaf.hits = 0;
        std::vector<Figures> rows;
        if (fcl) {
            rows.push_back(measure("FCL OBBRSS, first contact", poses, [&](const Pose& pose) {
                return fcl->collides(pose.a, pose.b);
            }));
            rows.push_back(measure("FCL OBBRSS, all contacts", poses, [&](const Pose& pose) {
                return fcl->contacts(pose.a, pose.b) > 0;
            }));
        }
        const auto own = [&](const char* label, Runner& runner) {
            rows.push_back(measure(label, poses, std::ref(runner), &runner.scratch));
        };
        own("leaf spheres, staircase", leaf);
        own("leaf spheres, together", together);
        own("triangles, staircase", exact);
        leaf.models_contacts = exact.models_contacts = true;
        own("leaf spheres and contacts", leaf);
        own("triangles and contacts", exact);
        fmt::print(
            "\n{}: {} triangles, {} leaf spheres, {} KiB; {} poses; {:.0f} leaf hits a pose\n",
            name, body.mesh.triangles.size(), body.leaves, body.ladder.memory_bytes() / 1024,
            poses.size(), double(leaf.hits) / 4 / double(poses.size()));
        fmt::print("  {:<28} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7} {:>9}\n", "query",
                   "mean", "p50", "p99", "max", "meet", "node t.", "tri. t.", "ns/n.t.", "times");
        for (const Figures& f : rows) print(f, rows.front(), poses.size());
        nlohmann::json entry = {{"mesh", name},
                                {"triangles", body.mesh.triangles.size()},
                                {"leaves", body.leaves},
                                {"poses", poses.size()}};
        for (const Figures& f : rows) entry["queries"].push_back(to_json(f));
        report.push_back(entry);
    }
    if (crowd > 0) report.push_back(measure_crowd(bodies, crowd));
    std::erase(worlds, 0);
    if (!worlds.empty()) {
        const auto rows = measure_worlds(worlds, steps);
        if (!rows) {
            fmt::print(stderr, "{}: {}\n", argv[0], rows.error().message);
            return 3;
        }
        report.push_back({{"worlds", *rows}});
    }
    return bench::write_report(argv[0], json_path, report);
}
