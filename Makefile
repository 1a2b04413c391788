# SPDX-License-Identifier: MIT
#
#   make               build/cordon and build/cordon-net
#   make run           the demo: code mode over sample tools
#   make test          every test and check; T='unit/json_* docs' picks some
#   make conformance   the official external suites
#   make fuzz          FUZZ=name TIME=seconds: one fuzzer, with clang
#   make coverage      what the tests reach, by file
#   make bench         BENCH=name: one comparison, bench/name/run
#   make format        let clang-format put every source file in shape
#   make install       PREFIX=/usr/local DESTDIR=
#   make clean
#
#   CC=clang  SAN=1 (address and undefined sanitizers, in build/SAN)
#   WERROR=1  STATIC= (where there are no static libraries)  B=folder
#
# Sources are found by wildcard: a new file never edits this one.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:

CC     = gcc
SAN    =
WERROR =
STATIC = $(if $(SAN),,1)
B      = build$(if $(SAN),/SAN)
T      =
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib

# --- flags ------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wvla -Wswitch-enum -Wformat=2 -Wundef -Wcast-qual \
    -Wwrite-strings -Werror=implicit-function-declaration \
    -Werror=incompatible-pointer-types -Werror=return-type
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
OPT  := $(if $(SAN),-O1 -fno-omit-frame-pointer $(SANITIZE),-O2 \
    -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
# Paths are mapped away and no date is used: the same source and compiler give
# the same bytes wherever the tree lies.
CFLAGS   = -std=c17 -g $(OPT) -fno-asynchronous-unwind-tables -fPIC \
    -fvisibility=hidden -ffile-prefix-map=$(CURDIR)/= $(WARN) $(if $(WERROR),-Werror) $(EXTRA)
CPPFLAGS = -D_GNU_SOURCE -Isrc -Iinclude $(PQ_CFLAGS) $(SONAMES)

# Asked once, and only when something is compiled: pkg-config may not be there
# before scripts/deps ran.
PQ_CFLAGS = $(eval PQ_CFLAGS := $$(shell pkg-config --cflags libpq))$(PQ_CFLAGS)

# Libraries that are loaded at run time when they are needed (base/library.h),
# under the names that this system links them by.
soname = $(shell readelf -d $$($(CC) -print-file-name=lib$(1).so) | \
    sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
SONAMES = $(eval SONAMES := $$(foreach l,curl microhttpd pq,\
    -DLIB$$(shell echo $$l | tr a-z A-Z)='"$$(call soname,$$l)"'))$(SONAMES)

# The lean program is static, so that it starts without a dynamic linker. The
# sanitizers need one.
LEAN_LIBS   := -lpcre2-8 -lgmp -lutf8proc -lcrypto -lm
NET_LIBS    := -lcurl -lmicrohttpd -lsqlite3 -lpq -ledit -lssl $(LEAN_LIBS)
# The program itself has its libraries inside where it can: each shared one is
# work for the dynamic linker at every start.
NET_LINK     = $(if $(STATIC),-Wl$(comma)-Bstatic -lsqlite3 -lssl \
    $(LEAN_LIBS:-lm=) -Wl$(comma)-Bdynamic -ledit -lm,$(NET_LIBS))
comma       := ,
LDFLAGS      = -Wl,--as-needed -Wl,-z,relro,-z,now,-z,pack-relative-relocs \
    $(if $(SAN),$(SANITIZE))
LEAN_LDFLAGS = $(LDFLAGS) $(if $(STATIC),-static-pie)

# --- what there is ----------------------------------------------------------

# The archive holds everything but the programs' own files.
PROGRAM_SRC := $(wildcard src/cli/main.c src/cli/cmd_*.c src/cli/net_*.c)
LIB_SRC     := $(filter-out $(PROGRAM_SRC),$(wildcard src/*/*.c src/*/*/*.c))
LEAN_SRC    := $(filter-out src/cli/net_%,$(PROGRAM_SRC))
NET_SRC     := $(filter src/cli/net_%,$(PROGRAM_SRC))
PUBLIC_SRC  := $(filter-out src/cli/%,$(LIB_SRC))
# What makes the interpreter's template is not needed where it is ready.
READY_SRC   := $(filter-out src/vm/template.c src/stdlib/sources.c,$(PUBLIC_SRC))

# Programs that bring TEST()s and are linked with the harness.
UNIT_SRC := $(filter-out tests/unit/test.c,$(wildcard tests/unit/*.c)) \
    $(wildcard tests/conformance/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
TOOL_SRC := $(wildcard tests/tools/*.c)

# Unit tests of these folders are linked with the libraries of cordon-net; the
# others show by linking that their folder does without.
NET_AREAS := io store audit mcp call runs agent gateway web
NET_UNIT  := $(foreach a,$(NET_AREAS),$(filter tests/unit/$(a)_%,$(UNIT_SRC)))

PROGRAMS := $(B)/cordon $(B)/cordon-net
UNITS    := $(patsubst %.c,$(B)/%,$(UNIT_SRC))
TOOLS    := $(patsubst %.c,$(B)/%,$(TOOL_SRC))
REPLAYS  := $(patsubst tests/fuzz/fuzz_%.c,$(B)/tests/fuzz/replay_%,$(FUZZ_SRC))

# Programs that tests run in sandboxes: static, and never with sanitizers.
GUESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/sandbox/guest_*.c))

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

.PHONY: all tests test run conformance fuzz coverage bench format install
.PHONY: help clean deps FORCE
all: $(PROGRAMS) $(B)/cordon-python.so $(B)/cordon-guest $(B)/cordon.1

# --- dependencies -----------------------------------------------------------

# scripts/deps runs only when its quick look finds something missing.
GROUPS  := build $(if $(filter test,$(MAKECMDGOALS)),test) \
    $(filter fuzz conformance bench coverage,$(MAKECMDGOALS))
ifneq ($(filter-out clean help,$(or $(MAKECMDGOALS),all)),)
DEPS := $(if $(shell scripts/deps --check $(GROUPS)),deps)
endif
deps:
	@scripts/deps $(GROUPS)

# --- build ------------------------------------------------------------------

# Changed flags or compiler rebuild everything.
FLAGS_NOW = $(CC) $(CFLAGS) $(LDFLAGS)
$(B)/flags: FORCE | $(DEPS)
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

# Rarely run, and small is what is asked of the interpreter (bench/size).
COLD := $(addprefix src/vm/,taint_flow pending traceback class pattern_fault \
    pattern_text label slots api_journal api_label api_pending joins import \
    history exc core codec objcomplex objexc reprother bytescase bytesfind \
    bytessplit bytestype unicode strformat type objdescr) \
    $(addprefix src/lang/,compile_pattern compile_flow compile_try \
    compile_cond compile_build compile_func compile_chain compile_star \
    compile_name compile_stmt parse_pattern parse_block parse_stmt \
    parse_params parse_string parse_target scope scope_match scope_stmt \
    scope_expr scope_annotation lex_string literal ast) \
    src/stdlib/suggest src/stdlib/helpers src/base/clock
$(COLD:%=$(B)/obj/%.o): private OPT := $(subst -O2,-Os,$(OPT))

# What the interpreter shares with others it need not carry whole: a linker that
# is asked to can leave out single functions.
$(call obj,$(filter $(addprefix src/,base/% json/% lang/% vm/% stdlib/%),\
    $(LIB_SRC))): private SECTIONS := -ffunction-sections -fdata-sections

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo '  cc $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(SECTIONS) -MMD -MP -c $< -o $@

# Python text that C files embed (stdlib/embed.h).
$(B)/obj/src/stdlib/sources.o: $(wildcard src/stdlib/*.py)
$(B)/obj/src/sandbox/zygote.o: src/sandbox/zygote.py
$(B)/obj/src/sandbox/wasm.o: $(wildcard src/sandbox/wasi/host/*)

# D: no time stamps in the archive.
$(B)/libcordon-all.a: $(call obj,$(LIB_SRC))
	@rm -f $@
	@ar qcsD $@ $^

# The interpreter's template (src/vm/template.h): made once here, so that the
# programs need not make it at every start.
$(B)/mktemplate: $(B)/obj/scripts/mktemplate.o $(B)/libcordon-all.a
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(LEAN_LIBS) -o $@

$(B)/template.bin: $(B)/mktemplate
	@echo '  gen $@'
	@$< >$@

$(B)/template.o: $(B)/template.bin
	@printf '%s\n' '.section .note.GNU-stack,"",@progbits' \
	    '.section .rodata' '.balign 4096' \
	    'template_image: .incbin "$<"' 'template_image_end: .byte 0' \
	    '.section .data.rel.ro,"aw"' '.balign 8' '.hidden template_origin' \
	    '.global template_origin' \
	    'template_origin: .quad template_image, template_image_end, 0' \
	    >$(B)/template.s
	@$(CC) -c $(B)/template.s -o $@

$(B)/cordon: $(call obj,$(LEAN_SRC)) $(B)/template.o $(B)/libcordon-all.a
	@echo '  ld $@'
	@$(CC) $(CFLAGS) $^ $(LEAN_LDFLAGS) $(LEAN_LIBS) -o $@

$(B)/cordon-net: $(call obj,$(NET_SRC)) $(B)/template.o $(B)/libcordon-all.a
	@echo '  ld $@'
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(NET_LINK) -o $@

# What a warm CPython loads; the names it shows are those of cordon_*.
$(B)/cordon-python.so: $(B)/obj/src/sandbox/zygote.o $(B)/libcordon-all.a
	@echo '  ld $@'
	@$(CC) $(CFLAGS) -shared $^ $(LDFLAGS) -o $@

$(patsubst %.c,$(B)/%,$(NET_UNIT)): UNIT_LIBS = $(NET_LIBS)
UNIT_LIBS = $(LEAN_LIBS)
$(UNITS): $(B)/%: $(B)/obj/%.o $(B)/obj/tests/unit/test.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(UNIT_LIBS) -o $@

$(TOOLS): $(B)/%: $(B)/obj/%.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(NET_LIBS) -o $@

$(REPLAYS): $(B)/tests/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o \
    $(B)/obj/tests/fuzz/replay.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(NET_LIBS) -o $@

$(B)/fuzz_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/libcordon-all.a
	@$(CC) $(CFLAGS) -fsanitize=fuzzer $^ $(LDFLAGS) $(NET_LIBS) -o $@

$(GUESTS): $(B)/tests/sandbox/guest_%: tests/sandbox/guest_%.c \
    $(wildcard tests/sandbox/*/*)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O1 $(WARN) -D_GNU_SOURCE -static $< \
	    $(wildcard tests/sandbox/$*/*.c) -o $@

# The first program of a virtual machine (src/sandbox/vm/vm.h).
$(B)/cordon-guest: $(wildcard src/sandbox/vm/guest/*)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O1 $(WARN) -D_GNU_SOURCE -static $(filter %.c,$^) -o $@

# The sections on commands come from the program's own table.
$(B)/cordon.1: man/cordon.1.in $(B)/cordon
	@$(B)/cordon help --man > $(B)/commands.mdoc
	@sed -e '/^@COMMANDS@$$/{r $(B)/commands.mdoc' -e 'd}' $< > $@

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

# --- the library ------------------------------------------------------------

version = $(shell awk '/define CORDON_VERSION_$(1)/ {print $$3}' \
    include/cordon.h)
MAJOR   = $(call version,MAJOR)
VERSION = $(MAJOR).$(call version,MINOR).$(call version,PATCH)

# One object in which the hidden names are local: they cannot clash with names
# of the program it is linked into.
$(B)/libcordon.a: $(call obj,$(READY_SRC)) $(B)/template.o
	@ld -r -o $(B)/libcordon.o $^
	@objcopy --localize-hidden $(B)/libcordon.o
	@rm -f $@
	@ar qcsD $@ $(B)/libcordon.o

$(B)/libcordon.so: $(call obj,$(READY_SRC)) $(B)/template.o
	@$(CC) $(CFLAGS) -shared -Wl,-soname,libcordon.so.$(MAJOR) -Wl,-z,defs $^ \
	    $(LDFLAGS) $(NET_LIBS) -o $@

# --- use --------------------------------------------------------------------

# What `make test` runs, built.
tests: all $(UNITS) $(TOOLS) $(REPLAYS) $(GUESTS)

test: tests
	@B='$(B)' SAN='$(SAN)' scripts/test $(T)

run: $(PROGRAMS)
	@$(B)/cordon demo examples/demo

conformance: $(PROGRAMS) $(UNITS) $(TOOLS)
	@B='$(B)' SAN='$(SAN)' scripts/test --conformance $(T)

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
	    $(addprefix -dict=,$(wildcard tests/fuzz/$(FUZZ).dict)) \
	    build/fuzz/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

# What the tests reach, by file. A test that measures the program itself fails
# here, and that does not matter.
coverage:
	-@$(MAKE) B=build/cov EXTRA='--coverage -O0' STATIC= test
	@gcovr -r . --object-directory build/cov/obj -f src/ -s

# bench/name/*.c become programs in build/bench/name, linked with what the file
# bench/name/libs names.
BENCH_PROGRAMS := $(patsubst %.c,$(B)/%,$(wildcard bench/$(BENCH)/*.c))
$(BENCH_PROGRAMS): $(B)/%: $(B)/obj/%.o $(B)/libcordon-all.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(file < bench/$(BENCH)/libs) $(NET_LIBS) \
	    -o $@
bench: $(PROGRAMS) $(GUESTS) $(if $(BENCH),$(BENCH_PROGRAMS))
	@B='$(B)' bench/$(BENCH)/run

format:
	@scripts/lint --format

install: all $(B)/libcordon.a $(B)/libcordon.so
	@B='$(B)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' \
	    VERSION='$(VERSION)' LIBS='$(NET_LIBS)' scripts/install

help:
	@sed -n '/^#   /s/^#   //p' Makefile

clean:
	rm -rf build
