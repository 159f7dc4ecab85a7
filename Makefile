# The everyday commands. Each installs what is missing first; see scripts/install-deps.
.PHONY: build program demo test sanitize bench format deps clean

JOBS ?= $(shell nproc)

build: deps
	cmake --preset release
	cmake --build build/release -j $(JOBS)

# The program alone: quicker than everything.
program: deps
	cmake --preset release
	cmake --build build/release -j $(JOBS) --target fovea

# Generates a scene of 500 bodies, runs it and leaves pictures, a plot and a report in out/demo/.
demo: program
	scripts/demo build/release/fovea out/demo

test: build
	ctest --test-dir build/release --output-on-failure -j $(JOBS) -LE threads

# Address and undefined-behaviour sanitizers on everything, the thread sanitizer on what runs
# on several threads, and a short run of each fuzzer from its corpus.
sanitize: deps
	cmake --preset asan
	cmake --build build/asan -j $(JOBS)
	ctest --test-dir build/asan --output-on-failure -j $(JOBS) -LE "release-only|threads"
	cmake --preset tsan
	cmake --build build/tsan -j $(JOBS) --target thread_tests
	ctest --test-dir build/tsan --output-on-failure -L threads
	scripts/fuzz-smoke

# The growth study; its tables and plots go to docs/results/.
bench: build
	bench/growth.py build/release/fovea docs/results

format: deps
	git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format-14 -i

deps:
	@scripts/install-deps

clean:
	rm -rf build out
