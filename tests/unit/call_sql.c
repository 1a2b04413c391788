/* SPDX-License-Identifier: MIT */
#include "call/sql.h"
#include "call/sql_lex.h"

#include "call_fake.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tables[] =
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, email TEXT, card "
    "TEXT, age REAL);"
    "INSERT INTO people VALUES(1,'Ann','ann@a.example','4111111111111234',30.5)"
    ",(2,'Bob','bob@b.example',NULL,NULL),(3,'Cat','ann@a.example','12',7);"
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, person INT, data BLOB);"
    "INSERT INTO orders SELECT value, value % 3 + 1, x'00ff' FROM "
    "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n "
    "LIMIT 5000) SELECT value FROM n);"
    "CREATE INDEX by_person ON orders(person);"
    "CREATE VIEW mails AS SELECT email FROM people;"
    "CREATE TABLE secrets(x);";

static void make_file(const char *path) {
    sqlite3 *db;
    CHECK_EQ(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, tables, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void open_with(struct fake *f, const char *extra) {
    struct err e;
    char config[2048];
    test_folder();
    make_file("shop.db");
    fake_init(f);
    f->host.folder = ".";
    snprintf(config, sizeof config, "{\"sqlite\":\"shop.db\"%s}", extra);
    f->provider =
        provider_sql_new(&f->host, STR("db"), fake_json(f, config), &e);
    if (!f->provider) test_fail(__FILE__, __LINE__, "%s", e.text);
}

static const char *ask(struct fake *f, const char *sql) {
    struct err e;
    AUTO_BUF struct buf args = BUF_MAX((size_t)1 << 20);
    CHECK_OK(buf_add_text(&args, "{\"sql\":", &e), &e);
    CHECK_OK(json_write_string(str_of(sql), &args, &e), &e);
    CHECK_OK(buf_add_char(&args, '}', &e), &e);
    return fake_call(f, "db__query", buf_text(&args));
}

TEST(a_query_gives_rows) {
    struct fake f;
    open_with(&f, "");
    fake_call(&f, "db__query",
              "{\"sql\":\"SELECT id, name, age, id FROM people WHERE id < ? "
              "ORDER BY id\",\"parameters\":[3]}");
    CHECK_TEXT(fake_member(&f, "/structuredContent"),
               "{\"columns\":[\"id\",\"name\",\"age\",\"id_2\"],\"rows\":["
               "{\"id\":1,\"name\":\"Ann\",\"age\":30.5,\"id_2\":1},"
               "{\"id\":2,\"name\":\"Bob\",\"age\":null,\"id_2\":2}],"
               "\"row_count\":2,\"truncated\":false}");
    ask(&f, "SELECT data FROM orders LIMIT 1;  ");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/0/data"), "\"AP8=\"");
    CHECK_HAS(fake_call(&f, "db__query",
                        "{\"sql\":\"SELECT ?, ?\",\"parameters\":[1]}"),
              "no value for parameter");
    CHECK_HAS(ask(&f, "SELECT absent FROM people"), "no such column");
    CHECK_HAS(buf_text(&f.out), "\"isError\":true");
    fake_fini(&f);
}

TEST(the_schema_is_told) {
    struct fake f;
    open_with(&f, ",\"tables\":[\"people\"],\"mask\":{\"people.email\":"
                  "\"hide\"}");
    fake_call(&f, "db__schema", "{}");
    CHECK_EQ(strlen(fake_member(&f, "/structuredContent/tables/0/columns/2")),
             strlen("{\"name\":\"email\",\"type\":\"TEXT\",\"masked\":true}"));
    CHECK(!strstr(buf_text(&f.out), "orders"));
    fake_fini(&f);
}

TEST(named_queries_are_tools) {
    struct fake f;
    open_with(&f, ",\"queries\":{\"by_name\":{\"description\":\"Finds.\","
                  "\"sql\":\"SELECT id FROM people WHERE name = :name\","
                  "\"parameters\":{\"name\":{\"type\":\"string\"}}}}");
    fake_call(&f, "db__by_name", "{\"name\":\"Bob\"}");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"id\":2}]");
    fake_fini(&f);
}

TEST(nothing_but_reading_is_possible) {
    static const char *const bad[] = {
        "DELETE FROM people",
        "INSERT INTO people(name) VALUES('x')",
        "UPDATE people SET name='x' RETURNING name",
        "DROP TABLE people",
        "CREATE TEMP TABLE t(x)",
        "ATTACH 'other.db' AS o",
        "DETACH main",
        "PRAGMA writable_schema=1",
        "PRAGMA query_only=0",
        "PRAGMA table_info(people)",
        "SELECT * FROM pragma_table_info('people')",
        "SELECT * FROM pragma_database_list",
        "VACUUM INTO 'copy.db'",
        "VACUUM",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT s",
        "SELECT 1; DROP TABLE people",
        "SELECT 1; SELECT 2",
        "SELECT load_extension('x')",
        "SELECT randomblob(100)",
        "SELECT zeroblob(1000000000)",
        "SELECT writefile('x','y')",
        "SELECT readfile('/etc/passwd')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT * FROM sqlite_schema",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM sqlite_temp_master",
        "SELECT sql FROM sqlite_temp_schema",
        "SELECT * FROM dbstat",
        "SELECT * FROM sqlite_dbpage",
        "EXPLAIN SELECT 1",
        "EXPLAIN QUERY PLAN SELECT 1",
        "WITH x AS (SELECT 1) DELETE FROM people",
        "CREATE TRIGGER t AFTER INSERT ON people BEGIN SELECT 1; END",
        "",
        "   -- nothing",
    };
    struct fake f;
    struct stat before, after;
    open_with(&f, "");
    CHECK_EQ(stat("shop.db", &before), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!strstr(ask(&f, bad[i]), "\"isError\":true"))
            test_fail(__FILE__, __LINE__, "%s: %s", bad[i], buf_text(&f.out));
    CHECK_EQ(stat("shop.db", &after), 0);
    CHECK_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    CHECK(access("copy.db", F_OK) != 0 && access("other.db", F_OK) != 0);
    ask(&f, "SELECT count(*) AS n FROM people");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"n\":3}]");
    fake_fini(&f);
}

TEST(only_the_tables_that_may_be_read_are) {
    struct fake f;
    open_with(&f, ",\"tables\":[\"orders\",\"mails\"]");
    ask(&f, "SELECT count(*) AS n FROM orders");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"n\":5000}]");
    CHECK_HAS(ask(&f, "SELECT * FROM people"), "reading people is not allowed");
    CHECK_HAS(ask(&f, "SELECT * FROM mails"), "not allowed");
    CHECK_HAS(ask(&f, "SELECT (SELECT x FROM secrets) FROM orders"),
              "not allowed");
    CHECK_HAS(ask(&f, "SELECT count(*) FROM people"), "not allowed");
    fake_fini(&f);
}

static const char masks[] =
    ",\"mask_key\":\"k\",\"mask\":{\"people.email\":\"pseudonym\","
    "\"People.CARD\":\"last4\",\"people.age\":\"hide\"}";

TEST(masked_columns_show_stand_ins) {
    struct fake f;
    open_with(&f, masks);
    ask(&f, "SELECT email, card, age, name FROM people ORDER BY id");
    char *first = strdup(fake_member(&f, "/structuredContent/rows/0/email"));
    CHECK(first && strncmp(first, "\"anon_", 6) == 0);
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/2/email"), first);
    CHECK(strcmp(fake_member(&f, "/structuredContent/rows/1/email"), first));
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/0/card"),
               "\"****1234\"");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/1/card"), "null");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/2/card"), "\"****2\"");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/0/age"), "null");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/0/name"), "\"Ann\"");
    /* Grouping and joining by the stand-in still work. */
    ask(&f, "SELECT email, count(*) AS n FROM people GROUP BY 1 ORDER BY 2 "
            "DESC");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows/0/n"), "2");
    free(first);
    fake_fini(&f);
}

TEST(masks_cannot_be_read_past) {
    static const char *const tries[] = {
        "SELECT email FROM main.people",
        "SELECT * FROM main.people",
        "SELECT p.email FROM main.people AS p",
        "SELECT email FROM mails",
        "WITH people AS (SELECT email FROM main.people) SELECT * FROM people",
        "WITH cordon_ AS (SELECT email FROM main.people) SELECT * FROM cordon_",
        "SELECT (SELECT email FROM main.people LIMIT 1)",
        "SELECT name FROM main.people WHERE email LIKE 'ann%'",
        "SELECT name FROM main.people ORDER BY email",
        "SELECT people.name FROM main.people GROUP BY email",
        "SELECT max(email) FROM main.people",
        "SELECT json_group_array(email) FROM main.people",
        "SELECT email FROM (SELECT * FROM main.people) AS people",
        "SELECT email FROM \"main\".\"people\" UNION SELECT 1",
        "SELECT name FROM main.people NATURAL JOIN mails",
        "SELECT o.id FROM orders o JOIN main.people p ON p.email = o.data",
        "SELECT count(*) OVER (PARTITION BY email) FROM main.people",
        "SELECT cordon_mask(0, 1)",
        "SELECT * FROM temp.sqlite_schema",
        "SELECT EXISTS (SELECT 1 FROM main.people WHERE email > '')",
    };
    struct fake f;
    open_with(&f, masks);
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        ask(&f, tries[i]);
        if (!strstr(buf_text(&f.out), "\"isError\":true") ||
            strstr(buf_text(&f.out), "a.example"))
            test_fail(__FILE__, __LINE__, "%s: %s", tries[i], buf_text(&f.out));
    }
    /* Conditions see the stand-in, not the value. */
    ask(&f, "SELECT name FROM people WHERE email = 'ann@a.example'");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[]");
    ask(&f, "SELECT name FROM main.people WHERE id = 2");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"),
               "[{\"name\":\"Bob\"}]");
    fake_fini(&f);
}

TEST(labels_follow_the_columns_that_were_read) {
    struct fake f;
    open_with(&f,
              ",\"labels\":{\"people.email\":{\"confidentiality\":"
              "\"private\"},\"people.name\":{\"confidentiality\":\"public\","
              "\"integrity\":\"untrusted\"}}");
    ask(&f, "SELECT id, email, upper(name) AS u FROM people");
    CHECK_TEXT(fake_member(&f, "/_meta/ifc"),
               "{\"integrity\":\"untrusted\",\"confidentiality\":\"private\"}");
    CHECK_TEXT(fake_member(&f, "/_meta/cordon~1columns"),
               "{\"email\":{\"integrity\":\"untrusted\",\"confidentiality\":"
               "\"private\"},\"u\":{\"integrity\":\"untrusted\","
               "\"confidentiality\":\"private\"}}");
    /* What only chose the rows counts too. */
    ask(&f, "SELECT id FROM people WHERE email LIKE 'a%'");
    CHECK_TEXT(fake_member(&f, "/_meta/ifc/confidentiality"), "\"private\"");
    ask(&f, "SELECT id FROM people");
    CHECK(!strstr(buf_text(&f.out), "_meta"));
    fake_fini(&f);
}

TEST(rows_and_time_are_capped) {
    struct fake f;
    open_with(&f, ",\"rows\":10,\"timeout_ms\":300");
    ask(&f, "SELECT id FROM orders");
    CHECK_TEXT(fake_member(&f, "/structuredContent/row_count"), "10");
    CHECK_TEXT(fake_member(&f, "/structuredContent/truncated"), "true");
    CHECK_HAS(ask(&f, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
                      "FROM n) SELECT count(*) FROM n"),
              "t");
    CHECK(strstr(buf_text(&f.out), "timeout: ") ||
          strstr(buf_text(&f.out), "too many rows"));
    fake_fini(&f);
}

TEST(bytes_are_capped) {
    struct fake f;
    open_with(&f, ",\"bytes\":100");
    ask(&f, "SELECT id, person FROM orders");
    CHECK_TEXT(fake_member(&f, "/structuredContent/truncated"), "true");
    CHECK(strlen(fake_member(&f, "/structuredContent/rows")) <= 120);
    fake_fini(&f);
}

TEST(large_tables_are_not_read_from_end_to_end) {
    struct fake f;
    open_with(&f, ",\"scan_rows\":1000");
    CHECK_HAS(ask(&f, "SELECT count(*) FROM orders WHERE data = 'x'"),
              "all of orders, about 5000 rows (1000 allowed)");
    CHECK_HAS(ask(&f, "SELECT * FROM people, orders"), "all of orders");
    ask(&f, "SELECT max(id) AS m FROM orders");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"m\":5000}]");
    ask(&f, "SELECT id FROM orders WHERE id = 77");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"id\":77}]");
    ask(&f, "SELECT count(*) AS n FROM orders WHERE person = 1 AND id < 10");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"n\":3}]");
    ask(&f, "SELECT id FROM orders LIMIT 1");
    CHECK_TEXT(fake_member(&f, "/structuredContent/row_count"), "1");
    CHECK_HAS(ask(&f, "SELECT a.id FROM orders a, orders b, orders c WHERE "
                      "a.data > b.data LIMIT 1"),
              "too many rows");
    fake_fini(&f);
}

TEST(a_snapshot_stays_as_it_was) {
    struct fake f;
    sqlite3 *db;
    open_with(&f, ",\"snapshot\":true");
    CHECK_EQ(sqlite3_open("shop.db", &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, "DELETE FROM people", NULL, NULL, NULL), 0);
    sqlite3_close(db);
    ask(&f, "SELECT count(*) AS n FROM people");
    CHECK_TEXT(fake_member(&f, "/structuredContent/rows"), "[{\"n\":3}]");
    fake_fini(&f);
}

TEST(unusual_rates_are_reported) {
    struct fake f;
    open_with(&f, ",\"unusual\":{\"queries\":2,\"rows\":1000}");
    CHECK(!strstr(ask(&f, "SELECT 1 AS x"), "unusual"));
    ask(&f, "SELECT 1 AS x");
    CHECK_HAS(ask(&f, "SELECT 1 AS x"), "\"cordon/unusual\":\"3 queries and 3 "
                                        "rows within a minute\"");
    fake_fini(&f);
}

TEST(a_cancelled_query_leaves_no_process) {
    struct fake f;
    open_with(&f, ",\"scan_rows\":9000000000000");
    fake_start(&f, "db__query",
               "{\"sql\":\"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x "
               "+ 1 FROM n) SELECT count(*) FROM n\"}");
    f.provider->class->cancel(f.provider, &f.call);
    CHECK(!f.ended);
    fake_fini(&f);
}

TEST(configuration_is_checked) {
    static const char *const cases[][2] = {
        {"{}", "sqlite: the path"},
        {"{\"sqlite\":\"none.db\"}", "none.db"},
        {"{\"sqlite\":\"shop.db\",\"rows\":0}", "rows: a number"},
        {"{\"sqlite\":\"shop.db\",\"rowz\":1}", "did you mean rows?"},
        {"{\"sqlite\":\"shop.db\",\"mask\":{\"people\":\"hide\"}}",
         "TABLE.COLUMN"},
        {"{\"sqlite\":\"shop.db\",\"mask\":{\"people.mail\":\"hide\"}}",
         "lacks a column"},
        {"{\"sqlite\":\"shop.db\",\"mask\":{\"people.email\":\"blur\"}}",
         "'blur'"},
        {"{\"sqlite\":\"shop.db\",\"labels\":{\"people.email\":{\"x\":1}}}",
         "labels: no member x"},
        {"{\"postgres\":\"\",\"mask\":{\"a.b\":\"hide\"}}", "for SQLite"},
    };
    struct fake f;
    struct err e;
    test_folder();
    make_file("shop.db");
    fake_init(&f);
    f.host.folder = ".";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(!provider_sql_new(&f.host, STR("d"), fake_json(&f, cases[i][0]),
                                &e));
        CHECK_HAS(e.text, cases[i][1]);
        CHECK_HAS(e.text, "database d: ");
    }
    fake_fini(&f);
}

/* ---- PostgreSQL's text, without a server ---- */

static bool is_bad(void *data, str name) {
    (void)data;
    return str_is(name, "pg_sleep") || str_is(name, "lo_export") ||
           str_is(name, "Evil");
}

TEST(queries_for_postgresql_are_looked_through) {
    static const char *const good[] = {
        "select pg_sleep from t", /* a column */
        "SELECT 'pg_sleep(1)'",
        "SELECT E'it\\'s pg_sleep(1)'",
        "SELECT $$pg_sleep(1)$$, $a$ pg_sleep(2) $$ $a$",
        "/* a /* b */ ; drop */ SELECT 1 -- pg_sleep(1)",
        "WITH a AS (SELECT 1) SELECT * FROM a WHERE x = $1",
        "TABLE t",
        "VALUES (1)",
        "(SELECT 1) UNION (SELECT 2)",
        "SELECT \"a\"\"b\" FROM t",
    };
    static const char *const bad[] = {
        "SELECT pg_sleep(1)",
        "SELECT PG_Sleep /* x */ (1)",
        "SELECT pg_catalog.pg_sleep(1)",
        "SELECT \"pg_sleep\"(1)",
        "SELECT \"Evil\"(1)",
        "SELECT t.pg_sleep FROM t",
        "SELECT U&\"pg\\005fsleep\"(1)",
        "SELECT u&'x'",
        "SELECT 1; DROP TABLE t",
        "SELECT 1;",
        "COMMIT; DROP TABLE t",
        "DELETE FROM t",
        "EXPLAIN ANALYZE DELETE FROM t",
        "COPY t TO PROGRAM 'x'",
        "DO $$ BEGIN END $$",
        "SET transaction_read_only = off",
        "-- only a comment",
        "/* SELECT",
        "SELECT 'open",
        "SELECT \"open",
        "SELECT $x$ open $y$",
        "",
    };
    struct err e;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (sql_lex_check(str_of(good[i]), is_bad, NULL, &e))
            test_fail(__FILE__, __LINE__, "%s: %s", good[i], e.text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (sql_lex_check(str_of(bad[i]), is_bad, NULL, &e) == 0)
            test_fail(__FILE__, __LINE__, "taken: %s", bad[i]);
}
