# SPDX-License-Identifier: MIT
# Python that a model wrote, in an interpreter that can touch nothing

cat >report.py <<'END'
orders = [{"item": "tea", "n": 3, "price": 2.5}, {"item": "cup", "n": 1, "price": 8.0}]
total = sum(o["n"] * o["price"] for o in orders)
print(f"{len(orders)} orders, {total:.2f} in all")
sorted(o["item"] for o in orders)
END
cordon run --result report.py

cordon run -c 'open("/etc/passwd")' || echo "exit status $?"

cordon run --limits time=0.2 -c 'while True: pass' || echo "exit status $?"
