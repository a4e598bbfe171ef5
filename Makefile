# The everyday commands. Each is a line or two of cargo and needs a Rust toolchain (1.88 or later) and a C
# compiler; `lint` and `fuzz` say what they want besides.
CARGO ?= cargo
FUZZ_SECONDS ?= 60
.PHONY: play test perft lint fmt doc bench fuzz toolchain
.DEFAULT_GOAL := test

play: toolchain ## build, start a server here and watch the bot play on it
	$(CARGO) run --release --locked -- play

test: toolchain ## every test, from unit to end to end
	$(CARGO) test --locked

perft: toolchain ## only the counts of reachable states
	$(CARGO) test --locked --test perft

lint: toolchain ## formatting and clippy, warnings are errors; the bot builds without the tools
	@$(CARGO) clippy --version >/dev/null 2>&1 || { echo "clippy is missing: rustup component add clippy rustfmt" >&2; exit 2; }
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets --locked -- --deny warnings
	$(CARGO) check --no-default-features --locked

fmt: toolchain ## format the sources
	$(CARGO) fmt

doc: toolchain ## the library's documentation, in target/doc/lodebot
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --no-deps --locked

bench: toolchain ## times, and the signature of all decisions on fixed boards
	$(CARGO) run --release --locked --quiet -- bench

# The code is safe Rust, so sanitizers have nothing to find; without them a stable toolchain will do.
fuzz: toolchain ## every fuzz target for a minute, or FUZZ_SECONDS=600
	@$(CARGO) fuzz --version >/dev/null 2>&1 || { echo "cargo-fuzz is missing: cargo install cargo-fuzz" >&2; exit 2; }
	@for target in $$($(CARGO) fuzz list); do \
		mkdir -p fuzz/corpus/$$target && \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none $$target fuzz/corpus/$$target fuzz/seeds/$$target \
			-- -max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done

toolchain:
	@command -v $(firstword $(CARGO)) >/dev/null || { echo "cargo is missing: install Rust 1.88 or later from https://rustup.rs" >&2; exit 2; }
