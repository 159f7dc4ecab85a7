// The window, driven by real key presses on a virtual display: Xvfb is started for the test and
// xdotool sends the events. Where either program is missing the tests are skipped with a message.
#include <cstdlib>
#include <optional>
#include <string>

#include <csignal>
#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "close_window.h"
#include "drawing.h"
#include "fovea/render/viewer.h"

using namespace fovea;
using namespace fovea::test;

namespace {

const std::string k_title = "fovea viewer test";

bool installed(const char* program) {
    return std::system((std::string("command -v ") + program + " >/dev/null").c_str()) == 0;
}

/// Sets DISPLAY for the time of a test.
class DisplayVariable {
  public:
    explicit DisplayVariable(const std::string& value) {
        if (const char* old = std::getenv("DISPLAY")) old_ = old;
        setenv("DISPLAY", value.c_str(), 1);
    }
    ~DisplayVariable() {
        if (old_)
            setenv("DISPLAY", old_->c_str(), 1);
        else
            unsetenv("DISPLAY");
    }

  private:
    std::optional<std::string> old_;
};

/// An Xvfb process on a display number of its own choice.
class VirtualDisplay {
  public:
    VirtualDisplay() {
        int channel[2];
        REQUIRE(pipe(channel) == 0);
        process_ = fork();
        REQUIRE(process_ >= 0);
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM); // must not outlive a test that is killed
            const std::string descriptor = std::to_string(channel[1]);
            execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "800x600x24",
                   "-nolisten", "tcp", static_cast<char*>(nullptr));
            _exit(127);
        }
        close(channel[1]);
        char digit = 0;
        while (read(channel[0], &digit, 1) == 1 && digit != '\n') number_ += digit;
        close(channel[0]);
        REQUIRE(!number_.empty());
    }
    ~VirtualDisplay() {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    std::string name() const { return ":" + number_; }

  private:
    pid_t process_ = -1;
    std::string number_;
};

/// One body that counts how often it was moved, and a script run between pictures.
struct Driven {
    Scene scene;
    std::vector<Transform> poses;
    long steps = 0;
    long pictures = 0;
    std::function<void(Driven&)> script; ///< called after each picture

    Driven() {
        scene.bodies.push_back(floor_at(0, {0.4f, 0.5f, 0.6f}));
        scene.bodies.push_back(body(Sphere{1}, {0, 1, 0}, {1, 0.4f, 0.1f}));
        poses = starting_poses(scene);
    }
    Result<void> run(ViewerSettings settings) {
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
        settings.title = k_title;
        settings.width = 320;
        settings.height = 240;
        settings.render = {.shadow_resolution = 256, .contact_shading = false};
        if (settings.pictures == 0) settings.pictures = k_give_up;
        ViewerHost host;
        host.advance = [&]() -> Result<void> {
            ++steps;
            return {};
        };
        host.poses = [&] { return std::span<const Transform>(poses); };
        host.status = [&] { return ViewerStatus{.frame = steps}; };
        host.drawn = [&](double) {
            ++pictures;
            if (script) script(*this);
        };
        return view(scene, host, settings);
    }
    bool gave_up() const { return pictures == k_give_up; }

    static constexpr long k_give_up = 150; ///< pictures; events arrive within a few
};

/// Sends a key to the window by way of the X server. There is no window manager to give it the
/// focus, so the script does.
void press(const std::string& key) {
    const std::string command = "timeout 10 xdotool search --name '" + k_title +
                                "' windowfocus key " + key + " >/dev/null 2>&1";
    CHECK(std::system(command.c_str()) == 0);
}

bool can_drive() {
    if (installed("Xvfb") && installed("xdotool")) return true;
    MESSAGE("skipped: Xvfb or xdotool is not installed");
    return false;
}

} // namespace

TEST_CASE("without a display the viewer says so") {
    const DisplayVariable none("");
    Driven driven;
    const auto viewed = driven.run({});
    REQUIRE(!viewed.has_value());
    CHECK(viewed.error().message.find("cannot open a window") != std::string::npos);
    CHECK(driven.steps == 0);
}

TEST_CASE("the viewer obeys keys and its settings") {
    if (!can_drive()) return;
    const VirtualDisplay display;
    const DisplayVariable variable(display.name());

    SUBCASE("it ends after the given number of pictures, one step each") {
        Driven driven;
        ViewerSettings settings;
        settings.pictures = 5;
        REQUIRE(driven.run(settings).has_value());
        CHECK(driven.pictures == 5);
        CHECK(driven.steps == 5);
    }
    SUBCASE("Escape ends it") {
        Driven driven;
        driven.script = [](Driven& d) {
            if (d.pictures == 2) press("Escape");
        };
        const auto viewed = driven.run({});
        REQUIRE_MESSAGE(viewed.has_value(), viewed.error().message);
        CHECK(!driven.gave_up());
    }
    SUBCASE("closing the window ends it") {
        Driven driven;
        driven.script = [](Driven& d) {
            if (d.pictures == 2) CHECK(close_window(k_title));
        };
        REQUIRE(driven.run({}).has_value());
        CHECK(!driven.gave_up());
    }
    SUBCASE("paused, each press of the step keys advances by exactly one") {
        Driven driven;
        driven.script = [](Driven& d) {
            if (d.pictures == 2) CHECK(d.steps == 0);
            if (d.pictures == 2) press("period");
            if (d.pictures == 40) CHECK(d.steps == 1);
            if (d.pictures == 40) press("Right");
            if (d.pictures == 80) CHECK(d.steps == 2);
            if (d.pictures == 80) press("Escape");
        };
        ViewerSettings settings;
        settings.paused = true;
        REQUIRE(driven.run(settings).has_value());
        CHECK(driven.steps == 2);
        CHECK(!driven.gave_up());
    }
    SUBCASE("space pauses and goes on") {
        Driven driven;
        long when_paused = 0;
        driven.script = [&](Driven& d) {
            if (d.pictures == 2) press("space");
            if (d.pictures == 40) when_paused = d.steps;
            if (d.pictures == 60) CHECK(d.steps == when_paused);
            if (d.pictures == 60) press("space");
            if (d.pictures == 100) CHECK(d.steps > when_paused);
            if (d.pictures == 100) press("Escape");
        };
        REQUIRE(driven.run({}).has_value());
        CHECK(when_paused < 40);
        CHECK(!driven.gave_up());
    }
}
