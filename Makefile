# SPDX-License-Identifier: MIT
#
#   make              build/cordon, build/cordon-net
#   make test         every test; T=pattern picks some, SAN=1 with sanitizers
#   make run          a demonstration of what works
#   make fuzz         FUZZ=name TIME=seconds: one fuzzer, with clang
#   make help         the rest
#
# Sources are found by wildcard: a new file never edits this one.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:

CC     = gcc
SAN    =
WERROR =
B      = build$(if $(SAN),/SAN)
T      =

# --- flags ------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wvla -Wswitch-enum -Wformat=2 -Wundef -Wcast-qual \
    -Wwrite-strings
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
OPT  := $(if $(SAN),-O1 -fno-omit-frame-pointer $(SANITIZE),-O2 \
    -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
# Paths are mapped away and no date is used: the same source and compiler give
# the same bytes wherever the tree lies.
CFLAGS   = -std=c17 -g $(OPT) -fPIC -fvisibility=hidden \
    -ffile-prefix-map=$(CURDIR)/= $(WARN) $(if $(WERROR),-Werror) $(EXTRA)
CPPFLAGS = -D_GNU_SOURCE -Isrc -Iinclude $(PQ_CFLAGS)

# Asked once, and only when something is compiled: pkg-config may not be there
# before scripts/deps ran.
PQ_CFLAGS = $(eval PQ_CFLAGS := $$(shell pkg-config --cflags libpq))$(PQ_CFLAGS)

# The lean program is static, so that it starts without a dynamic linker. The
# sanitizers need one.
LEAN_LIBS   := -lpcre2-8 -lgmp -lutf8proc -lseccomp -lcrypto -lm
NET_LIBS    := -lcurl -lmicrohttpd -lsqlite3 -lpq -ledit $(LEAN_LIBS)
LDFLAGS      = -Wl,--as-needed $(if $(SAN),$(SANITIZE))
LEAN_LDFLAGS = $(LDFLAGS) $(if $(SAN),,-static-pie)

# --- what there is ----------------------------------------------------------

# The archive holds everything but the programs' own files.
PROGRAM_SRC := $(wildcard src/cli/main.c src/cli/cmd_*.c src/cli/net_*.c)
LIB_SRC     := $(filter-out $(PROGRAM_SRC),$(wildcard src/*/*.c src/*/*/*.c))
LEAN_SRC    := $(filter-out src/cli/net_%,$(PROGRAM_SRC))
NET_SRC     := $(filter src/cli/net_%,$(PROGRAM_SRC))
UNIT_SRC    := $(filter-out tests/unit/test.c,$(wildcard tests/unit/*.c))

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

# Unit tests of these folders are linked with the libraries of cordon-net.
NET_AREAS := io store mcp call runs agent gateway
NET_UNIT  := $(foreach a,$(NET_AREAS),$(filter tests/unit/$(a)_%,$(UNIT_SRC)))

PROGRAMS := $(B)/cordon $(if $(NET_SRC),$(B)/cordon-net)
UNITS    := $(patsubst %.c,$(B)/%,$(UNIT_SRC))
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
REPLAYS  := $(patsubst tests/fuzz/fuzz_%.c,$(B)/tests/fuzz/replay_%,$(FUZZ_SRC))

.PHONY: all test run fuzz help clean FORCE
all: $(PROGRAMS)

# --- build ------------------------------------------------------------------

# Changed flags or compiler rebuild everything.
FLAGS_NOW = $(CC) $(CFLAGS) $(LDFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo '  cc $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# D: no time stamps in the archive.
$(B)/libcordon-all.a: $(call obj,$(LIB_SRC))
	@rm -f $@
	@ar rcsD $@ $^

$(B)/cordon: $(call obj,$(LEAN_SRC)) $(B)/libcordon-all.a
	@echo '  ld $@'
	@$(CC) $(CFLAGS) $^ $(LEAN_LDFLAGS) $(LEAN_LIBS) -o $@

$(B)/cordon-net: $(call obj,$(NET_SRC)) $(B)/libcordon-all.a
	@echo '  ld $@'
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(NET_LIBS) -o $@

$(patsubst %.c,$(B)/%,$(NET_UNIT)): UNIT_LIBS = $(NET_LIBS)
UNIT_LIBS = $(LEAN_LIBS)
$(UNITS): $(B)/%: $(B)/obj/%.o $(B)/obj/tests/unit/test.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(UNIT_LIBS) -o $@

$(REPLAYS): $(B)/tests/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o \
    $(B)/obj/tests/fuzz/replay.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(NET_LIBS) -o $@

$(B)/fuzz_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/libcordon-all.a
	@$(CC) $(CFLAGS) -fsanitize=fuzzer $^ $(LDFLAGS) $(NET_LIBS) -o $@

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

# --- use --------------------------------------------------------------------

test: $(PROGRAMS) $(UNITS) $(REPLAYS)
	@B='$(B)' SAN='$(SAN)' scripts/test $(T)

run: $(B)/cordon
	@$(B)/cordon --version

# New inputs are kept in build/fuzz/corpus; move the worthwhile ones into
# tests/fuzz/corpus.
TIME = 60
fuzz:
	@$(MAKE) CC=clang SAN=1 B=build/fuzz EXTRA=-fsanitize=fuzzer-no-link \
	    build/fuzz/fuzz_$(FUZZ)
	@mkdir -p build/fuzz/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)
	build/fuzz/fuzz_$(FUZZ) -max_total_time=$(TIME) -timeout=20 \
	    -rss_limit_mb=2048 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/$(FUZZ)- \
	    build/fuzz/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

help:
	@sed -n '/^#   /s/^#   //p' Makefile

clean:
	rm -rf build
