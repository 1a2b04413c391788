/* SPDX-License-Identifier: MIT */
#include "call/sql.h"

#include "call_fake.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char setup[] =
    "CREATE TABLE people(id int PRIMARY KEY, name text, big numeric, ok bool, "
    "doc jsonb); INSERT INTO people VALUES (1, 'Ann', "
    "12345678901234567890.5, true, '{\"a\": [1]}'), (2, 'Bob', 'NaN', null, "
    "null); CREATE TABLE hidden(x int); CREATE SEQUENCE s; "
    "CREATE TABLE numbers AS SELECT generate_series(1, 5000) AS n; "
    "CREATE FUNCTION evil() RETURNS int LANGUAGE sql SECURITY DEFINER AS "
    "'INSERT INTO hidden VALUES (1) RETURNING 1'; "
    "CREATE ROLE reader LOGIN; GRANT SELECT ON people, numbers TO reader; "
    "GRANT USAGE ON SEQUENCE s TO reader; GRANT INSERT, UPDATE, DELETE ON "
    "people TO reader";

struct fixture {
    struct fake fake;
    char folder[512];
};

static int script(const char *verb, const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/tools/postgres.sh",
             getenv("CORDON_ROOT") ? getenv("CORDON_ROOT") : ".");
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", path, verb, folder, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void owner(struct fixture *f, const char *sql) {
    char info[600];
    snprintf(info, sizeof info, "host=%s user=owner dbname=postgres",
             f->folder);
    PGconn *c = PQconnectdb(info);
    PGresult *r = PQexec(c, sql);
    ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        test_fail(__FILE__, __LINE__, "%s", PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

static void use(struct fixture *f, const char *user, const char *extra) {
    struct err e;
    char config[2048];
    fake_init(&f->fake);
    snprintf(config, sizeof config,
             "{\"postgres\":\"host=%s user=%s dbname=postgres\","
             "\"timeout_ms\":2000%s}",
             f->folder, user, extra);
    f->fake.provider = provider_sql_new(&f->fake.host, STR("db"),
                                        fake_json(&f->fake, config), &e);
    if (!f->fake.provider) test_fail(__FILE__, __LINE__, "%s", e.text);
}

static const char *ask(struct fixture *f, const char *sql) {
    struct err e;
    AUTO_BUF struct buf args = BUF_MAX((size_t)1 << 20);
    CHECK_OK(buf_add_text(&args, "{\"sql\":", &e), &e);
    CHECK_OK(json_write_string(str_of(sql), &args, &e), &e);
    CHECK_OK(buf_add_char(&args, '}', &e), &e);
    return fake_call(&f->fake, "db__query", buf_text(&args));
}

static void rows(struct fixture *f) {
    fake_call(&f->fake, "db__query",
              "{\"sql\":\"SELECT *, id FROM people WHERE id < $1 ORDER BY 1\","
              "\"parameters\":[3]}");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent"),
               "{\"columns\":[\"id\",\"name\",\"big\",\"ok\",\"doc\",\"id_2\"],"
               "\"rows\":[{\"id\":1,\"name\":\"Ann\",\"big\":"
               "\"12345678901234567890.5\",\"ok\":true,\"doc\":{\"a\":[1]},"
               "\"id_2\":1},{\"id\":2,\"name\":\"Bob\",\"big\":\"NaN\",\"ok\":"
               "null,\"doc\":null,\"id_2\":2}],\"row_count\":2,\"truncated\":"
               "false}");
    fake_call(&f->fake, "db__schema", "{\"table\":\"people\"}");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/tables/0/columns/1"),
               "{\"name\":\"name\",\"type\":\"text\"}");
    fake_call(&f->fake, "db__by_name", "{\"least\":2,\"name\":\"Bob\"}");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/rows"),
               "[{\"id\":2}]");
    CHECK_HAS(ask(f, "SELECT * FROM hidden"), "permission denied");
    CHECK_HAS(ask(f, "SELECT nothing FROM people"), "does not exist");
    ask(f, "SELECT name FROM people WHERE id = 1 -- a comment");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/rows"),
               "[{\"name\":\"Ann\"}]");
}

/* reader may write to people: nothing but the provider keeps it from that. */
static void bypasses(struct fixture *f) {
    static const char *const bad[] = {
        "DELETE FROM people",
        "WITH x AS (DELETE FROM people RETURNING 1) SELECT * FROM x",
        "COMMIT",
        "COMMIT; DROP TABLE people; --",
        "SELECT 1; DELETE FROM people",
        "SELECT 1) AS q; DELETE FROM people; --",
        "SELECT 1) AS q; COMMIT; DELETE FROM people; SELECT (1",
        "SELECT * INTO copy FROM people",
        "SELECT * FROM people FOR UPDATE",
        "SELECT nextval('s')",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SET default_transaction_read_only = off",
        "EXPLAIN ANALYZE DELETE FROM people",
        "DO $$ BEGIN DELETE FROM people; END $$",
        "COPY people TO '/tmp/x'",
        "COPY people TO STDOUT",
        "COPY people FROM PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT lo_export(1, '/tmp/x')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_sleep(60)",
        "SELECT evil()",
        "SELECT public.evil()",
        "SELECT query_to_xml('select pg_sleep(9)', true, true, '')",
        "SELECT pg_notify('a', 'b')",
        "LISTEN a",
        "LOCK TABLE people",
        "VACUUM",
        "TRUNCATE people",
        "PREPARE x AS DELETE FROM people",
        "CALL evil()",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!strstr(ask(f, bad[i]), "\"isError\":true"))
            test_fail(__FILE__, __LINE__, "%s: %s", bad[i],
                      buf_text(&f->fake.out));
    ask(f, "SELECT (SELECT count(*) FROM people) AS n, "
           "current_setting('transaction_read_only') AS r");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/rows"),
               "[{\"n\":2,\"r\":\"on\"}]");
}

static void caps(struct fixture *f) {
    ask(f, "SELECT n FROM numbers ORDER BY n");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/row_count"), "10");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/truncated"), "true");
    ask(f, "SELECT repeat('x', 400) AS x FROM numbers");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/row_count"), "2");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/truncated"), "true");
    CHECK_HAS(ask(f, "SELECT count(*) FROM numbers a, numbers b, numbers c"),
              "timeout: ");
    ask(f, "SELECT 1 AS x");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/rows"), "[{\"x\":1}]");
    CHECK_TEXT(fake_member(&f->fake, "/_meta/ifc/confidentiality"),
               "\"secret\"");
    /* Given up in the middle: the next one still works. */
    fake_start(&f->fake, "db__query",
               "{\"sql\":\"SELECT count(*) FROM numbers a, numbers b\"}");
    struct err e;
    for (int i = 0; i < 3; i++)
        CHECK_OK(loop_step(f->fake.host.loop, SECOND / 20, &e), &e);
    if (!f->fake.ended)
        f->fake.provider->class->cancel(f->fake.provider, &f->fake.call);
    ask(f, "SELECT 2 AS x");
    CHECK_TEXT(fake_member(&f->fake, "/structuredContent/rows"), "[{\"x\":2}]");
}

static void all(struct fixture *f) {
    owner(f, setup);
    use(f, "reader",
        ",\"queries\":{\"by_name\":{\"sql\":\"SELECT id FROM people WHERE name "
        "= $1 AND id >= $2\",\"parameters\":{\"name\":{\"type\":\"string\"},"
        "\"least\":{\"type\":\"integer\"}}}}");
    rows(f);
    bypasses(f);
    fake_fini(&f->fake);
    use(f, "reader",
        ",\"rows\":10,\"bytes\":1000,\"labels\":{\"people.name\":"
        "{\"confidentiality\":\"secret\"}}");
    caps(f);
    fake_fini(&f->fake);
    use(f, "owner", "");
    CHECK_HAS(ask(f, "SELECT 1"), "superuser");
    fake_fini(&f->fake);
}

/* A failed check ends the process at once: a second one waits for its end and
 * stops the server. */
static void stop_at_end(const char *folder) {
    int fds[2];
    CHECK_EQ(pipe2(fds, O_CLOEXEC), 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid > 0) {
        close(fds[0]);
        return;
    }
    char c;
    close(fds[1]);
    setsid();
    (void)!read(fds[0], &c, 1);
    _exit(script("stop", folder));
}

TEST(postgresql_is_only_read) {
    struct fixture f;
    snprintf(f.folder, sizeof f.folder, "%s", test_folder());
    int started = script("start", f.folder);
    if (started == 77) SKIP("no PostgreSQL server here");
    stop_at_end(f.folder);
    CHECK_EQ(started, 0);
    all(&f);
}

TEST(a_server_that_is_not_there_is_told) {
    struct fixture f;
    snprintf(f.folder, sizeof f.folder, "%s", test_folder());
    use(&f, "reader", "");
    CHECK_HAS(ask(&f, "SELECT 1"), "unavailable: no connection");
    fake_fini(&f.fake);
}
