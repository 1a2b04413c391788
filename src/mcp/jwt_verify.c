/* SPDX-License-Identifier: MIT
 *
 * Tokens that somebody else signed. Only signatures with public keys are
 * known: a token cannot choose to be checked with a shared secret or with
 * nothing, and an algorithm must fit its key's type.
 */
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <string.h>

#include "base/codec.h"
#include "mcp/jwt.h"

enum { PART_MAX = 64 << 10, KEY_PART_MAX = 2048, RSA_LEAST = 2048 };

static const struct alg {
    const char *name, *kty, *crv, *digest;
    int size; /* of one number of an ECDSA signature, in bytes */
    bool pss;
} algs[] = {
    {"RS256", "RSA", NULL, "SHA256", 0, false},
    {"RS384", "RSA", NULL, "SHA384", 0, false},
    {"RS512", "RSA", NULL, "SHA512", 0, false},
    {"PS256", "RSA", NULL, "SHA256", 0, true},
    {"ES256", "EC", "P-256", "SHA256", 32, false},
    {"ES384", "EC", "P-384", "SHA384", 48, false},
    {"EdDSA", "OKP", "Ed25519", NULL, 0, false},
};

static const struct alg *alg_of(str name) {
    for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++)
        if (str_is(name, algs[i].name)) return &algs[i];
    return NULL;
}

/* -- keys --------------------------------------------------------------------
 */

static int member_bytes(const struct json *jwk, const char *name,
                        struct buf *out, struct err *e) {
    str text = json_get_text(jwk, name, STR(""));
    if (!text.n) return fail(e, ERR_INVALID, "a key without \"%s\"", name);
    return base64url_decode(text, out, e);
}

static EVP_PKEY *from_params(const char *type, OSSL_PARAM_BLD *bld) {
    OSSL_PARAM *params = bld ? OSSL_PARAM_BLD_to_param(bld) : NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *pkey = NULL;
    if (params && ctx && EVP_PKEY_fromdata_init(ctx) == 1)
        (void)EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params);
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return pkey;
}

static EVP_PKEY *rsa_key(str modulus, str exponent) {
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    BIGNUM *n =
        BN_bin2bn((const unsigned char *)modulus.p, (int)modulus.n, NULL);
    BIGNUM *x =
        BN_bin2bn((const unsigned char *)exponent.p, (int)exponent.n, NULL);
    EVP_PKEY *pkey = NULL;
    if (bld && n && x && BN_num_bits(n) >= RSA_LEAST &&
        OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, x) == 1)
        pkey = from_params("RSA", bld);
    BN_free(n);
    BN_free(x);
    OSSL_PARAM_BLD_free(bld);
    return pkey;
}

static EVP_PKEY *ec_key(const struct alg *alg, str x, str y) {
    unsigned char point[1 + 2 * 48];
    size_t size = (size_t)alg->size;
    if (x.n != size || y.n != size) return NULL;
    point[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(point + 1, x.p, size);
    memcpy(point + 1 + size, y.p, size);
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    EVP_PKEY *pkey = NULL;
    if (bld &&
        OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME,
                                        alg->crv, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY, point,
                                         1 + 2 * size) == 1)
        pkey = from_params("EC", bld);
    OSSL_PARAM_BLD_free(bld);
    return pkey;
}

static EVP_PKEY *read_key(const struct json *jwk, const struct alg *alg,
                          struct err *e) {
    AUTO_BUF struct buf a = BUF_MAX(KEY_PART_MAX), b = BUF_MAX(KEY_PART_MAX);
    EVP_PKEY *pkey = NULL;
    bool rsa = !strcmp(alg->kty, "RSA"), ec = !strcmp(alg->kty, "EC");
    if (member_bytes(jwk, rsa ? "n" : "x", &a, e)) return NULL;
    if ((rsa || ec) && member_bytes(jwk, rsa ? "e" : "y", &b, e)) return NULL;
    if (rsa)
        pkey = rsa_key(buf_str(&a), buf_str(&b));
    else if (ec)
        pkey = ec_key(alg, buf_str(&a), buf_str(&b));
    else
        pkey = EVP_PKEY_new_raw_public_key(
            EVP_PKEY_ED25519, NULL, (const unsigned char *)a.data, a.len);
    if (!pkey) err_set(e, ERR_INVALID, "a key of the set is not usable");
    return pkey;
}

static bool fits(const struct json *jwk, const struct alg *alg, str kid) {
    str use = json_get_text(jwk, "use", STR("sig"));
    str own = json_get_text(jwk, "alg", str_of(alg->name));
    if (!str_is(use, "sig") || !str_is(own, alg->name)) return false;
    if (!str_is(json_get_text(jwk, "kty", STR("")), alg->kty)) return false;
    if (alg->crv && !str_is(json_get_text(jwk, "crv", STR("")), alg->crv))
        return false;
    return !kid.p || str_eq(json_get_text(jwk, "kid", STR("")), kid);
}

/* -- signatures --------------------------------------------------------------
 */

/* JWS has the two numbers of ECDSA side by side; OpenSSL wants DER. */
static int to_der(const struct alg *alg, str sig, unsigned char **der) {
    int size = alg->size;
    if (sig.n != (size_t)(2 * size)) return -1;
    const unsigned char *p = (const unsigned char *)sig.p;
    ECDSA_SIG *s = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(p, size, NULL), *v = BN_bin2bn(p + size, size, NULL);
    int n = -1;
    if (s && r && v && ECDSA_SIG_set0(s, r, v) == 1) {
        r = v = NULL; /* they are s's now */
        n = i2d_ECDSA_SIG(s, der);
    }
    BN_free(r);
    BN_free(v);
    ECDSA_SIG_free(s);
    return n;
}

static bool verify_bytes(const struct alg *alg, EVP_PKEY *pkey, str data,
                         str sig) {
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    const EVP_MD *md = alg->digest ? EVP_get_digestbyname(alg->digest) : NULL;
    bool good = ctx && EVP_DigestVerifyInit(ctx, &pctx, md, NULL, pkey) == 1;
    if (good && alg->pss)
        good =
            EVP_PKEY_CTX_set_rsa_padding(pctx, RSA_PKCS1_PSS_PADDING) == 1 &&
            EVP_PKEY_CTX_set_rsa_pss_saltlen(pctx, RSA_PSS_SALTLEN_DIGEST) == 1;
    good = good && EVP_DigestVerify(ctx, (const unsigned char *)sig.p, sig.n,
                                    (const unsigned char *)data.p, data.n) == 1;
    EVP_MD_CTX_free(ctx);
    return good;
}

static bool verifies(const struct alg *alg, EVP_PKEY *pkey, str data, str sig) {
    unsigned char *der = NULL;
    if (!alg->size) return verify_bytes(alg, pkey, data, sig);
    int n = to_der(alg, sig, &der);
    bool good = n > 0 && verify_bytes(alg, pkey, data,
                                      (str){(const char *)der, (size_t)n});
    OPENSSL_free(der);
    return good;
}

/* -- tokens ------------------------------------------------------------------
 */

static int read_part(str text, struct arena *a, const struct json **out,
                     struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(PART_MAX);
    if (base64url_decode(text, &plain, e) ||
        json_parse(buf_str(&plain), NULL, a, out, e))
        return fail_while(e, "token");
    if (json_type(*out) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "token: a part is no object");
    return 0;
}

struct parts {
    str header, claims, signature;
    str data; /* what is signed */
};

static int split(str token, struct parts *out, struct err *e) {
    str rest = token;
    out->header = str_cut(&rest, '.');
    out->claims = str_cut(&rest, '.');
    out->signature = rest;
    if (!rest.p || str_find_char(rest, '.') >= 0)
        return fail(e, ERR_DENIED, "not a signed token");
    out->data = (str){token.p, out->header.n + 1 + out->claims.n};
    return 0;
}

static bool try_keys(const struct alg *alg, const struct json *keys, str kid,
                     const struct parts *p, str sig, bool *unknown) {
    const struct json *list = json_get(keys, "keys");
    struct err e;
    *unknown = true;
    if (!list || json_type(list) != JSON_ARRAY) return false;
    const struct json *jwk = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, jwk = json_skip(jwk)) {
        if (!fits(jwk, alg, kid)) continue;
        *unknown = false;
        EVP_PKEY *pkey = read_key(jwk, alg, &e);
        bool good = pkey && verifies(alg, pkey, p->data, sig);
        EVP_PKEY_free(pkey);
        if (good) return true;
    }
    return false;
}

int jwt_verify(str token, const struct json *keys, struct arena *a,
               const struct json **claims, bool *unknown, struct err *e) {
    AUTO_BUF struct buf sig = BUF_MAX(KEY_PART_MAX);
    const struct json *header, *body;
    struct parts p;
    *unknown = false;
    if (split(token, &p, e) || read_part(p.header, a, &header, e) ||
        read_part(p.claims, a, &body, e) ||
        base64url_decode(p.signature, &sig, e))
        return -1;
    str name = json_get_text(header, "alg", STR(""));
    str kid = json_get_text(header, "kid", (str){NULL, 0});
    const struct alg *alg = alg_of(name);
    if (!alg || json_get(header, "crit"))
        return fail(e, ERR_DENIED, "token: the algorithm '%.*s' is not taken",
                    STR_ARG(str_sub(name, 0, 20)));
    if (!try_keys(alg, keys, kid, &p, buf_str(&sig), unknown))
        return fail(e, ERR_DENIED,
                    *unknown ? "token: signed with a key that is not known"
                             : "token: the signature is wrong");
    *claims = body;
    return 0;
}
