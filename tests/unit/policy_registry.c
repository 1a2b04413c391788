/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/ecdsa.h"
#include "base/file.h"
#include "policy/npm_cache.h"
#include "policy/pin_package.h"
#include "policy/registry_key.h"

static const struct json *parse(struct arena *a, const char *text) {
    struct err e;
    const struct json *v;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

/* The base64 of a signature with this key. */
static const char *sign(EVP_PKEY *key, const char *text, struct arena *a) {
    AUTO_BUF struct buf out = BUF_MAX(512);
    unsigned char der[128];
    size_t n = sizeof der;
    struct err e;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    CHECK(EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1);
    CHECK(EVP_DigestSign(ctx, der, &n, (const unsigned char *)text,
                         strlen(text)) == 1);
    EVP_MD_CTX_free(ctx);
    CHECK_OK(base64_encode((str){(char *)der, n}, &out, &e), &e);
    return arena_text(a, buf_str(&out), &e);
}

static const char *public_of(EVP_PKEY *key, struct arena *a) {
    AUTO_BUF struct buf out = BUF_MAX(1024);
    unsigned char *der = NULL;
    struct err e;
    int n = i2d_PUBKEY(key, &der);
    CHECK(n > 0);
    CHECK_OK(base64_encode((str){(char *)der, (size_t)n}, &out, &e), &e);
    OPENSSL_free(der);
    return arena_text(a, buf_str(&out), &e);
}

static int add(struct registry_keys *k, const char *id, const char *key,
               struct arena *a, struct err *e) {
    return registry_keys_add(
        k,
        str_of(arena_printf(a, e,
                            "{\"keys\":[{\"keyid\":\"%s\",\"keytype\":"
                            "\"ecdsa-sha2-nistp256\",\"key\":\"%s\"}]}",
                            id, key)),
        e);
}

static enum signed_state verify(struct registry_keys *k, const char *version,
                                const char *list, struct arena *a, str *id) {
    return registry_verify(k, STR("@s/pkg"), str_of(version),
                           STR("sha512-abc=="), parse(a, list), id);
}

TEST(a_signature_counts_for_one_name_version_and_content) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct err e;
    struct registry_keys *k = registry_keys_new(&e);
    EVP_PKEY *own = EVP_EC_gen("P-256"), *other = EVP_EC_gen("P-256");
    CHECK_OK(add(k, "SHA256:own", public_of(own, &a), &a, &e), &e);
    const char *good = sign(own, "@s/pkg@1.0.0:sha512-abc==", &a);
    const char *alien = sign(other, "@s/pkg@1.0.0:sha512-abc==", &a);
    const char *one = arena_printf(
        &a, &e, "[{\"keyid\":\"SHA256:own\",\"sig\":\"%s\"}]", good);
    str id;
    CHECK_EQ(verify(k, "1.0.0", one, &a, &id), SIGNED_WELL);
    CHECK_STR(id, "SHA256:own");
    CHECK_EQ(verify(k, "1.0.1", one, &a, &id), SIGNED_WRONG);
    CHECK_EQ(verify(k, "1.0.0", "[]", &a, &id), SIGNED_NOT);
    CHECK_EQ(verify(k, "1.0.0", "[{}]", &a, &id), SIGNED_BY_UNKNOWN);
    CHECK_EQ(verify(k, "1.0.0", "{\"keyid\":1}", &a, &id), SIGNED_NOT);
    /* A key that is not known proves nothing, in either direction. */
    const char *mixed =
        arena_printf(&a, &e,
                     "[{\"keyid\":\"SHA256:x\",\"sig\":\"%s\"},"
                     "{\"keyid\":\"SHA256:own\",\"sig\":\"%s\"}]",
                     alien, good);
    CHECK_EQ(verify(k, "1.0.0", mixed, &a, &id), SIGNED_WELL);
    CHECK_STR(id, "SHA256:own");
    /* One that does not fit is not outweighed by one that does. */
    const char *forged =
        arena_printf(&a, &e,
                     "[{\"keyid\":\"SHA256:own\",\"sig\":\"%s\"},"
                     "{\"keyid\":\"SHA256:own\",\"sig\":\"%s\"}]",
                     good, alien);
    CHECK_EQ(verify(k, "1.0.0", forged, &a, &id), SIGNED_WRONG);
    CHECK_EQ(verify(k, "1.0.0",
                    "[{\"keyid\":\"SHA256:own\",\"sig\":\"no base64!\"}]", &a,
                    &id),
             SIGNED_WRONG);
    /* npm's own keys are there, and this is none of their signatures. */
    const char *npm = arena_printf(
        &a, &e,
        "[{\"keyid\":\"SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U\","
        "\"sig\":\"%s\"}]",
        good);
    CHECK_EQ(verify(k, "1.0.0", npm, &a, &id), SIGNED_WRONG);
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    registry_keys_free(k);
}

/* Nobody looks at these while the program starts. */
TEST(the_keys_in_the_program_are_keys) {
    static const char *const known[] = {
#define KEY(id, key) key,
#include "policy/registry_keys.def"
#undef KEY
    };
    struct err e;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        AUTO_BUF struct buf der = BUF_MAX(512);
        CHECK_OK(base64_decode(str_of(known[i]), &der, &e), &e);
        CHECK(ecdsa_is_key(buf_str(&der)));
    }
}

TEST(keys_that_are_none_are_refused) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct err e;
    struct registry_keys *k = registry_keys_new(&e);
    EVP_PKEY *p384 = EVP_EC_gen("P-384"), *p256 = EVP_EC_gen("P-256");
    static const char *const bad[] = {
        "",
        "[]",
        "{\"keys\":1}",
        "{\"keys\":[{}]}",
        "{\"keys\":[{\"keyid\":\"a\",\"key\":\"AAAA\"}]}",
        "{\"keys\":[{\"keyid\":\"a\",\"keytype\":\"rsa\",\"key\":\"AAAA\"}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(registry_keys_add(k, str_of(bad[i]), &e) < 0);
    CHECK(add(k, "SHA256:b", public_of(p384, &a), &a, &e) < 0);
    CHECK_HAS(e.text, "P-256");
    CHECK_OK(add(k, "SHA256:c", public_of(p256, &a), &a, &e), &e);
    CHECK(add(k, "SHA256:c", public_of(p256, &a), &a, &e) < 0);
    CHECK_HAS(e.text, "there are two");
    EVP_PKEY_free(p384);
    EVP_PKEY_free(p256);
    registry_keys_free(k);
}

/* -- npm's cache ------------------------------------------------------------
 */

#define BASE "https://registry.test/"
#define KEY  "make-fetch-happen:request-cache:" BASE "@s%2fpkg"

static void put(const char *folder, const char *hex, str data) {
    char path[300];
    struct err e;
    snprintf(path, sizeof path, "cache/%s/%.2s/%.2s", folder, hex, hex + 2);
    CHECK_OK(file_make_dirs(path, 0700, &e), &e);
    snprintf(path, sizeof path, "cache/%s/%.2s/%.2s/%s", folder, hex, hex + 2,
             hex + 4);
    CHECK_OK(file_replace(path, data, 0600, &e), &e);
}

/* The name under which the index has a key. */
static const char *index_name(struct arena *a) {
    AUTO_BUF struct buf hex = BUF_MAX(128);
    uint8_t hash[CRYPTO_SHA256];
    struct err e;
    CHECK_OK(crypto_sha256(STR(KEY), hash, &e), &e);
    CHECK_OK(hex_encode((str){(char *)hash, sizeof hash}, &hex, &e), &e);
    return arena_text(a, buf_str(&hex), &e);
}

static const struct json *look(struct arena *a, const char *resolved) {
    struct err e;
    const struct json *doc = NULL;
    AUTO_FD int cache = open("cache", O_RDONLY | O_DIRECTORY);
    CHECK_OK(
        npm_cache_describe(cache, STR("@s/pkg"), str_of(resolved), a, &doc, &e),
        &e);
    return doc;
}

TEST(the_newest_answer_in_the_cache_is_read_and_nothing_else) {
    AUTO_ARENA struct arena a = ARENA_MAX(8 << 20);
    char folder[] = "/tmp/cordon-npm-XXXXXX", sum[129];
    const char *name = index_name(&a);
    const char *tgz = BASE "@s/pkg/-/pkg-1.0.0.tgz";
    CHECK(mkdtemp(folder) && chdir(folder) == 0 && mkdir("cache", 0700) == 0);
    CHECK(!look(&a, tgz)); /* an empty one */
    /* 64 bytes of zeros stand for the content's SHA-512. */
    memset(sum, '0', 128);
    sum[128] = '\0';
    put("content-v2/sha512", sum, STR("{\"name\":\"@s/pkg\"}"));
    struct err e;
    char zeros[87];
    memset(zeros, 'A', 86);
    zeros[86] = '\0';
    put("index-v5", name,
        str_of(arena_printf(
            &a, &e,
            "\nnot json\n1\t{\"key\":\"%s\",\"integrity\":\"sha1-x\"}\n"
            "2\t{\"key\":\"%s\",\"integrity\":\"sha512-%s==\"}\n"
            "3\t{\"key\":\"other\",\"integrity\":\"sha512-x\"}\n",
            KEY, KEY, zeros)));
    const struct json *doc = look(&a, tgz);
    CHECK(doc);
    CHECK_STR(json_get_text(doc, "name", STR("")), "@s/pkg");
    CHECK(look(&a, BASE "@s%2fpkg/-/pkg-1.0.0.tgz"));
    CHECK(!look(&a, "git+ssh://elsewhere"));
    CHECK(!look(&a, BASE "another/-/pkg-1.0.0.tgz"));
    /* Whoever owns the cache may put a link or a pipe there. */
    char path[300];
    snprintf(path, sizeof path, "cache/index-v5/%.2s/%.2s/%s", name, name + 2,
             name + 4);
    CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    CHECK(!look(&a, tgz));
    CHECK(unlink(path) == 0 && symlink("/etc/passwd", path) == 0);
    CHECK(!look(&a, tgz));
}

TEST(a_signature_that_was_verified_must_stay) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
#define PACKAGE(more)                                                        \
    parse(&a, "{\"runner\":\"npx\",\"files\":2,\"sha256\":\"ab\",\"packages" \
              "\":[{\"name\":\"p\",\"version\":\"1\"" more "}]}")
    const struct json *bare = PACKAGE("");
    const struct json *none = PACKAGE(",\"signature\":\"unsigned\"");
    const struct json *good =
        PACKAGE(",\"signature\":\"verified\",\"keyid\":\"k\"");
    const struct json *other =
        PACKAGE(",\"signature\":\"verified\",\"keyid\":\"l\"");
    const struct json *wrong =
        PACKAGE(",\"signature\":\"wrong\",\"keyid\":\"k\"");
    CHECK(pin_package_same(bare, none) && pin_package_same(bare, good));
    CHECK(pin_package_same(none, good) && pin_package_same(good, good));
    CHECK(!pin_package_same(good, none) && !pin_package_same(good, other));
    CHECK(pin_package_forged(wrong) && !pin_package_forged(good));
    CHECK(!pin_package_forged(parse(&a, "{\"packages\":7}")));
    CHECK(!pin_package_same(bare, parse(&a, "{\"packages\":[]}")));
#undef PACKAGE
}
