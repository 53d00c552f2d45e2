# The two commands of the README, and the others. CMake and Ninja do the work; see CMakePresets.json.
.PHONY: demo test build bench soak dist deb abi abi-accept reproducible arm64 fuzz asan asan-all tsan minimal golden golden-accept mutate format format-check docs gallery landforms results install deps clean

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# tests of windows, of kills and of clocks wait for half of their time
TEST_JOBS ?= $(shell expr $(JOBS) + $(JOBS) / 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
export CTEST_OUTPUT_ON_FAILURE = 1

define preset
	@cmake --preset $(1) >/dev/null
	@cmake --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2))
endef

demo: build
	@build/silt run recipes/demo.yaml
	@echo "The pictures and files are in out/demo: open out/demo/preview.png first."

build: deps
	$(call preset,default)

test: build
	@ctest --preset default -j $(TEST_JOBS); status=$$?; cat build/tests/same_bytes.txt 2>/dev/null; scripts/golden --show; exit $$status

deps:
	@scripts/install-dependencies

bench: build
	@build/silt bench

# the suite under sanitizers; asan-all with the laws of numbers that take long there (CONTRIBUTING.md)
asan: deps
	$(call preset,asan)
	@ctest --preset asan -j $(TEST_JOBS)

asan-all: deps
	$(call preset,asan)
	@SILT_WHOLE=1 ctest --preset asan -j $(TEST_JOBS)

tsan: deps
	$(call preset,tsan)
	@ctest --preset tsan -j $(TEST_JOBS)

# each fuzzer for FUZZ_SECONDS, starting from its corpus; what it finds lands in build-fuzz/found
fuzz: deps
	$(call preset,fuzz,fuzzers)
	@scripts/fuzz build-fuzz $(FUZZ_SECONDS)

# kills, full disks, a million steps and fuzzers for hours: KILLS=5000 STEPS=1000000 FUZZ_HOURS=8
soak: build
	$(call preset,fuzz,fuzzers)
	@scripts/soak build

# gcc and clang, with and without optimisation and wide registers, give the hashes of tests/golden/hashes.txt;
# VARIANTS="clang-O3 gcc-plain" only some
golden: deps
	@JOBS=$(JOBS) scripts/golden $(VARIANTS)

# docs/results.md: the tables and numbers of the five papers beside ours, measured here and now; PARTS="weiss drawing" takes those alone
results: build
	@scripts/results build/silt docs/results.md $(PARTS)

# another architecture, under an emulator: WORDS="'model pipes'" only some
arm64:
	@scripts/other-machine $(WORDS)

# small changes to the equations that no test would notice; LISTS="tests/mutants/grids.txt" only some, ONLY=WORD fewer
mutate: deps
	@COPIES=$(JOBS) scripts/mutate $(LISTS)

# results have changed, and were meant to: say so in CHANGELOG.md
golden-accept: build
	@build/tests/golden_hashes --write tests/golden/hashes.txt
	@git diff --stat -- tests/golden/hashes.txt

# nothing but a C compiler
minimal: deps
	$(call preset,minimal)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

format-check:
	@git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror

# the generated pages; a test fails when they are stale
docs: build
	@build/silt help --markdown > docs/reference.md
	@mkdir -p docs/man && build/silt help --man > docs/man/silt.1
	@mkdir -p scripts/completion && build/silt help --bash > scripts/completion/silt.bash
	@build/silt help --zsh > scripts/completion/_silt && build/silt help --fish > scripts/completion/silt.fish

# a picture of every recipe, and those of the README; ALL=1 in full size, NAMES="demo canyon" only some
gallery: build
	@SILT=build/silt scripts/gallery $(NAMES)

# a source archive that builds from itself, and Debian packages; two of one commit have the same bytes
dist:
	@scripts/dist

deb: deps
	@scripts/debian-package

# the shared library against that of the last release; a release accepts its own
abi: build
	@scripts/abi build

abi-accept: build
	@scripts/abi build --accept

# two builds of this commit, in two folders: the same archive and packages to the byte
reproducible: deps
	@scripts/reproducible

# whether every preset keeps to what docs/landscapes.md says of it, on seeds 1 to 3; SIZE=1024 for full size
landforms: build
	@SIZE=$(or $(SIZE),512) scripts/landform-table build/silt $(NAMES)

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-* out
