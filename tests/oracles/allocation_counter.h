// Counts every heap allocation of the program it is linked into.
#pragma once

namespace fovea::test {

long allocations();

} // namespace fovea::test
