# A program as models write them: orders.
import json
from collections import defaultdict
raw = '[{"id": 1, "cust": {"name": "Ann", "vip": true}, "lines": [{"sku": "A1", "qty": 2, "price": 9.99}, {"sku": "B2", "qty": 1, "price": 100}], "status": "paid", "notes": null}, {"id": 2, "cust": {"name": "Bob", "vip": false}, "lines": [], "status": "new"}, {"id": 3, "cust": {"name": "Ann", "vip": true}, "lines": [{"sku": "A1", "qty": 10, "price": 9.49}], "status": "shipped"}]'
orders = json.loads(raw)
totals = {o['id']: round(sum((l['qty'] * l['price'] for l in o['lines'])), 2) for o in orders}
print(totals)
# expect: {1: 119.98, 2: 0, 3: 94.9}
by_cust = defaultdict(list)
for o in orders:
    by_cust[o['cust']['name']].append(o['id'])
print(dict(by_cust))
# expect: {'Ann': [1, 3], 'Bob': [2]}
skus = defaultdict(lambda: {'qty': 0, 'rev': 0.0})
for o in orders:
    for l in o.get('lines') or []:
        s = skus[l['sku']]
        s['qty'] += l['qty']
        s['rev'] += l['qty'] * l['price']
for sku, s in sorted(skus.items(), key=lambda kv: -kv[1]['rev']):
    print(f"{sku:<6}{s['qty']:>4}{s['rev']:>10.2f}{s['rev'] / s['qty']:>8.3f}")
# expect: A1      12    114.88   9.573
# expect: B2       1    100.00 100.000
print(json.dumps({'total': sum(totals.values()), 'max': max(totals, key=totals.get), 'statuses': sorted({o['status'] for o in orders})}, indent=4, sort_keys=True))
# expect: {
# expect:     "max": 1,
# expect:     "statuses": [
# expect:         "new",
# expect:         "paid",
# expect:         "shipped"
# expect:     ],
# expect:     "total": 214.88
# expect: }
print([o['id'] for o in orders if o['cust'].get('vip') and o['lines']])
# expect: [1, 3]
print(next((o for o in orders if o['id'] == 9), None))
# expect: None
print(orders[1].get('notes', 'n/a'))
# expect: n/a
print(orders[0]['notes'] is None)
# expect: True
try:
    orders[1]['notes']
except KeyError as e:
    print('missing', e, e.args)
# expect: missing 'notes' ('notes',)
flat = [{'order': o['id'], 'name': o['cust']['name'], **l} for o in orders for l in o['lines']]
print(flat[0])
# expect: {'order': 1, 'name': 'Ann', 'sku': 'A1', 'qty': 2, 'price': 9.99}
print(len(flat))
# expect: 3
print(list(flat[0]))
# expect: ['order', 'name', 'sku', 'qty', 'price']
cols = list(flat[0])
print(','.join(cols))
# expect: order,name,sku,qty,price
[print(','.join((str(r[c]) for c in cols))) for r in flat]
# expect: 1,Ann,A1,2,9.99
# expect: 1,Ann,B2,1,100
# expect: 3,Ann,A1,10,9.49

def pivot(rows, idx, col, val):
    out = {}
    for r in rows:
        out.setdefault(r[idx], {}).setdefault(r[col], 0)
        out[r[idx]][r[col]] += r[val]
    return out
print(pivot(flat, 'name', 'sku', 'qty'))
# expect: {'Ann': {'A1': 12, 'B2': 1}}

def group(rows, *keys):
    if not keys:
        return rows
    out = {}
    for r in rows:
        out.setdefault(r[keys[0]], []).append(r)
    return {k: group(v, *keys[1:]) for k, v in out.items()}
print({k: {k2: len(v2) for k2, v2 in v.items()} for k, v in group(flat, 'name', 'sku').items()})
# expect: {'Ann': {'A1': 2, 'B2': 1}}
nums = [r['price'] for r in flat]
mean = sum(nums) / len(nums)
var = sum(((x - mean) ** 2 for x in nums)) / len(nums)
med = sorted(nums)[len(nums) // 2]
print(f'mean={mean:.3f} var={var:.3f} med={med!r} std={var ** 0.5:.4f}')
# expect: mean=39.827 var=1810.457 med=9.99 std=42.5495
print(min(nums))
# expect: 9.49
print(max(nums))
# expect: 100
print(round(mean, 1))
# expect: 39.8
csv = 'name,age,city\nAnn,30,Oslo\n"Smith, J",41,"New ""York"""\n'

def parse(line):
    out, cur, q, i = ([], '', False, 0)
    while i < len(line):
        c = line[i]
        if q:
            if c == '"' and line[i + 1:i + 2] == '"':
                cur += '"'
                i += 1
            elif c == '"':
                q = False
            else:
                cur += c
        elif c == '"':
            q = True
        elif c == ',':
            out.append(cur)
            cur = ''
        else:
            cur += c
        i += 1
    return out + [cur]
rows = [parse(l) for l in csv.strip().split('\n')]
recs = [dict(zip(rows[0], r)) for r in rows[1:]]
print(recs)
# expect: [{'name': 'Ann', 'age': '30', 'city': 'Oslo'}, {'name': 'Smith, J', 'age': '41', 'city': 'New "York"'}]
print(sum((int(r['age']) for r in recs)))
# expect: 71

def diff(a, b, path=''):
    for k in sorted(set(a) | set(b)):
        p = f'{path}/{k}'
        if k not in a:
            yield ('+', p, b[k])
        elif k not in b:
            yield ('-', p, a[k])
        elif isinstance(a[k], dict) and isinstance(b[k], dict):
            yield from diff(a[k], b[k], p)
        elif a[k] != b[k]:
            yield ('~', p, (a[k], b[k]))
print(*diff({'a': 1, 'b': {'c': 2, 'd': 3}}, {'b': {'c': 5, 'e': 1}, 'z': []}), sep='\n')
# expect: ('-', '/a', 1)
# expect: ('~', '/b/c', (2, 5))
# expect: ('-', '/b/d', 3)
# expect: ('+', '/b/e', 1)
# expect: ('+', '/z', [])
table = [['id', 'name', 'total']] + [[o['id'], o['cust']['name'], totals[o['id']]] for o in orders]
w = [max((len(str(r[i])) for r in table)) for i in range(3)]
for n, r in enumerate(table):
    print('| ' + ' | '.join((str(c).rjust(w[i]) if isinstance(c, (int, float)) else str(c).ljust(w[i]) for i, c in enumerate(r))) + ' |')
    if n == 0:
        print('|' + '|'.join(('-' * (x + 2) for x in w)) + '|')
# expect: | id | name | total  |
# expect: |----|------|--------|
# expect: |  1 | Ann  | 119.98 |
# expect: |  2 | Bob  |      0 |
# expect: |  3 | Ann  |   94.9 |
hist = [3, 7, 1]
print('\n'.join((f"{i}: {'#' * v}{'.' * (8 - v)} {v / sum(hist):6.1%}" for i, v in enumerate(hist))))
# expect: 0: ###.....  27.3%
# expect: 1: #######.  63.6%
# expect: 2: #.......   9.1%
print('Page 1 of {pages}, {n:,} items'.format(pages=-(-1234567 // 100), n=1234567))
# expect: Page 1 of 12346, 1,234,567 items
print(f"{1234.5:>12,.2f}|{-0.5:+.0%}|{1000000.0:.1e}|{12:03}|{'x':-^7}")
# expect:     1,234.50|-50%|1.0e+06|012|---x---
