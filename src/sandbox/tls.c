/* SPDX-License-Identifier: MIT
 *
 * TLS sessions of the proxy, over descriptors that do not block for ever.
 */
#include "sandbox/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "sandbox/tls_inside.h"

enum { STALL_MS = 15000 };

struct tls {
    const struct tls_ca *ca;
    SSL_CTX *server, *client;
};

struct tls_session {
    SSL *ssl;
    int fd;
};

/* We write requests anew, line by line: nothing newer than HTTP/1.1. */
static int only_http1(SSL *ssl, const unsigned char **out, unsigned char *n,
                      const unsigned char *in, unsigned in_n, void *context) {
    static const unsigned char http1[] = "\x08http/1.1";
    unsigned char *chosen;
    (void)ssl;
    (void)context;
    if (SSL_select_next_proto(&chosen, n, http1, sizeof http1 - 1, in, in_n) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static int fail_tls(struct err *e, const char *what) {
    unsigned long code = ERR_get_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    ERR_clear_error();
    return fail(e, ERR_PEER, "TLS: %s: %s", what, reason ? reason : "it ended");
}

static int tls_start(const struct tls_ca *ca, struct tls **out, struct err *e) {
    struct tls *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    t->ca = ca;
    t->server = SSL_CTX_new(TLS_server_method());
    t->client = SSL_CTX_new(TLS_client_method());
    if (!t->server || !t->client ||
        !SSL_CTX_set_min_proto_version(t->client, TLS1_2_VERSION) ||
        !SSL_CTX_set_min_proto_version(t->server, TLS1_2_VERSION))
        return fail_tls(e, "set up");
    SSL_CTX_set_alpn_select_cb(t->server, only_http1, NULL);
    SSL_CTX_set_verify(t->client, SSL_VERIFY_PEER, NULL);
    /* Without any, every server is a stranger, and that is what it says. */
    if (SSL_CTX_load_verify_file(t->client, TLS_MACHINE_BUNDLE) != 1)
        ERR_clear_error();
    *out = t;
    return 0;
}

static void tls_end(struct tls_session *s) {
    if (!s) return;
    if (s->ssl && SSL_is_init_finished(s->ssl)) (void)SSL_shutdown(s->ssl);
    SSL_free(s->ssl);
    mem_free(s);
}

/* Waits for what OpenSSL wants; -1 when that does not come. */
static int await(const struct tls_session *s, int rc) {
    int problem = SSL_get_error(s->ssl, rc);
    short what = problem == SSL_ERROR_WANT_READ    ? POLLIN
                 : problem == SSL_ERROR_WANT_WRITE ? POLLOUT
                                                   : 0;
    struct pollfd p = {s->fd, what, 0};
    int ready;
    if (!what) return -1;
    do
        ready = poll(&p, 1, STALL_MS);
    while (ready < 0 && errno == EINTR);
    return ready > 0 ? 0 : -1;
}

static struct tls_session *new_session(SSL_CTX *ctx, int fd, struct err *e) {
    struct tls_session *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->fd = fd;
    s->ssl = SSL_new(ctx);
    if (s->ssl && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
        SSL_set_fd(s->ssl, fd) == 1)
        return s;
    (void)fail_tls(e, "session");
    tls_end(s);
    return NULL;
}

static int handshake(struct tls_session *s, const char *who, struct err *e) {
    int rc;
    while ((rc = SSL_do_handshake(s->ssl)) != 1)
        if (await(s, rc)) {
            long verdict = SSL_get_verify_result(s->ssl);
            if (verdict == X509_V_OK) return fail_tls(e, who);
            ERR_clear_error();
            return fail(e, ERR_DENIED, "the server's certificate: %s",
                        X509_verify_cert_error_string(verdict));
        }
    return 0;
}

static int give(struct tls_session *s, int rc, struct tls_session **out) {
    if (rc)
        tls_end(s);
    else
        *out = s;
    return rc;
}

/* Who asks for another name than it was let through for is refused. */
static int check_name(const struct tls_session *s, const char *host,
                      struct err *e) {
    const char *asked = SSL_get_servername(s->ssl, TLSEXT_NAMETYPE_host_name);
    if (!asked || str_eq_nocase(str_of(asked), str_of(host))) return 0;
    return fail(e, ERR_DENIED, "TLS asks for another server");
}

static int tls_accept(struct tls *t, int fd, const char *host,
                      struct tls_session **out, struct err *e) {
    struct tls_session *s = new_session(t->server, fd, e);
    if (!s) return -1;
    X509 *leaf = tls_ca_leaf(t->ca, host);
    int rc = leaf && SSL_use_certificate(s->ssl, leaf) == 1 &&
                     SSL_use_PrivateKey(s->ssl, t->ca->key) == 1
                 ? 0
                 : fail_tls(e, "certificate");
    X509_free(leaf);
    SSL_set_accept_state(s->ssl);
    if (!rc) rc = handshake(s, "the task", e);
    if (!rc) rc = check_name(s, host, e);
    return give(s, rc, out);
}

static int tls_connect(struct tls *t, int fd, const char *host,
                       struct tls_session **out, struct err *e) {
    struct tls_session *s = new_session(t->client, fd, e);
    if (!s) return -1;
    SSL_set_connect_state(s->ssl);
    /* SSL_set_tlsext_host_name, whose cast drops a const. */
    long named = SSL_ctrl(s->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                          TLSEXT_NAMETYPE_host_name, (void *)(uintptr_t)host);
    int rc = named == 1 && SSL_set1_host(s->ssl, host) == 1
                 ? 0
                 : fail_tls(e, "host name");
    if (!rc) rc = handshake(s, "the server", e);
    return give(s, rc, out);
}

static int tls_write(struct tls_session *s, str data, struct err *e) {
    while (data.n) {
        size_t n = 0;
        int rc = SSL_write_ex(s->ssl, data.p, data.n, &n);
        if (rc != 1 && await(s, rc)) return fail_tls(e, "send");
        data = str_sub(data, n, data.n);
    }
    return 0;
}

static ssize_t tls_read(struct tls_session *s, void *to, size_t room,
                        struct err *e) {
    for (;;) {
        size_t n = 0;
        int rc = SSL_read_ex(s->ssl, to, room, &n);
        if (rc == 1) return (ssize_t)n;
        int problem = SSL_get_error(s->ssl, rc);
        if (problem == SSL_ERROR_ZERO_RETURN) return 0;
        if (await(s, rc)) return fail_tls(e, "receive");
    }
}

const struct tls_way tls_openssl = {
    tls_ca_new,  tls_ca_free, tls_ca_bundle, tls_start, tls_accept,
    tls_connect, tls_end,     tls_write,     tls_read,
};
