SELECT E'a\'b', $x$ y $x$, "q""r" /* /* */ */ FROM t -- ; drop
