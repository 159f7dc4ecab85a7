// Which pairs are modelled by a few of their hits, and when.
#include "fovea/world/brief_models.h"

#include <doctest/doctest.h>

#include "fovea/base/jobs.h"

using namespace fovea;

namespace {

PairAnswer answer_with(std::uint32_t hits, PairAnswer::Kind kind = PairAnswer::Kind::rung) {
    PairAnswer answer;
    answer.kind = kind;
    answer.descent.count = hits;
    return answer;
}

const PairAnswer k_many = answer_with(100);
const PairAnswer k_few = answer_with(k_brief_hits);
const PairAnswer k_solids = answer_with(100, PairAnswer::Kind::exact);

std::vector<bool> turns(BriefModels& models, const std::vector<PairAnswer>& answers) {
    std::vector<bool> brief;
    for (std::size_t i = 0; i < answers.size(); ++i) brief.push_back(models.turn(i, answers[i]));
    for (std::size_t i = 0; i < answers.size(); ++i) CHECK(bool(models.flags()[i]) == brief[i]);
    return brief;
}

} // namespace

TEST_CASE("pairs are brief when the end is near, if they have more than a few hits") {
    // Hours, so that it does not matter how long the test itself takes.
    constexpr double k_hour = 3600;
    const std::vector<PairAnswer> mixed = {k_many, k_few, k_solids, k_many};
    const std::vector<float> nothing(4, 0.0f);
    BriefModels models;
    models.begin_timed(wall_seconds() + k_hour, nothing);
    CHECK(turns(models, mixed) == std::vector<bool>{false, false, false, false});
    models.begin_timed(wall_seconds() - k_hour, nothing);
    CHECK(turns(models, mixed) == std::vector<bool>{true, false, false, true});
    models.begin_whole(4);
    CHECK(turns(models, mixed) == std::vector<bool>{false, false, false, false});
}

TEST_CASE("what is left to be modelled has to fit before the end") {
    constexpr float k_hour = 3600;
    BriefModels models;
    // Ten hours' work, five and a half hours left: so much of it has to be brief that they do.
    const std::vector<PairAnswer> ten(10, k_many);
    models.begin_timed(wall_seconds() + 5.5 * k_hour, std::vector<float>(10, k_hour));
    CHECK(turns(models, ten) ==
          std::vector<bool>{true, true, true, true, true, false, false, false, false, false});
    // Pairs that cannot be brief take their time too, whether they come first or last.
    const std::vector<float> long_last = {0, 0, 10 * k_hour}, long_first = {10 * k_hour, 0, 0};
    models.begin_timed(wall_seconds() + 5 * k_hour, long_last);
    CHECK(turns(models, {k_many, k_many, k_solids}) == std::vector<bool>{true, true, false});
    models.begin_timed(wall_seconds() + 5 * k_hour, long_first);
    CHECK(turns(models, {k_solids, k_many, k_many}) == std::vector<bool>{false, false, false});
}

TEST_CASE("of a recording those are brief that it names, if they can be") {
    BriefModels models;
    const std::uint32_t named[] = {0, 1, 3, 4000000000u};
    models.begin_recorded(4, named);
    CHECK(turns(models, {k_many, k_few, k_many, k_many}) ==
          std::vector<bool>{true, false, false, true});
}

TEST_CASE("threads share what is left to be modelled") {
    const Jobs jobs(4);
    const std::vector<float> seconds(1000, 3.6f);
    BriefModels models;
    for (int i = 0; i < 20; ++i) {
        models.begin_timed(wall_seconds() + 1800, seconds);
        jobs.for_blocks(1000, 10, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) models.turn(k, k_many);
        });
        // An hour's work and half an hour left: brief as long as more than that is to come.
        int brief = 0;
        for (const std::uint8_t flag : models.flags()) brief += flag;
        CHECK(brief >= 500);
        CHECK(brief <= 501);
    }
}
