// The ladder experiment: two bodies meet, and every rung of their ladders says when, where and how
// they part again. How wrong is it?
//
//   fovea bench impacts [--cases N] [--meshes NAME,...] [--json FILE]
//
// The second body comes along a random line until a rung first reports a contact. The truth is a
// single contact at the nearest points of the two surfaces, found half a millimetre before they
// touch. For each rung:
//
//   gap       how far the bodies are from touching when it answers, along the line, m
//   normal    degrees between its normal and the truth's
//   velocity  |v - v_true| / approach speed, after the blow of the impulse response
//   spin      |w - w_true| times the bounding radius / approach speed, likewise
//
// Medians over all cases, of both bodies. Ends with 1 if any of the four rises from one rung to the
// next, or if a rung of nodes ever answers later than the triangles.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "bench/command_line.h"
#include "bench/json_report.h"
#include "fovea/base/random.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/contact/tree_contacts.h"
#include "fovea/dynamics/impulse.h"
#include "fovea/dynamics/integrate.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/triangle_distance.h"

using namespace fovea;

namespace {

constexpr int k_levels = 4;
/// The trees go down in turns, first the one that gains more by it: both have on every second rung.
/// After the leaves come triangles.
constexpr std::size_t k_count = 2 * k_levels;
constexpr const char* k_rung_names[k_count] = {
    "root, root",       "level 1, root",   "level 1, level 1", "level 2, level 1",
    "level 2, level 2", "leaves, level 2", "leaves, leaves",   "triangles"};
constexpr float k_elastic = 0.5f;
constexpr float k_speed = 3; ///< of approach, m/s

struct Body {
    TriangleMesh mesh;
    Ladder ladder;
    MassProperties mass;
};

Result<Body> make_body(const std::string& name) {
    auto mesh = make_procedural(name, 2);
    if (!mesh) return failure(mesh.error().message);
    SphereTreeSettings settings;
    settings.method = SphereMethod::medial;
    settings.levels = k_levels;
    auto tree = SphereTree::build(*mesh, settings);
    if (!tree) return failure(tree.error().message);
    auto ladder = make_ladder(*tree, *mesh);
    if (!ladder) return failure(ladder.error().message);
    const auto mass =
        mass_properties(MeshSurface{std::make_shared<const TriangleMesh>(*mesh)}, 1000);
    if (!mass) return failure(mass.error().message);
    return Body{std::move(*mesh), std::move(*ladder), *mass};
}

TriangleCorners corners(const TriangleMesh& mesh, std::uint32_t triangle, const Transform& at) {
    const auto& [i, j, k] = mesh.triangles[triangle];
    return {at * mesh.vertices[i], at * mesh.vertices[j], at * mesh.vertices[k]};
}

/// What became of both bodies.
struct Parting {
    std::array<Vec3, 2> velocity, spin;
};

/// Two bodies on a line.
class Meeting {
  public:
    Meeting(const Body& a, const Body& b, Random& random)
        : a_(a)
        , b_(b)
        , at_a_({}, turn(random))
        , line_(random.direction())
        , at_b_({}, turn(random)) {}

    /// Climbs to the rung; true if the pair is in contact there.
    bool touches(int rung, double distance, float margin = 0) {
        arena_.reset();
        at_b_.position = Vec3(line_ * distance);
        WorkMeter work;
        LadderDescent descent({a_.ladder, at_a_}, {b_.ladder, at_b_}, {.margin = margin}, scratch_);
        descent.open(work, arena_, pair_);
        while (pair_.rung < rung && !pair_.finished) descent.advance(work, arena_, pair_);
        return pair_.count > 0;
    }

    /// Where, coming from `from`, the rung first reports a contact; negative if never.
    double first_contact(int rung, double from) {
        constexpr double k_step = 0.02;
        double outside = from, inside = from;
        while (inside > 0.1 && !touches(rung, inside)) outside = inside, inside -= k_step;
        if (inside <= 0.1) return -1;
        for (int i = 0; i < 12; ++i) {
            const double middle = 0.5 * (outside + inside);
            (touches(rung, middle) ? inside : outside) = middle;
        }
        return inside;
    }

    /// The contact of the nearest points of the surfaces, within a hundredth of a metre; false if
    /// they are further apart, or cross.
    bool true_contact(double distance, Contact& contact) {
        constexpr int k_top = 100;
        if (!touches(k_top, distance, 0.01f)) return false;
        double least = 1;
        for (std::uint32_t i = 0; i < pair_.count; ++i) {
            const TriangleGap gap = triangle_gap(corners(a_.mesh, pair_.a[i], at_a_),
                                                 corners(b_.mesh, pair_.b[i], at_b_));
            if (gap.distance == 0) return false;
            if (gap.distance >= least) continue;
            least = gap.distance;
            const Vec3 normal((gap.on_b - gap.on_a) / gap.distance);
            contact = {0, 1, 0, Vec3(gap.on_a), Vec3(gap.on_b), normal, 0};
        }
        return least < 1;
    }

    /// The contacts of the rung that the last call of touches() reached.
    std::vector<Contact> contacts() {
        PairManifolds manifolds;
        model_.model({a_.ladder, at_a_}, {b_.ladder, at_b_}, pair_, {}, manifolds);
        std::vector<Contact> all;
        for (const Manifold& manifold : manifolds)
            for (int i = 0; i < manifold.count; ++i)
                all.push_back(world_contact(manifold, i, at_a_, 0, 1));
        return all;
    }

    /// The blow, both bodies coming on along the line without spin.
    Parting part(std::span<const Contact> contacts) const {
        Bodies bodies;
        const auto add = [&](std::uint32_t slot, const Body& body, const Transform& at, float way) {
            bodies.set(slot, {.pose = {at * body.mass.centre, at.orientation},
                              .velocity = Vec3(line_) * way,
                              .mass = body.mass.mass,
                              .inertia = body.mass.inertia,
                              .material = {.elastic = k_elastic}});
        };
        add(0, a_, at_a_, 0.5f * k_speed);
        add(1, b_, at_b_, -0.5f * k_speed);
        const Jobs jobs;
        refresh_inertia(bodies, jobs);
        ImpulseScratch scratch;
        respond_with_impulses(bodies, contacts, {}, scratch);
        return {{bodies.velocity[0], bodies.velocity[1]},
                {bodies.angular_velocity[0], bodies.angular_velocity[1]}};
    }

    const Vec3d& line() const { return line_; }

  private:
    static Quat turn(Random& random) {
        return normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())));
    }

    const Body &a_, &b_;
    Transform at_a_;
    Vec3d line_;
    Transform at_b_;
    PairDescent pair_;
    Arena arena_;
    DescentScratch scratch_;
    TreeContacts model_;
};

struct Errors {
    double gap, normal, velocity, spin;
};

double angle_between(const Vec3& a, const Vec3& b) {
    return std::acos(std::clamp(double(dot(a, b)), -1.0, 1.0)) * 180 / 3.14159265358979;
}

double deviation(const std::array<Vec3, 2>& found, const std::array<Vec3, 2>& wanted) {
    return 0.5 * double(length(found[0] - wanted[0]) + length(found[1] - wanted[1]));
}

/// False if the bodies miss each other or merely graze.
bool measure(Meeting& meeting, double radius, std::array<Errors, k_count>& errors) {
    constexpr double k_before = 0.0005, k_inside = 0.002;
    const double exact = meeting.first_contact(k_count - 1, 1.6);
    Contact truth;
    if (exact < 0 || !meeting.true_contact(exact + k_before, truth)) return false;
    // Bodies that graze close their gap slowly along the line: those are no impacts.
    if (dot(Vec3d(truth.normal), meeting.line()) < 0.3) return false;
    const Parting wanted = meeting.part({&truth, 1});
    double from = 3;
    for (std::size_t k = 0; k < k_count; ++k) {
        const bool top = k + 1 == k_count;
        const double found = top ? exact : meeting.first_contact(int(k), from);
        from = found + 0.02;
        // Just inside, as a step would find the pair.
        if (!meeting.touches(int(k), found - k_inside)) return false;
        const std::vector<Contact> contacts = meeting.contacts();
        if (contacts.empty()) return false;
        const Parting parting = meeting.part(contacts);
        errors[k] = {found - exact, angle_between(contacts[0].normal, truth.normal),
                     deviation(parting.velocity, wanted.velocity) / double(k_speed),
                     deviation(parting.spin, wanted.spin) * radius / double(k_speed)};
    }
    return true;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("The ladder experiment: how wrong each rung is about an impact");
    std::vector<std::string> meshes = {"lshape", "torusknot", "gear", "jack", "crescent"};
    int wanted = 2000;
    std::string json_path;
    app.add_option("--cases", wanted, "impacts")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--meshes", meshes, "procedural meshes")->delimiter(',')->capture_default_str();
    app.add_option("--json", json_path, "write all errors to this file");
    if (const auto code = bench::read_command_line(app, argc, argv)) return *code;

    std::vector<Body> bodies;
    for (const std::string& name : meshes) {
        auto made = make_body(name);
        if (!made) {
            fmt::print(stderr, "{}: {}\n", argv[0], made.error().message);
            return 2; // no such mesh
        }
        bodies.push_back(std::move(*made));
    }
    std::array<std::array<std::vector<double>, 4>, k_count> all;
    Random random(2026);
    const auto some = [&]() -> const Body& {
        return bodies[random.below(std::uint32_t(bodies.size()))];
    };
    for (int cases = 0; cases < wanted;) {
        const Body &a = some(), &b = some();
        Meeting meeting(a, b, random);
        std::array<Errors, k_count> errors;
        if (!measure(meeting, 0.5 * double(a.ladder.reach + b.ladder.reach), errors)) continue;
        ++cases;
        for (std::size_t k = 0; k < k_count; ++k) {
            const auto& [gap, normal, velocity, spin] = errors[k];
            all[k][0].push_back(gap);
            all[k][1].push_back(normal);
            all[k][2].push_back(velocity);
            all[k][3].push_back(spin);
        }
    }
    constexpr const char* k_names[4] = {"gap_m", "normal_degrees", "velocity", "spin"};
    fmt::print("{} impacts; medians\n\n| rung | nodes | gap, m | normal, degrees | velocity | spin "
               "|\n|---|---|---|---|---|---|\n",
               wanted);
    std::size_t late = 0;
    for (const auto& errors : all)
        late +=
            std::size_t(std::ranges::count_if(errors[0], [](double gap) { return gap < -1e-4; }));
    std::string rises;
    nlohmann::json report = nlohmann::json::array();
    for (std::size_t k = 0; k < k_count; ++k) {
        nlohmann::json entry = {{"rung", k}, {"nodes", k_rung_names[k]}};
        std::array<double, 4> medians;
        for (std::size_t i = 0; i < 4; ++i) {
            medians[i] = median(all[k][i]);
            entry[k_names[i]] = all[k][i];
            if (k > 0 && medians[i] >= median(all[k - 1][i]))
                rises += fmt::format(" {} at {}", k_names[i], k);
        }
        report.push_back(entry);
        fmt::print("| {} | {} | {:.4f} | {:.1f} | {:.3f} | {:.3f} |\n", k, k_rung_names[k],
                   medians[0], medians[1], medians[2], medians[3]);
    }
    fmt::print("\nrungs that are worse than the one before: {}; answers after the triangles': {}\n",
               rises.empty() ? "none" : rises.substr(1), late);
    if (const int failed = bench::write_report(argv[0], json_path, report)) return failed;
    return rises.empty() && late == 0 ? 0 : 1;
}
