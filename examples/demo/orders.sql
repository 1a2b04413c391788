CREATE TABLE orders(
    id INTEGER PRIMARY KEY, customer TEXT NOT NULL, item TEXT NOT NULL,
    amount REAL NOT NULL, due TEXT NOT NULL, paid INTEGER NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
INSERT INTO orders
SELECT i,
       CASE i % 3 WHEN 0 THEN 'acme' WHEN 1 THEN 'birch' ELSE 'corvid' END,
       CASE i % 4 WHEN 0 THEN 'paper' WHEN 1 THEN 'ink' WHEN 2 THEN 'glue'
                  ELSE 'string' END,
       round(10 + (i * 37) % 400 + (i % 7) / 10.0, 2),
       date('2026-01-01', '+' || (i * 5 % 200) || ' days'),
       i % 5 > 0
FROM n;
